//! One entry per rule: a text that breaks it and nothing else, the message, and the part of the text it points at.

use retrylab_model::Scenario;

const WHOLE: &str = "[traffic]\nrate = 0.6\n";

struct Broken {
    text: &'static str,
    message: &'static str,
    pointed_at: &'static str,
}

fn assert_broken(cases: &[Broken]) {
    for case in cases {
        let text = if case.text.contains("[traffic]") {
            case.text.to_owned()
        } else {
            format!("{WHOLE}{}", case.text)
        };
        let error = Scenario::from_toml(&text).expect_err(&text);
        assert_eq!(error.message(), case.message, "{text}");
        let span = error.span().expect(&text);
        assert_eq!(&text[span], case.pointed_at, "{text}");
    }
}

macro_rules! broken {
    ($($text:literal, $message:literal, $pointed_at:literal;)*) => {
        assert_broken(&[$(Broken { text: $text, message: $message, pointed_at: $pointed_at }),*])
    };
}

#[test]
fn traffic() {
    broken! {
        "[traffic]\nrate = 0", "traffic.rate is 0, but must be a finite rate above 0", "0";
        "[traffic]\nrate = -0.6", "traffic.rate is -0.6, but must be a finite rate above 0", "-0.6";
        "[traffic]\nrate = nan", "traffic.rate is NaN, but must be a finite rate above 0", "nan";
        "[traffic]\nrate = inf", "traffic.rate is inf, but must be a finite rate above 0", "inf";
        "[traffic]\nrate = 1e999", "traffic.rate is inf, but must be a finite rate above 0", "1e999";
        "[traffic]\nrate = 1\nclients = 0",
            "traffic.clients is 0, but must be a whole number from 1 to 1000000", "0";
        "[traffic]\nrate = 1\nclients = 1000001",
            "traffic.clients is 1000001, but must be a whole number from 1 to 1000000", "1000001";
    }
}

#[test]
fn service() {
    broken! {
        "[service]\ntime = { exponential = { mean = 0.0 } }",
            "service.time.exponential.mean is 0, but must be a finite time above 0", "0.0";
        "[service]\ntime = { deterministic = { value = -1 } }",
            "service.time.deterministic.value is -1, but must be a finite time above 0", "-1";
        "[service]\ntime = { erlang = { stages = 0, mean = 1 } }",
            "service.time.erlang.stages is 0, but must be a whole number from 1 to 1000000", "0";
        "[service]\ntime = { erlang = { stages = 2, mean = -1 } }",
            "service.time.erlang.mean is -1, but must be a finite time above 0", "-1";
        "[service]\ntime = { hyperexponential = { mean = -1, scv = 2 } }",
            "service.time.hyperexponential.mean is -1, but must be a finite time above 0", "-1";
        "[service]\ntime = { hyperexponential = { mean = 1, scv = 1.0 } }",
            "service.time.hyperexponential.scv is 1, but must be a finite number above 1", "1.0";
        "[service]\ntime = { hyperexponential = { mean = 1, scv = inf } }",
            "service.time.hyperexponential.scv is inf, but must be a finite number above 1", "inf";
        "[service]\ntime = { uniform = { low = -1, high = 2 } }",
            "service.time.uniform.low is -1, but must be a finite time of at least 0", "-1";
        "[service]\ntime = { uniform = { low = 0, high = inf } }",
            "service.time.uniform.high is inf, but must be a finite time above 0", "inf";
        "[service]\ntime = { uniform = { low = 2, high = 2.0 } }",
            "service.time.uniform.high is 2, but must be above low, which is 2", "2.0";
        "[service]\ntime = { lognormal = { mean = -1, scv = 1 } }",
            "service.time.lognormal.mean is -1, but must be a finite time above 0", "-1";
        "[service]\ntime = { lognormal = { mean = 1, scv = 0 } }",
            "service.time.lognormal.scv is 0, but must be a finite number above 0", "0";
        "[service]\nservers = 0", "service.servers is 0, but must be a whole number from 1 to 10000000", "0";
        "[service]\nservers = 10000001",
            "service.servers is 10000001, but must be a whole number from 1 to 10000000", "10000001";
        "[service]\nconcurrency = 0", "service.concurrency is 0, but must be a whole number from 1 to 10000000", "0";
        "[service]\nservers = 3\nconcurrency = 3333334",
            "service.concurrency is 3333334, but must be at most 3333333, which with service.servers = 3 makes 10000000 \
             attempts served at once", "3333334";
        "[service]\nerror_correlation = 1.5", "service.error_correlation is 1.5, but must be a number from 0 to 1", "1.5";
        "[service]\nerror_probability = 1.2",
            "service.error_probability is 1.2, but must be a number from 0 to 1", "1.2";
        "[service]\nerror_probability = -0.1",
            "service.error_probability is -0.1, but must be a number from 0 to 1", "-0.1";
        "[service]\nerror_probability = nan",
            "service.error_probability is NaN, but must be a number from 0 to 1", "nan";
    }
}

