//! How the service is today: load, latency, and what timeouts cost.

use retrylab_latencies::{WAITING_SHARE_MAX, waiting};
use retrylab_model::ServiceTime;
use retrylab_sim::Measure;
use retrylab_verify::statistics::{ErrorRate, Interval};

use crate::error::AssessError;
use crate::evidence::{Evidence, Source, Unit};
use crate::normal_day::NormalDay;
use crate::sentence::Sentence;
use crate::service::Service;

/// Quantiles of the latency that are told, and the names of their numbers.
const QUANTILES: [(f64, &str); 3] = [
    (0.5, "latency_median"),
    (0.99, "latency_p99"),
    (0.999, "latency_p999"),
];

/// What is known before anything is simulated.
pub(crate) fn load(service: &Service) -> Sentence {
    let unit = Unit::Rate(service.spec().rate.per().to_owned(), service.spec().rate.unit());
    Sentence::new("load")
        .say("New requests come at ")
        .give(Evidence::given("rate", service.rate(), unit.clone()))
        .say(" and ")
        .give(Evidence::given("capacity", service.capacity(), unit))
        .say(" can be served: first attempts alone use ")
        .give(Evidence::exact(
            "load",
            service.utilization(),
            Unit::Share,
            Source::ClosedForm,
        ))
        .say(" of the capacity.")
}

/// Where the service times come from, if they were measured, and whether they probably include waiting.
pub(crate) fn measured(service: &Service) -> Option<Sentence> {
    let ServiceTime::Measured(measured) = service.time() else {
        return None;
    };
    let latencies = measured.latencies.as_ref()?;
    let sentence = Sentence::new("measured-latencies")
        .say("Service times are ")
        .give(Evidence::given(
            "latencies_count",
            latencies.count() as f64,
            Unit::Count,
        ))
        .say(" measured ones with a mean of ")
        .give(Evidence::given("latencies_mean", measured.mean(), Unit::Seconds));
    let waiting = waiting(measured, service.utilization(), service.slots());
    let Some(waiting) = waiting.filter(|waiting| waiting.share > WAITING_SHARE_MAX) else {
        return Some(sentence.say("."));
    };
    let sentence = sentence
        .say(". They probably include waiting, which then counts twice: at a load of ")
        .give(Evidence::given("measured_at_load", waiting.load, Unit::Share));
    Some(if waiting.share.is_finite() {
        sentence
            .say(", requests that need so long would wait ")
            .give(Evidence::exact(
                "waiting_share",
                waiting.share,
                Unit::Share,
                Source::ClosedForm,
            ))
            .say(" of their mean on average.")
    } else {
        sentence.say(", requests that need so long would never all be served.")
    })
}

/// The whole chain on a normal day, and the service by itself, whose latency it is.
pub(crate) struct Today<'a> {
    pub(crate) service: &'a Service,
    pub(crate) whole: &'a NormalDay,
    pub(crate) own: &'a NormalDay,
    pub(crate) alpha: ErrorRate,
}

