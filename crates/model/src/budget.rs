//! What limits the retries of client instances.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Rate;
use crate::validation::{Invalid, Validator};

/// What costs less than this share of a token is as good as free.
const COST_MIN: f64 = 1e-6;

/// What limits the retries of one client instance, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Budget {
    /// Nothing.
    #[default]
    None,
    /// Empty at first. A new request earns `ratio` tokens, up to `bank` are kept, and every retry takes one.
    Ratio {
        /// Tokens per new request.
        ratio: f64,
        /// Most tokens that can be saved.
        bank: f64,
        /// Whether all clients save in one bank.
        #[serde(default)]
        shared: bool,
    },
    /// Starts full; a retry spends tokens and a success gives some back.
    Refund {
        /// Tokens at the start and at most.
        capacity: f64,
        /// Tokens for a retry after an error or a rejection.
        cost: f64,
        /// Tokens for a retry after a timeout.
        timeout_cost: f64,
        /// Tokens that a success gives back.
        refund: f64,
        /// Whether all clients spend from one balance.
        #[serde(default)]
        shared: bool,
    },
    /// Starts full; a retry takes a token, and a success puts in what the rate has earned since the last success or, before
    /// the first, since the start.
    Pool {
        /// Tokens at the start and at most.
        size: f64,
        /// Tokens earned per unit of time.
        rate: Rate,
        /// Whether all clients take from one pool.
        #[serde(default)]
        shared: bool,
    },
}

impl Budget {
    /// Whether each client instance has tokens of its own.
    ///
    /// ```
    /// use retrylab_model::Budget;
    /// let pool = |shared| Budget::Pool { size: 25.0, rate: 1.0.into(), shared };
    /// assert!(pool(false).is_per_client() && !pool(true).is_per_client() && !Budget::None.is_per_client());
    /// ```
    #[must_use]
    pub fn is_per_client(&self) -> bool {
        match self {
            Self::None => false,
            Self::Ratio { shared, .. } | Self::Refund { shared, .. } | Self::Pool { shared, .. } => !shared,
        }
    }

    /// Checks the values of a budget at a path of the scenario.
    pub(crate) fn check(&self, path: &str, validator: &mut Validator) -> Result<(), Invalid> {
        let non_negative = |key: &str, value| Validator::non_negative(&format!("{path}.{key}"), value);
        match *self {
            Self::None => Ok(()),
            Self::Ratio { ratio, bank, .. } => {
                non_negative("ratio.ratio", ratio)?;
                non_negative("ratio.bank", bank)
            }
            Self::Refund {
                capacity,
                cost,
                timeout_cost,
                refund,
                ..
            } => {
                non_negative("refund.capacity", capacity)?;
                non_negative("refund.cost", cost)?;
                non_negative("refund.timeout_cost", timeout_cost)?;
                non_negative("refund.refund", refund)
            }
            Self::Pool { size, rate, .. } => {
                non_negative("pool.size", size)?;
                validator.positive_rate(&format!("{path}.pool.rate"), rate)
            }
        }
    }

    /// Whether retries run out of tokens when nothing succeeds, or earn them no faster than requests come.
    pub(crate) fn limits_retries(&self) -> bool {
        match *self {
            Self::None => false,
            Self::Ratio { .. } | Self::Pool { .. } => true,
            Self::Refund {
                cost, timeout_cost, ..
            } => cost.min(timeout_cost) >= COST_MIN,
        }
    }
}