#[test]
fn server() {
    broken! {
        "[service]\nservers = 4\n[server]\nplaces = 3",
            "server.places is 3, but must be at least the number of servers, which is 4", "3";
        "[server]\nrejection_cost = -1", "server.rejection_cost is -1, but must be a finite time of at least 0", "-1";
        "[server]\nskip_cost = inf", "server.skip_cost is inf, but must be a finite time of at least 0", "inf";
        "[server]\ndeadline_check = { skip_doomed = { service = 0 } }",
            "server.deadline_check.skip_doomed.service is 0, but must be a finite time above 0", "0";
    }
}

#[test]
fn client() {
    broken! {
        "[client]\ntimeout = 0", "client.timeout is 0, but must be a finite time above 0", "0";
        "[client]\ntimeout = inf", "client.timeout is inf, but must be a finite time above 0", "inf";
        "[client]\ntimeout = { exponential = { mean = 0.0 } }",
            "client.timeout.exponential.mean is 0, but must be a finite time above 0", "0.0";
        "[client]\ntimeout = { exponential = { mean = inf } }",
            "client.timeout.exponential.mean is inf, but must be a finite time above 0", "inf";
        "[client]\nretry_probability = 1.1",
            "client.retry_probability is 1.1, but must be a number from 0 to 1", "1.1";
        "[client]\nretry_probability = -1",
            "client.retry_probability is -1, but must be a number from 0 to 1", "-1";
        "[client]\nretry_probability = nan",
            "client.retry_probability is NaN, but must be a number from 0 to 1", "nan";
        "[client]\nattempts = 0", "client.attempts is 0, but must be a whole number from 1 to 65535", "0";
        "[client]\nattempts = 65536",
            "client.attempts is 65536, but must be a whole number from 1 to 65535", "65536";
        "[client]\nretries_per_failure = -0.1",
            "client.retries_per_failure is -0.1, but must be a number from 0 to 100", "-0.1";
        "[client]\nretries_per_failure = 101",
            "client.retries_per_failure is 101, but must be a number from 0 to 100", "101";
        "[client]\nretries_per_failure = nan",
            "client.retries_per_failure is NaN, but must be a number from 0 to 100", "nan";
        "[client]\nretries_per_failure = 1\nattempts = 3",
            "client.attempts is 3, but must be left out beside retries_per_failure, which says how many attempts follow a \
             failure", "3";
        "[client]\nretries_per_failure = 1\nretry_probability = 0.5",
            "client.retry_probability is 0.5, but must be left out beside retries_per_failure, which says how many \
             attempts follow a failure", "0.5";
        "[client]\nbackoff = { constant = { delay = -1 } }",
            "client.backoff.constant.delay is -1, but must be a finite time of at least 0", "-1";
        "[client]\nbackoff = { full_jitter = { base = -1 } }",
            "client.backoff.full_jitter.base is -1, but must be a finite time of at least 0", "-1";
        "[client]\nbackoff = { full_jitter = { base = 1, cap = nan } }",
            "client.backoff.full_jitter.cap is NaN, but must be a finite time of at least 0", "nan";
    }
}