impl Today<'_> {
    pub(crate) fn sentences(&self) -> Result<Vec<Sentence>, AssessError> {
        let mut sentences = Vec::new();
        sentences.extend(self.down());
        sentences.extend(self.utilization()?);
        sentences.extend(self.latency()?);
        sentences.extend(self.timeouts()?);
        sentences.extend(self.error_budget()?);
        Ok(sentences)
    }

    fn measured(&self, name: &str, measure: Measure, unit: Unit) -> Result<Option<Evidence>, AssessError> {
        let range = match measure {
            Measure::AttemptsPerRequest => (1.0, f64::from(self.service.spec().attempts)),
            _ => (0.0, 1.0),
        };
        let number = self.own.ratio(measure, range, self.alpha)?;
        Ok(number.map(|(value, interval)| Evidence::measured(name, value, &interval, unit)))
    }

    /// What the numbers are of where no run stayed up.
    fn down(&self) -> Option<Sentence> {
        self.whole.is_down().then(|| {
            Sentence::new("down-today")
                .say("It went down by itself in all of ")
                .give(Evidence::given("runs", self.whole.runs() as f64, Unit::Count))
                .say(" runs of ")
                .give(Evidence::given("run_length", self.whole.length, Unit::Seconds))
                .say(": what follows is of the time before and after that.")
        })
    }

    fn utilization(&self) -> Result<Option<Sentence>, AssessError> {
        let (Some(utilization), Some(attempts)) = (
            self.measured("utilization", Measure::Utilization, Unit::Share)?,
            self.measured("attempts_per_request", Measure::AttemptsPerRequest, Unit::Number)?,
        ) else {
            return Ok(None);
        };
        let one = attempts.shown == "1";
        Ok(Some(
            Sentence::new("utilization")
                .say("With retries, servers are busy ")
                .give(utilization)
                .say(" of the time, at ")
                .give(attempts)
                .say(if one {
                    " attempt per request."
                } else {
                    " attempts per request."
                }),
        ))
    }

    fn latency(&self) -> Result<Option<Sentence>, AssessError> {
        let mut sentence = Sentence::new("latency").say("Answers take ");
        for (index, (probability, name)) in QUANTILES.into_iter().enumerate() {
            let Some((value, interval)) = self.own.sojourn_time(probability, self.alpha)? else {
                return Ok(None);
            };
            let joint = ["", ", ", " and "][index];
            sentence = sentence
                .say(format!("{joint}at most "))
                .give(Evidence::measured(name, value, &interval, Unit::Seconds))
                .say(" in ")
                .give(Evidence::given(
                    &format!("{name}_share"),
                    probability,
                    Unit::Share,
                ))
                .say(" of cases");
        }
        Ok(Some(sentence.say(", waiting included.")))
    }

    /// How the timeout compares with the latency.
    fn timeouts(&self) -> Result<Option<Sentence>, AssessError> {
        let Some(timeout) = self.service.spec().timeout else {
            let attempts = Evidence::given("attempts", f64::from(self.service.spec().attempts), Unit::Count);
            return Ok(Some(
                Sentence::new("timeout")
                    .say("Clients wait for ever: no timeout is set, so that of the attempts of a request, at most ")
                    .give(attempts)
                    .say(", none is abandoned."),
            ));
        };
        let (Some((median, _)), Some(late)) = (
            self.own.sojourn_time(0.5, self.alpha)?,
            self.measured("late_share", Measure::SojournTimeTail(0), Unit::Share)?,
        ) else {
            return Ok(None);
        };
        let ratio = timeout.value() / median;
        Ok(Some(
            Sentence::new("timeout")
                .say("The timeout of ")
                .give(Evidence::given("timeout", timeout.value(), Unit::Seconds))
                .say(" is ")
                .give(Evidence::exact(
                    "timeout_over_median",
                    ratio,
                    Unit::Number,
                    Source::Simulation,
                ))
                .say(" times the median; ")
                .give(late)
                .say(" of the attempts that are served take longer than it."),
        ))
    }

    /// Whether anybody, here or further out, gives up an attempt that takes too long.
    fn gives_up(&self) -> bool {
        let spec = self.service.spec();
        spec.timeout.is_some() || spec.callers.iter().any(|caller| caller.timeout.is_some())
    }

    fn error_budget(&self) -> Result<Option<Sentence>, AssessError> {
        let Some((failure, interval)) = self.whole.failure(self.alpha)? else {
            return Ok(None);
        };
        let allowed = 1.0 - self.service.spec().objective;
        let (low, high) = (interval.low().max(0.0), interval.high().min(1.0));
        let of_failure = Interval::new(low, high, self.alpha)?;
        let of_budget = Interval::new(low / allowed, high / allowed, self.alpha)?;
        let causes = [
            ("timeouts", self.gives_up()),
            ("errors", self.service.spec().error_probability > 0.0),
            ("full queues", self.service.spec().queue.is_some()),
        ];
        let causes: Vec<&str> = causes
            .into_iter()
            .filter(|cause| cause.1)
            .map(|cause| cause.0)
            .collect();
        let cause = match causes.as_slice() {
            [] => String::new(),
            [only] => format!(" for {only}"),
            [rest @ .., last] => format!(" for {} and {last}", rest.join(", ")),
        };
        Ok(Some(
            Sentence::new("error-budget")
                .say("Of all requests, ")
                .give(Evidence::measured("failure", failure, &of_failure, Unit::Share))
                .say(format!(" fail in the end{cause}: that spends "))
                .give(Evidence::measured(
                    "error_budget_spent",
                    failure / allowed,
                    &of_budget,
                    Unit::Share,
                ))
                .say(" of the error budget of ")
                .give(Evidence::given("error_budget", allowed, Unit::Share))
                .say("."),
        ))
    }
}

/// Share of requests that succeed on a normal day.
pub(crate) fn success(whole: &NormalDay, alpha: ErrorRate) -> Result<f64, AssessError> {
    Ok(whole.success(alpha)?.map_or(1.0, |(value, _)| value))
}
