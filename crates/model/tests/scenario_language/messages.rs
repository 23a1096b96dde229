//! What is said about names, types and syntax, and where it points.

use retrylab_model::Scenario;

/// Texts with their messages and the part that each points at.
#[track_caller]
fn assert_messages(cases: &[(&str, &str, &str)]) {
    for (text, message, pointed_at) in cases {
        let error = Scenario::from_toml(text).expect_err(text);
        assert_eq!(error.message(), *message, "{text}");
        assert_eq!(error.to_string(), *message, "{text}");
        let span = error.span().expect(text);
        assert_eq!(&text[span], *pointed_at, "{text}");
    }
}

#[test]
fn unknown_keys() {
    assert_messages(&[
        (
            "[traffic]\nrate = 1\n[client]\ntiemout = 5",
            "unknown key \"tiemout\" in [client]; expected timeout, attempts, retry_probability, \
             retries_per_failure, retry_rejected, backoff, budget or breaker (did you mean timeout?)",
            "tiemout",
        ),
        (
            "[trafic]\nrate = 1",
            "unknown key \"trafic\" in a scenario; expected name, source, traffic, service, server, client, tiers, \
             schedule or run (did you mean traffic?)",
            "trafic",
        ),
        (
            "[traffic]\nrate = 1\n[client]\nbackoff = { full_jitter = { bass = 1 } }",
            "unknown key \"bass\" in client.backoff.full_jitter; expected base or cap (did you mean base?)",
            "bass",
        ),
        (
            "[traffic]\nrate = 1\n[[schedule]]\nat = 1\nstall = 1\n[[schedule]]\nat = 3\nstall = 1\ncolour = 1",
            "unknown key \"colour\" in schedule.1; expected at, tier, stall, capacity, rate, error_probability, attempts, \
             retry_probability, retries_per_failure, discipline, budget or for",
            "colour",
        ),
        (
            "[traffic]\nrate = 1\n\"a\\nb\" = 1",
            "unknown key \"a\\nb\" in [traffic]; expected rate or clients",
            "\"a\\nb\"",
        ),
    ]);
}

#[test]
fn missing_keys() {
    assert_messages(&[
        (
            "[traffic]\nclients = 1\n[run]\n",
            "missing key rate in [traffic]",
            "[traffic]",
        ),
        (
            "[traffic]\nrate = 1\n[service]\ntime = { erlang = { mean = 1 } }",
            "missing key stages in service.time.erlang",
            "{ mean = 1 }",
        ),
        (
            "[traffic]\nrate = 1\n[[schedule]]\nat = 3",
            "schedule.0 is no change at all, but must be one or more of stall, capacity, rate, error_probability, \
             attempts, \
             retry_probability, retries_per_failure, discipline and budget",
            "[[schedule]]",
        ),
    ]);
    for text in ["", "# nothing\n", "name = \"a\"\n"] {
        let error = Scenario::from_toml(text).unwrap_err();
        assert_eq!(error.message(), "missing table [traffic]");
    }
}

#[test]
fn kinds() {
    let kinds =
        "expected exponential, deterministic, erlang, hyperexponential, uniform, lognormal or measured";
    assert_messages(&[
        (
            "[traffic]\nrate = 1\n[service]\ntime = { expnential = { mean = 1 } }",
            &format!("unknown kind \"expnential\" of service.time; {kinds} (did you mean exponential?)"),
            "{ expnential = { mean = 1 } }",
        ),
        (
            "[traffic]\nrate = 1\n[service]\ntime = { erlang = { mean = 1, stages = 1 }, uniform = { low = 1 } }",
            "service.time is both \"erlang\" and \"uniform\"; give one of them",
            "uniform",
        ),
        (
            "[traffic]\nrate = 1\n[service]\ntime = \"erlang\"",
            "service.time \"erlang\" needs stages, mean, as in service.time = { erlang = { … } }",
            "\"erlang\"",
        ),
        (
            "[traffic]\nrate = 1\n[server]\ndiscipline = \"fiffo\"",
            "unknown kind \"fiffo\" of server.discipline; expected fifo, lifo, random or adaptive_lifo (did you mean \
             fifo?)",
            "\"fiffo\"",
        ),
        (
            "[traffic]\nrate = 1\n[server]\ndiscipline = { lifo = {} }",
            "server.discipline \"lifo\" takes no keys; write it as a text, \"lifo\"",
            "{ lifo = {} }",
        ),
        (
            "[traffic]\nrate = 1\n[client]\ntimeout = { exponetial = { mean = 1 } }",
            "unknown kind \"exponetial\" of client.timeout; expected exponential (did you mean exponential?)",
            "{ exponetial = { mean = 1 } }",
        ),
        (
            "[traffic]\nrate = 1\n[client]\ntimeout = { exponential = { mean = 1, rate = 1 } }",
            "unknown key \"rate\" in client.timeout.exponential; expected mean",
            "rate",
        ),
        (
            "[traffic]\nrate = 1\n[client]\ntimeout = { exponential = {} }",
            "missing key mean in client.timeout.exponential",
            "{}",
        ),
        (
            "[traffic]\nrate = 1\n[client]\nbackoff = {}",
            "client.backoff is an empty table; expected none, constant or full_jitter",
            "{}",
        ),
        (
            "[traffic]\nrate = 1\n[client]\nbudget = 5",
            "client.budget is 5, but must be one of the kinds none, ratio, refund or pool",
            "5",
        ),
        (
            "[traffic]\nrate = 1\n[server]\ndeadline_check = \"skip_expired\"",
            "unknown kind \"skip_expired\" of server.deadline_check; expected none, skip-expired or skip_doomed (did \
             you mean skip-expired?)",
            "\"skip_expired\"",
        ),
    ]);
}