#[test]
fn budgets() {
    broken! {
        "[client]\nbudget = { ratio = { ratio = -0.1, bank = 1 } }",
            "client.budget.ratio.ratio is -0.1, but must be a finite number of at least 0", "-0.1";
        "[client]\nbudget = { ratio = { ratio = 0.1, bank = inf } }",
            "client.budget.ratio.bank is inf, but must be a finite number of at least 0", "inf";
        "[client]\nbudget = { refund = { capacity = -1, cost = 1, timeout_cost = 1, refund = 1 } }",
            "client.budget.refund.capacity is -1, but must be a finite number of at least 0", "-1";
        "[client]\nbudget = { refund = { capacity = 1, cost = -1, timeout_cost = 1, refund = 1 } }",
            "client.budget.refund.cost is -1, but must be a finite number of at least 0", "-1";
        "[client]\nbudget = { refund = { capacity = 1, cost = 1, timeout_cost = -1, refund = 1 } }",
            "client.budget.refund.timeout_cost is -1, but must be a finite number of at least 0", "-1";
        "[client]\nbudget = { refund = { capacity = 1, cost = 1, timeout_cost = 1, refund = -1 } }",
            "client.budget.refund.refund is -1, but must be a finite number of at least 0", "-1";
        "[client]\nbudget = { pool = { size = -1, rate = 1 } }",
            "client.budget.pool.size is -1, but must be a finite number of at least 0", "-1";
        "[client]\nbudget = { pool = { size = 25, rate = 0 } }",
            "client.budget.pool.rate is 0, but must be a finite rate above 0", "0";
        "[client]\nbudget = { pool = { size = 25, rate = 1, shared = 1 } }",
            "client.budget.pool.shared is 1, but must be a boolean", "1";
        "[client]\nbudget = { pool = { size = 25, rate = \"1/s\" } }",
            "client.budget.pool.rate is 1/s, but must be a number without a unit, because traffic.rate is one", "\"1/s\"";
    }
}

#[test]
fn retries_that_multiply() {
    broken! {
        "[server]\nplaces = 10\n[client]\nretries_per_failure = 1.0",
            "client.retries_per_failure is 1, but must be below 1 where an attempt that a full queue rejects is retried at \
             once, because the retries would never end at one and the same moment; set client.retry_rejected = false",
            "1.0";
        "[client]\nretries_per_failure = 1.5\ntimeout = 3",
            "client.retries_per_failure is 1.5, but must be at most 1 where nothing limits the attempts that fail at a time, \
             because their number would grow without bound; set server.places and client.retry_rejected = false, or \
             client.budget", "1.5";
    }
    broken! {
        "[client]\ntimeout = 3\nretries_per_failure = 1\n[[schedule]]\nat = 1\nretries_per_failure = 1.25",
            "schedule.0.retries_per_failure is 1.25, but must be at most 1 where nothing limits the attempts that fail at a \
             time, because their number would grow without bound; set server.places and client.retry_rejected = false, or \
             client.budget", "1.25";
        // A budget that ends sometime limits nothing then.
        "[client]\ntimeout = 3\nretries_per_failure = 2\nbudget = { pool = { size = 3, rate = 1 } }\n\
         [[schedule]]\nat = 1\nbudget = \"none\"",
            "client.retries_per_failure is 2, but must be at most 1 where nothing limits the attempts that fail at a \
             time, because their number would grow without bound; set server.places and client.retry_rejected = false, or \
             client.budget", "2";
    }
    const BOUNDED: &str = "[server]\nplaces = 10\n[client]\nretry_rejected = false\ntimeout = 3\n";
    const BUDGET: &str = "budget = { pool = { size = 3, rate = 1 } }\n";
    let is_valid = |text: &str| Scenario::from_toml(&format!("{WHOLE}{text}")).is_ok();
    for valid in [
        format!("{BOUNDED}retries_per_failure = 100"),
        format!("{BOUNDED}{BUDGET}retries_per_failure = 100"),
        format!("[server]\nplaces = 10\n[client]\nretries_per_failure = 2\n{BUDGET}"),
        "[server]\nplaces = 10\n[client]\nretries_per_failure = 0.99".to_owned(),
        "[server]\nplaces = 10\n[client]\nretries_per_failure = 1\nbackoff = { constant = { delay = 1 } }"
            .to_owned(),
        "[client]\ntimeout = 3\nretries_per_failure = 1".to_owned(),
        format!("[client]\ntimeout = 3\nretries_per_failure = 2\n{BUDGET}"),
        "[client]\nretries_per_failure = 2".to_owned(),
        "[server]\nplaces = 10\ndeadline_check = { skip_doomed = { service = 2 } }\n\
         [client]\nretry_rejected = false\ntimeout = 3\nretries_per_failure = 2"
            .to_owned(),
    ] {
        assert!(is_valid(&valid), "{valid}");
    }
    for invalid in [
        // Everything is doomed and skipped at once, or those that are impatient enough.
        "[server]\nplaces = 10\ndeadline_check = { skip_doomed = { service = 3 } }\n\
         [client]\nretry_rejected = false\ntimeout = 3\nretries_per_failure = 2",
        "[server]\nplaces = 10\ndeadline_check = { skip_doomed = { service = 2 } }\n\
         [client]\nretry_rejected = false\ntimeout = { exponential = { mean = 3 } }\nretries_per_failure = 2",
        // Tokens that cost nothing.
        "[client]\ntimeout = 3\nretries_per_failure = 2\n\
         budget = { refund = { capacity = 5, cost = 1, timeout_cost = 0, refund = 1 } }",
        "[server]\nplaces = 10\n[client]\nretries_per_failure = 2\nbackoff = { constant = { delay = 1 } }",
        "[server]\nplaces = 10\n[client]\nretries_per_failure = 1\nbackoff = { constant = { delay = 0 } }",
    ] {
        assert!(!is_valid(invalid), "{invalid}");
    }
}

