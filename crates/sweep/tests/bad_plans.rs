//! Plans that are none: each gets one sentence, about the right place where there is one.

#![allow(
    clippy::unwrap_used,
    reason = "what serves a test may panic as the test itself may"
)]

use retrylab_sweep::{Plan, PlanError, PlanText};

const SCENARIO: &str = "[scenario.traffic]\nrate = 0.5\n[scenario.client]\ntimeout = 10\n";
const AXIS: &str = "[[axis]]\nkey = \"client.attempts\"\nvalues = [1, 2]\n";

/// The sentence, and what it points at.
#[track_caller]
fn refused(text: &str) -> (String, String) {
    let error = match PlanText::parse(text) {
        Err(error) => error,
        Ok(read) => match Plan::new(&read, None, 1) {
            Err(PlanError::InPlan(error)) => error,
            other => panic!("{text}\n{other:?}"),
        },
    };
    let place = error.span().map(|span| text[span].to_owned());
    (error.message().to_owned(), place.unwrap_or_default())
}

#[track_caller]
fn assert_refused(text: &str, sentence: &str) {
    let (message, _) = refused(text);
    assert!(
        message.contains(sentence),
        "{text}\nsays: {message}\nnot: {sentence}"
    );
}

#[test]
fn a_plan_that_is_none_is_refused() {
    assert_refused("", "missing key scenario in a plan");
    assert_refused("\u{0}", "this is not TOML");
    assert_refused("scenario = 3", "scenario is 3, but must be the name of");
    assert_refused(
        &format!("axes = 1\n{SCENARIO}{AXIS}"),
        "unknown key \"axes\" in a plan; expected",
    );
    assert_refused(SCENARIO, "a plan needs at least one axis");
    assert_refused(
        &format!("axis = []\n{SCENARIO}"),
        "a plan needs at least one axis",
    );
}

#[test]
fn settings_out_of_range_are_refused() {
    for (line, sentence) in [
        (
            "replications = 0",
            "replications is 0, but must be a whole number from 1",
        ),
        ("replications = 1.5", "but must be a whole number"),
        ("replications = -1", "replications is -1, but must be"),
        ("precision = 0", "precision is 0, but must be between 0 and 1"),
        ("precision = nan", "precision is nan, but must be between 0 and 1"),
        (
            "precision = \"fine\"",
            "precision is \"fine\", but must be between 0 and 1",
        ),
        (
            "precision = 0.01\nreplications = 3",
            "both replications and a precision",
        ),
        ("confidence = 1.0", "confidence is 1, but must be between 0 and 1"),
        (
            "confidence = nan",
            "confidence is NaN, but must be between 0 and 1",
        ),
        ("measures = []", "measures is empty"),
        (
            "measures = [\"succes\"]",
            "there is no measure \"succes\"; expected",
        ),
    ] {
        assert_refused(&format!("{line}\n{SCENARIO}{AXIS}"), sentence);
    }
}

