//! Settings on top of a scenario.

use retrylab_model::{Backoff, Budget, DeadlineCheck, Discipline, Scenario, ServiceTime, Setting, Timeout};

const PLAIN: &str = "[traffic]\nrate = 0.6\n[client]\ntimeout = 50\n[[schedule]]\nat = 10\nstall = 5\n";

fn plain() -> Scenario {
    Scenario::from_toml(PLAIN).unwrap()
}

fn settings(texts: &[&str]) -> Vec<Setting> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn refusal(key: &str, value: &str) -> String {
    let error = plain().with_setting(key, value).unwrap_err();
    assert!(error.span().is_none(), "{error}");
    error.to_string()
}

#[test]
fn values_of_every_kind_can_be_set() {
    let scenario = plain()
        .with_settings(&settings(&[
            "name=a b",
            "traffic.rate=0.5",
            "service.servers = 2",
            "service.time={ erlang = { stages = 2, mean = 1 } }",
            "server.discipline=lifo",
            "server.places=10",
            "server.deadline_check=skip-expired",
            "client.timeout.exponential.mean=50",
            "client.retry_probability=0.7",
            "client.backoff.full_jitter.base=1",
            "client.budget={ ratio = { ratio = 0.1, bank = 10 } }",
            "schedule.0.at=20",
            "run.tail_times=[1, 2]",
        ]))
        .unwrap();
    assert_eq!(scenario.name, "a b");
    assert_eq!(scenario.traffic.rate.value().to_bits(), 0.5_f64.to_bits());
    assert_eq!(scenario.service.servers, 2);
    assert!(matches!(
        scenario.service.time,
        ServiceTime::Erlang { stages: 2, .. }
    ));
    assert_eq!(scenario.server.discipline, Discipline::Lifo);
    assert_eq!(scenario.server.places, Some(10));
    assert_eq!(scenario.server.deadline_check, DeadlineCheck::SkipExpired);
    let mean = 50.0.into();
    assert_eq!(scenario.client.timeout, Some(Timeout::Exponential { mean }));
    assert_eq!(scenario.client.retry_probability.to_bits(), 0.7_f64.to_bits());
    assert!(matches!(
        scenario.client.backoff,
        Backoff::FullJitter { cap: None, .. }
    ));
    assert!(matches!(scenario.client.budget, Budget::Ratio { .. }));
    assert_eq!(scenario.schedule[0].at, 20.0.into());
    assert_eq!(scenario.run.tail_times, [1.0.into(), 2.0.into()]);
}

#[test]
fn units_need_no_quotes() {
    let scenario = Scenario::from_toml(
        "[traffic]\nrate = \"800/s\"\n[service]\ntime = {exponential = {mean = \"1ms\"}}\n",
    )
    .unwrap()
    .with_settings(&settings(&["client.timeout=120ms", "traffic.rate=100/s"]))
    .unwrap();
    assert_eq!(scenario.client.timeout.unwrap().to_string(), "120ms");
    assert_eq!(scenario.traffic.rate.to_string(), "100/s");
}

#[test]
fn only_the_result_has_to_be_valid() {
    let together = settings(&[
        "traffic.rate=800/s",
        "service.time.exponential.mean=1ms",
        "schedule=[]",
        "client={}",
    ]);
    assert!(plain().with_settings(&together).is_ok());
    let without_rate = Scenario::from_toml_with("[client]\nattempts = 3\n", &settings(&["traffic.rate=0.5"]));
    assert_eq!(without_rate.unwrap().client.attempts, 3);
}

#[test]
fn entries_can_be_added_to_arrays() {
    let scenario = plain()
        .with_settings(&settings(&[
            "schedule.1.at=30",
            "schedule.1.stall=1",
            "run.tail_times.0=4",
        ]))
        .unwrap();
    assert_eq!(scenario.schedule.len(), 2);
    assert_eq!(scenario.run.tail_times, [4.0.into()]);
}

#[test]
fn an_empty_value_takes_a_key_away() {
    let scenario = plain().with_setting("client.timeout", "").unwrap();
    assert_eq!(scenario.client.timeout, None);
    assert!(refusal("client.tiemout", "").contains("unknown key \"tiemout\""));
    assert_eq!(
        refusal("traffic.rate", ""),
        "in the setting traffic.rate=: missing key rate in [traffic]"
    );
    assert!(refusal("schedule.0", "").ends_with("schedule.0 cannot be taken away; set the whole array"));
}

#[test]
fn errors_name_the_setting() {
    for (key, value, message) in [
        (
            "client.tiemout",
            "5",
            "in the setting client.tiemout=5: unknown key \"tiemout\" in [client]; expected timeout, attempts, \
             retry_probability, retries_per_failure, retry_rejected, backoff, budget or breaker (did you mean timeout?)",
        ),
        (
            "client.timeout",
            "0",
            "in the setting client.timeout=0: client.timeout is 0, but must be a finite time above 0",
        ),
        (
            "client.timeout",
            "120ms",
            "in the setting client.timeout=120ms: client.timeout is 120ms, but must be a number without a unit, \
             because traffic.rate is one",
        ),
        (
            "service.error_probability",
            "nan",
            "in the setting service.error_probability=nan: service.error_probability is NaN, but must be a number \
             from 0 to 1",
        ),
        (
            "schedule.2.at",
            "5",
            "in the setting schedule.2.at=5: \"2\" is not an entry of the array; expected an index up to 0, or 1 to \
             add one",
        ),
        (
            "schedule.at",
            "5",
            "in the setting schedule.at=5: \"at\" is not an entry of the array; expected an index up to 0, or 1 to \
             add one",
        ),
        (
            "traffic.rate.x",
            "5",
            "in the setting traffic.rate.x=5: traffic.rate is a table, but must be a rate; write a number or a string \
             such as \"800/s\" (per ns, us, ms, s, min, h, d)",
        ),
        (
            "service.time.erlang.mean",
            "5",
            "in the setting service.time.erlang.mean=5: service.time is both \"exponential\" and \"erlang\"; give one \
             of them",
        ),
        (
            "client.backoff",
            "jitter",
            "in the setting client.backoff=jitter: unknown kind \"jitter\" of client.backoff; expected none, constant \
             or full_jitter",
        ),
    ] {
        assert_eq!(refusal(key, value), message);
    }
}

#[test]
fn an_error_elsewhere_points_into_the_text() {
    let text = "[traffic]\nrate = 0.6\n[run]\nmeasure_from = 100\n";
    let error = Scenario::from_toml_with(text, &settings(&["run.until=50"])).unwrap_err();
    assert_eq!(&text[error.span().unwrap()], "100");
    assert!(error.setting().is_none());
}

#[test]
fn what_is_no_setting_is_refused() {
    for (text, start) in [
        (
            "client.timeout",
            "\"client.timeout\" is not a setting; write key=value",
        ),
        ("", "\"\" is not a setting; write key=value"),
        ("=5", "\"\" is not a key; write names joined by points"),
        ("a..b=5", "\"a..b\" is not a key; write names joined by points"),
        ("a b=5", "\"a b\" is not a key; write names joined by points"),
    ] {
        let error = text.parse::<Setting>().unwrap_err();
        assert!(error.to_string().starts_with(start), "{error}");
    }
}