#[test]
fn breakers() {
    broken! {
        "[client]\nbreaker = { window = 0, open = 30 }",
            "client.breaker.window is 0, but must be a finite time above 0", "0";
        "[client]\nbreaker = { window = 20, open = 30, failure_rate = 0 }",
            "client.breaker.failure_rate is 0, but must be a number above 0 and at most 1", "0";
        "[client]\nbreaker = { window = 20, open = 30, failure_rate = 1.01 }",
            "client.breaker.failure_rate is 1.01, but must be a number above 0 and at most 1", "1.01";
        "[client]\nbreaker = { window = 20, open = 30, minimum = 0 }",
            "client.breaker.minimum is 0, but must be a whole number from 1 to 1000000", "0";
        "[client]\nbreaker = { window = 20, open = inf }",
            "client.breaker.open is inf, but must be a finite time above 0", "inf";
        "[client]\nbreaker = { window = 20, open = 30, probes = 0 }",
            "client.breaker.probes is 0, but must be a whole number from 1 to 1000000", "0";
        "[client]\nbreaker = { window = 20, open = \"30s\" }",
            "client.breaker.open is 30s, but must be a number without a unit, because traffic.rate is one", "\"30s\"";
    }
}

#[test]
fn schedule() {
    broken! {
        "[[schedule]]\nat = -1\nstall = 1", "schedule.0.at is -1, but must be a finite time of at least 0", "-1";
        "[[schedule]]\nat = 1\nstall = 0", "schedule.0.stall is 0, but must be a finite time above 0", "0";
        "[[schedule]]\nat = 10\nstall = 5\n[[schedule]]\nat = 14.5\nstall = 1",
            "schedule.1.at is 14.5, but must be no earlier than 15, when the stall before it ends", "14.5";
        "[[schedule]]\nat = 10\nrate = 5\n[[schedule]]\nat = 9.5\ncapacity = 1",
            "schedule.1.at is 9.5, but must be no earlier than 10, because changes stand in the order of time", "9.5";
        "[[schedule]]\nat = 10\ncapacity = 0.3\nfor = 5\n[[schedule]]\nat = 12\nrate = 1\ncapacity = 0.5",
            "schedule.1.at is 12, but must be no earlier than 15, when capacity goes back to what it was", "12";
        "[[schedule]]\nat = 1\ncapacity = 0", "schedule.0.capacity is 0, but must be a finite number above 0", "0";
        "[[schedule]]\nat = 1\nrate = 0", "schedule.0.rate is 0, but must be a finite rate above 0", "0";
        "[[schedule]]\nat = 1\nerror_probability = -0.5",
            "schedule.0.error_probability is -0.5, but must be a number from 0 to 1", "-0.5";
        "[[schedule]]\nat = 1\nattempts = 0",
            "schedule.0.attempts is 0, but must be a whole number from 1 to 65535", "0";
        "[[schedule]]\nat = 1\nretry_probability = 1.5",
            "schedule.0.retry_probability is 1.5, but must be a number from 0 to 1", "1.5";
        "[client]\nretries_per_failure = 0\n[[schedule]]\nat = 1\nretries_per_failure = 101",
            "schedule.0.retries_per_failure is 101, but must be a number from 0 to 100", "101";
        "[[schedule]]\nat = 1\nretries_per_failure = 0.5",
            "schedule.0.retries_per_failure is 0.5, but must be absent where the client has no retries_per_failure to change",
            "0.5";
        "[client]\nretries_per_failure = 0\n[[schedule]]\nat = 1\nattempts = 3",
            "schedule.0.attempts is 3, but must be absent where the client has retries_per_failure", "3";
        "[client]\nretries_per_failure = 0\n[[schedule]]\nat = 1\nretry_probability = 0.5",
            "schedule.0.retry_probability is 0.5, but must be absent where the client has retries_per_failure", "0.5";
        "[[schedule]]\nat = 1\nbudget = { pool = { size = 1, rate = 0 } }",
            "schedule.0.budget.pool.rate is 0, but must be a finite rate above 0", "0";
        "[[schedule]]\nat = 1\ndiscipline = \"lifo\"\nfor = 2\n[[schedule]]\nat = 2.5\ndiscipline = \"fifo\"",
            "schedule.1.at is 2.5, but must be no earlier than 3, when discipline goes back to what it was", "2.5";
        "[[schedule]]\nat = 1\nrate = 2\nfor = 0", "schedule.0.for is 0, but must be a finite time above 0", "0";
        "[[schedule]]\nat = 1\nstall = 2\nfor = 3",
            "schedule.0.for is 3, but must be absent where no setting changes; a stall states its own length", "3";
        "[[schedule]]\nat = 1\nrate = 1e12\n[run]\nuntil = 1e5",
            "run.until is 100000, but must be short enough for at most 1e15 new requests at the highest rate", "1e5";
    }
}

