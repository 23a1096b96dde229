//! A circuit breaker between clients and the server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Time;
use crate::validation::{Invalid, Validator};

/// A circuit breaker: clients that see too many attempts fail send none for some time, then try with a few.
///
/// *Closed*, it lets every attempt pass and watches the outcomes of the last `window` of time. With at least `minimum` of them
/// and a share of failures of at least `failure_rate` it opens. *Open*, it keeps every attempt from being sent, first attempts
/// too, and the request is lost at once. After `open` of time it is *half open*: `probes` attempts pass and the others are
/// kept as before; as soon as one fails it opens again, and when so many have succeeded it closes with an empty window.
///
/// ```
/// use retrylab_model::{Breaker, Scenario};
/// let text = "[traffic]\nrate = 0.6\n[client]\nbreaker = { window = 20, open = 30 }\n";
/// let breaker = Breaker { failure_rate: 0.5, minimum: 10, probes: 3, shared: false, ..Breaker::new(20.0, 30.0) };
/// assert_eq!(Scenario::from_toml(text)?.client.breaker, Some(breaker));
/// # Ok::<(), retrylab_model::TextError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Breaker {
    /// For how long an outcome counts.
    pub window: Time,
    /// Share of failures among the outcomes from which on the breaker opens.
    #[serde(default = "half")]
    pub failure_rate: f64,
    /// Fewest outcomes that the breaker opens on.
    #[serde(default = "ten")]
    pub minimum: u32,
    /// How long the breaker stays open.
    pub open: Time,
    /// Attempts that a half-open breaker lets pass; when so many succeed it closes.
    #[serde(default = "three")]
    pub probes: u32,
    /// Whether all clients have one breaker.
    #[serde(default)]
    pub shared: bool,
}

fn half() -> f64 {
    0.5
}

fn ten() -> u32 {
    10
}

fn three() -> u32 {
    3
}

impl Breaker {
    /// A breaker with the given times and defaults everywhere else.
    #[must_use]
    pub fn new(window: impl Into<Time>, open: impl Into<Time>) -> Self {
        Self {
            window: window.into(),
            failure_rate: half(),
            minimum: ten(),
            open: open.into(),
            probes: three(),
            shared: false,
        }
    }

    pub(crate) fn check(&self, validator: &mut Validator) -> Result<(), Invalid> {
        validator.positive_time("client.breaker.window", self.window)?;
        Validator::number(
            "client.breaker.failure_rate",
            self.failure_rate,
            |value| value > 0.0 && value <= 1.0,
            "a number above 0 and at most 1",
        )?;
        Validator::count("client.breaker.minimum", self.minimum, 1..=1_000_000)?;
        validator.positive_time("client.breaker.open", self.open)?;
        Validator::count("client.breaker.probes", self.probes, 1..=1_000_000)
    }
}
