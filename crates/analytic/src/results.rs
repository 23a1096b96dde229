//! Results that several quantities share: the name of each and its meaning, written once.

/// Name and meaning of a result.
type Named = (&'static str, &'static str);

pub(crate) const NUMBER_IN_SYSTEM: Named = (
    "number_in_system",
    "mean number of customers waiting or in service",
);
pub(crate) const NUMBER_IN_QUEUE: Named = ("number_in_queue", "mean number of customers waiting");
pub(crate) const SOJOURN_TIME_MEAN: Named = (
    "sojourn_time_mean",
    "mean time from arrival to the end of service",
);
pub(crate) const WAITING_TIME_MEAN: Named = (
    "waiting_time_mean",
    "mean time from arrival to the start of service",
);
pub(crate) const WAITING_TIME_VARIANCE: Named = (
    "waiting_time_variance",
    "variance of the time from arrival to the start of service",
);
pub(crate) const SOJOURN_TIME_TAIL: Named =
    ("sojourn_time_tail", "probability of a sojourn longer than time");
pub(crate) const WAITING_TIME_TAIL: Named = ("waiting_time_tail", "probability of a wait longer than time");
pub(crate) const SOJOURN_TIME_QUANTILE: Named = (
    "sojourn_time_quantile",
    "time within which the fraction probability of the sojourns end",
);
pub(crate) const SUCCESS_WITHIN_TIME: Named = ("success", "probability of an answer within time");
pub(crate) const SERVER_UTILIZATION: Named =
    ("utilization", "long-run fraction of time that the server is busy");
pub(crate) const SERVER_WAIT_PROBABILITY: Named = (
    "wait_probability",
    "long-run fraction of customers who find the server busy",
);
pub(crate) const BLOCKING: Named = ("blocking", "probability that an arrival finds all places taken");
pub(crate) const EMPTY_PROBABILITY: Named = ("empty_probability", "probability that the system is empty");
pub(crate) const ACCEPTED_SOJOURN_TIME_MEAN: Named = (
    "sojourn_time_mean",
    "mean time from arrival to the end of service, of accepted customers",
);
pub(crate) const ACCEPTED_WAITING_TIME_MEAN: Named = (
    "waiting_time_mean",
    "mean time from arrival to the start of service, of accepted customers",
);
pub(crate) const ACCEPTED_SOJOURN_TIME_TAIL: Named = (
    "sojourn_time_tail",
    "probability that an accepted customer's sojourn is longer than time",
);
pub(crate) const ABANDONMENT: Named = (
    "abandonment",
    "probability that a customer leaves without service",
);