#[test]
fn axes_that_are_none_are_refused() {
    for (axis, sentence) in [
        ("values = [1]", "axis 1 lacks a key"),
        (
            "key = \"client.attempts\"",
            "axis 1 needs either values, or from, to and steps",
        ),
        ("key = \"client.attempts\"\nvalues = []", "axis 1 has no values"),
        (
            "key = \"client.attempts\"\nvalue = [1]",
            "unknown key \"value\" in axis.0",
        ),
        ("keys = []\nvalues = [1]", "axis 1 has an empty array of keys"),
        (
            "key = \"a\"\nkeys = [\"b\"]\nvalues = [1]",
            "axis 1 has both key and keys",
        ),
        (
            "key = \"client..attempts\"\nvalues = [1]",
            "\"client..attempts\" is not a key",
        ),
        (
            "keys = [\"client.attempts\", \"client.attempts\"]\nvalues = [[1, 2]]",
            "names the key client.attempts twice",
        ),
        (
            "keys = [\"client.attempts\", \"client.timeout\"]\nvalues = [[1]]",
            "axis 1 has 2 keys, but 1 values here",
        ),
        (
            "keys = [\"client.attempts\", \"client.timeout\"]\nvalues = [1]",
            "each of its values is an array of as many",
        ),
        (
            "keys = [\"client.attempts\", \"client.timeout\"]\nfrom = 1\nto = 2\nsteps = 2",
            "needs values and not a range",
        ),
        (
            "key = \"client.timeout\"\nvalues = [nan]",
            "axis 1 has the value nan, but numbers must be finite",
        ),
        (
            "key = \"client.timeout\"\nvalues = [1]\nfrom = 2",
            "both values and a range",
        ),
        (
            "key = \"client.timeout\"\nfrom = 1\nto = 2\nsteps = 1",
            "axis 1 has 1 step",
        ),
        (
            "key = \"client.timeout\"\nfrom = 1\nto = 1\nsteps = 2",
            "which is no range",
        ),
        (
            "key = \"client.timeout\"\nfrom = 1\nto = inf\nsteps = 2",
            "axis 1 has to = inf",
        ),
        (
            "key = \"client.timeout\"\nfrom = 1\nto = \"2s\"\nsteps = 2",
            "which are not of one kind",
        ),
        (
            "key = \"client.timeout\"\nfrom = 0\nto = 2\nsteps = 2\nscale = \"logarithmic\"",
            "a logarithmic range lies above 0",
        ),
        (
            "key = \"client.timeout\"\nfrom = 1\nto = 2\nsteps = 2\nscale = \"log\"",
            "unknown kind \"log\" of axis.0.scale",
        ),
        (
            "key = \"client.timeout\"\nfrom = 1\nto = 2\nsteps = 1000000",
            "at most 100000 points",
        ),
    ] {
        assert_refused(&format!("{SCENARIO}[[axis]]\n{axis}\n"), sentence);
    }
}

#[test]
fn grids_that_are_too_large_or_repeat_themselves_are_refused() {
    let range = |key: &str| format!("[[axis]]\nkey = \"{key}\"\nfrom = 1.0\nto = 2\nsteps = 400\n");
    let large = format!("{SCENARIO}{}{}", range("client.timeout"), range("traffic.rate"));
    assert_refused(
        &large,
        "the axes make 400 × 400 points, but a plan has at most 100000",
    );
    assert_refused(
        &format!("{SCENARIO}{AXIS}{AXIS}"),
        "axis 2 varies client.attempts, and so does axis 1",
    );
    let twice = AXIS.replace("[1, 2]", "[1, 2, 1]");
    assert_refused(&format!("{SCENARIO}{twice}"), "is the same as point 1 of 3");
    let many: String = (0..9).map(|_| AXIS).collect();
    assert_refused(
        &format!("{SCENARIO}{many}"),
        "the plan has 9 axes, but at most 8 are accepted",
    );
}

#[test]
fn a_point_that_is_not_valid_is_named_with_its_value_and_place() {
    let text = format!("{SCENARIO}{}", AXIS.replace("[1, 2]", "[1, 70000]"));
    let (message, place) = refused(&text);
    assert_eq!(
        message,
        "point 2 of 2 (client.attempts = 70000): client.attempts is 70000, but must be a whole number from 1 to 65535"
    );
    assert_eq!(place, "70000");
    let text = format!("{SCENARIO}{}", AXIS.replace("client.attempts", "client.atempts"));
    let (message, place) = refused(&text);
    assert!(
        message.starts_with("point 1 of 2 (client.atempts = 1): unknown key \"atempts\""),
        "{message}"
    );
    assert_eq!(place, "1");
}

#[test]
fn a_mistake_in_the_scenario_is_placed_in_the_plan() {
    let (message, place) = refused(&format!("{}{AXIS}", SCENARIO.replace("0.5", "-0.5")));
    assert_eq!(
        (message.as_str(), place.as_str()),
        ("traffic.rate is -0.5, but must be a finite rate above 0", "-0.5")
    );
    let read = PlanText::parse(&format!("scenario = \"other.toml\"\n{AXIS}")).unwrap();
    let error = Plan::new(&read, Some("[traffic]\nrat = 1\n"), 1).unwrap_err();
    assert!(
        matches!(&error, PlanError::InScenario(error) if error.span().is_some()),
        "{error:?}"
    );
}