#[test]
fn tiers() {
    broken! {
        "[[tiers]]\n[[tiers]]\nservice = { error_probability = 2 }",
            "tiers.1.service.error_probability is 2, but must be a number from 0 to 1", "2";
        "[[tiers]]\nclients = 0", "tiers.0.clients is 0, but must be a whole number from 1 to 1000000", "0";
        "[[tiers]]\nserver = { places = 1 }\nservice = { servers = 2 }",
            "tiers.0.server.places is 1, but must be at least the number of servers, which is 2", "1";
        "[[tiers]]\nclient = { timeout = \"1s\" }",
            "tiers.0.client.timeout is 1s, but must be a number without a unit, because traffic.rate is one", "\"1s\"";
        "[[tiers]]\n[[schedule]]\nat = 1\nstall = 1\ntier = 3",
            "schedule.0.tier is 3, but must be a whole number from 1, the outermost tier, to 2", "3";
        "[[tiers]]\n[[schedule]]\nat = 1\nrate = 1.5\ntier = 2",
            "schedule.0.rate is 1.5, but must be absent behind the outermost tier, at which new requests arrive", "1.5";
        "[[tiers]]\n[[schedule]]\nat = 1\nstall = 3\ntier = 2\n[[schedule]]\nat = 2\nstall = 1\ntier = 2",
            "schedule.1.at is 2, but must be no earlier than 4, when the stall before it ends", "2";
    }
}