#[test]
fn types() {
    let time = "a time; write a number or a string such as \"120ms\" (ns, us, ms, s, min, h, d)";
    let timeout =
        "a time, such as 50 or \"120ms\" (ns, us, ms, s, min, h, d), or { exponential = { mean = … } }";
    let rate = "a rate; write a number or a string such as \"800/s\" (per ns, us, ms, s, min, h, d)";
    assert_messages(&[
        ("traffic = 5", "traffic is 5, but must be a table", "5"),
        (
            "[traffic]\nrate = true",
            &format!("traffic.rate is true, but must be {rate}"),
            "true",
        ),
        (
            "[traffic]\nrate = \"5ms\"",
            &format!("traffic.rate is \"5ms\", but must be {rate}"),
            "\"5ms\"",
        ),
        (
            "[traffic]\nrate = 1\n[client]\ntimeout = 2024-01-01",
            &format!("client.timeout is the date 2024-01-01, but must be {timeout}"),
            "2024-01-01",
        ),
        (
            "[traffic]\nrate = 1\n[client]\ntimeout = [1]",
            &format!("client.timeout is an array, but must be {timeout}"),
            "[1]",
        ),
        (
            "[traffic]\nrate = 1\n[client]\ntimeout = \"exponential\"",
            &format!("client.timeout is \"exponential\", but must be {timeout}"),
            "\"exponential\"",
        ),
        (
            "[traffic]\nrate = 1\n[client]\nbackoff = { constant = { delay = { mean = 1 } } }",
            &format!("client.backoff.constant.delay is a table, but must be {time}"),
            "{ mean = 1 }",
        ),
        (
            "[traffic]\nrate = 1\n[client]\nattempts = 3.0",
            "client.attempts is written as a decimal number, 3, but must be a whole number, without a point or an exponent",
            "3.0",
        ),
        (
            "[traffic]\nrate = 1\n[client]\nattempts = -3",
            "client.attempts is -3, but must be a whole number of at least 1",
            "-3",
        ),
        (
            "[traffic]\nrate = 1\n[server]\ndiscipline = { adaptive_lifo = { threshold = -1 } }",
            "server.discipline.adaptive_lifo.threshold is -1, but must be a whole number of at least 0",
            "-1",
        ),
        (
            "[traffic]\nrate = 1\n[client]\nattempts = 4294967296",
            "client.attempts is 4294967296, but must be a whole number of at most 4294967295",
            "4294967296",
        ),
        (
            "[traffic]\nrate = 1\n[client]\nattempts = \"3\"",
            "client.attempts is \"3\", but must be a whole number",
            "\"3\"",
        ),
        (
            "[traffic]\nrate = 1\n[service]\nerror_probability = \"1%\"",
            "service.error_probability is \"1%\", but must be a number",
            "\"1%\"",
        ),
        (
            "name = 5\n[traffic]\nrate = 1",
            "name is 5, but must be a text in quotes",
            "5",
        ),
        (
            "[traffic]\nrate = 1\n[run]\ntail_times = 5",
            "run.tail_times is 5, but must be an array",
            "5",
        ),
        (
            "schedule = [5]\n[traffic]\nrate = 1",
            "schedule.0 is 5, but must be a table",
            "5",
        ),
        (
            "schedule = { at = 5 }\n[traffic]\nrate = 1",
            "schedule is a table, but must be an array",
            "{ at = 5 }",
        ),
    ]);
}

#[test]
fn syntax() {
    for (text, pointed_at) in [
        ("[traffic]\nrate = 1\nrate = 2\n", "rate"),
        ("[traffic]\nrate = \n", ""),
        ("[traffic\n", ""),
    ] {
        let error = Scenario::from_toml(text).unwrap_err();
        assert!(error.message().starts_with("this is not TOML: "), "{error}");
        assert!(!error.message().contains('\n'), "{error}");
        assert_eq!(&text[error.span().unwrap()], pointed_at, "{error}");
    }
}

#[test]
fn integers_of_any_length_are_numbers() {
    let text = |value: &str| format!("[traffic]\nrate = 1\n[client]\ntimeout = {value}");
    for (written, value) in [
        ("9223372036854775807", 9.223_372_036_854_776e18),
        ("9223372036854775808", 9.223_372_036_854_776e18),
        ("1000000000000000000000000000000000000000000", 1e42),
        ("0x10", 16.0),
    ] {
        let scenario = Scenario::from_toml(&text(written)).unwrap();
        let timeout = scenario.client.timeout.unwrap().mean();
        assert_eq!(timeout.to_bits(), f64::to_bits(value), "{written}");
    }
}