#[test]
fn run() {
    broken! {
        "[run]\nuntil = 0", "run.until is 0, but must be a finite time above 0", "0";
        "[run]\nuntil = 1e300",
            "run.until is 1e300, but must be short enough for at most 1e15 new requests at the highest rate", "1e300";
        "[run]\nmeasure_from = -1", "run.measure_from is -1, but must be a finite time of at least 0", "-1";
        "[run]\nuntil = 10\nmeasure_from = 10.0",
            "run.measure_from is 10, but must be before the end of the run, which is 10", "10.0";
        "[run]\nmeasure_from = 100000",
            "run.measure_from is 100000, but must be before the end of the run, which is 100000", "100000";
        "[run]\nwindow = 0", "run.window is 0, but must be a finite time above 0", "0";
        "[run]\nuntil = 100\nwindow = 1e-5",
            "run.window is 0.00001, but must be at least a millionth of the run, which is 100 long", "1e-5";
        "[run]\nreplications = 0",
            "run.replications is 0, but must be a whole number from 1 to 100000000", "0";
        "[run]\nreplications = 100000001",
            "run.replications is 100000001, but must be a whole number from 1 to 100000000", "100000001";
        "[run]\ntail_times = [1, -2]", "run.tail_times.1 is -2, but must be a finite time of at least 0", "-2";
    }
}

#[test]
fn units_and_plain_numbers_do_not_mix() {
    broken! {
        "[client]\ntimeout = \"50ms\"",
            "client.timeout is 50ms, but must be a number without a unit, because traffic.rate is one", "\"50ms\"";
        "[client]\ntimeout = { exponential = { mean = \"50ms\" } }",
            "client.timeout.exponential.mean is 50ms, but must be a number without a unit, because traffic.rate is one",
            "\"50ms\"";
        "[traffic]\nrate = \"800/s\"\n[service]\ntime = { deterministic = { value = 3 } }",
            "service.time.deterministic.value is 3, but must be given with a unit, because traffic.rate is", "3";
        "[traffic]\nrate = \"800/s\"\n[service]\nservers = 3",
            "service.time.exponential.mean is 1, but must be given with a unit, because traffic.rate is",
            "[service]";
        "[[schedule]]\nat = 1\nstall = \"1s\"",
            "schedule.0.stall is 1s, but must be a number without a unit, because traffic.rate is one", "\"1s\"";
    }
}

#[test]
fn a_run_whose_default_length_overflows_is_refused() {
    let text = "[traffic]\nrate = 1e-300\n[service]\ntime = { deterministic = { value = 1e305 } }";
    let error = Scenario::from_toml(text).unwrap_err();
    assert_eq!(
        error.message(),
        "run.until is inf, but must be short enough for at most 1e15 new requests at the highest rate"
    );
}

#[test]
fn the_edges_of_every_range_are_accepted() {
    for text in [
        "[service]\nerror_probability = 0",
        "[service]\nerror_probability = 1",
        "[service]\ntime = { uniform = { low = 0, high = 2 } }",
        "[service]\nservers = 4\n[server]\nplaces = 4",
        "[service]\nservers = 4\nconcurrency = 2500000\nerror_correlation = 1",
        "[service]\nservers = 4\nconcurrency = 3\n[server]\nqueues = \"random\"\nplaces = 3",
        "[server]\ndiscipline = { adaptive_lifo = { threshold = 0 } }",
        "[client]\nattempts = 65535",
        "[client]\nretry_probability = 0",
        "[client]\nretries_per_failure = 0",
        "[client]\nretry_probability = 1",
        "[client]\nbackoff = { full_jitter = { base = 0, cap = 0 } }",
        "[client]\nbudget = { ratio = { ratio = 0, bank = 0 } }",
        "[client]\nbreaker = { window = 1, open = 1, failure_rate = 1, minimum = 1, probes = 1 }",
        "[[schedule]]\nat = 0\nstall = 5\n[[schedule]]\nat = 5\nstall = 1",
        "[[schedule]]\nat = 0\nstall = 5\n[[schedule]]\nat = 0\nrate = 2\nfor = 3\n[[schedule]]\nat = 3\nrate = 1",
        "[[tiers]]\n[[schedule]]\nat = 0\nstall = 5\n[[schedule]]\nat = 1\nstall = 1\ntier = 2",
        "[run]\nuntil = 100\nmeasure_from = 0\nwindow = 1e-4\nreplications = 1\ntail_times = [0]",
    ] {
        let text = format!("{WHOLE}{text}");
        assert!(Scenario::from_toml(&text).is_ok(), "{text}");
    }
}
