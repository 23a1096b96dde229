//! What theory says about retries and queues: closed forms and numerical solutions.
//!
//! Every quantity has a typed function or struct in a module of its own and an entry in [`QUANTITIES`], by which a
//! program can list it and evaluate it by name.

pub mod amplification;
pub mod budget_line;
pub mod busy_period;
pub mod capped;
pub mod ceiling;
pub mod correlated;
pub mod erlang;
pub mod erlang_a;
mod exponential;
pub mod fluid_blip;
pub mod fold;
pub mod lifo;
pub mod md1;
mod md1k;
pub mod mg1;
pub mod mm1;
pub mod mm1k;
pub mod mmc;
pub mod mmck;
mod numeric;
mod parameters;
pub mod patience;
mod poisson_probability;
mod poisson_sum;
pub mod policy;
mod quadrature;
pub mod quantity;
mod results;
pub mod retry_chain;
mod series;
mod slow_share;
pub mod stability;
pub mod stall_line;
mod station;
mod staying;
pub mod stuck_drain;
pub mod stuck_growth;
pub mod stuck_line;
pub mod stuck_retries;
pub mod tiers;
pub mod token_pool;
mod truncated_geometric;

pub use quantity::{ArgumentError, DomainError, Evaluation, Quantity, Value};
pub use stability::Unstable;

/// Every quantity that can be evaluated by name.
pub static QUANTITIES: &[&Quantity] = &[
    &amplification::AMPLIFICATION,
    &tiers::TIERS_IN_A_CHAIN,
    &ceiling::CEILING,
    &capped::CAPPED,
    &capped::CAPPED_SHARE,
    &correlated::CORRELATED,
    &policy::POLICY,
    &stuck_line::STUCK_LINE,
    &stuck_growth::STUCK_GROWTH,
    &stuck_drain::STUCK_DRAIN,
    &stall_line::STALL_LINE,
    &budget_line::BUDGET_LINE,
    &stuck_retries::STUCK_RETRIES,
    &token_pool::TOKEN_POOL,
    &fluid_blip::FLUID_BLIP,
    &fold::FOLD,
    &mm1::MM1,
    &mm1k::MM1K,
    &mmc::MMC,
    &mmck::MMCK,
    &erlang::ERLANG_B,
    &erlang::ERLANG_C,
    &mg1::MG1,
    &md1::MD1,
    &lifo::LIFO,
    &patience::PATIENCE_QUEUE,
    &erlang_a::ERLANG_A,
    &busy_period::BUSY_PERIOD,
    &retry_chain::RETRY_CHAIN,
];

/// The quantity called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Quantity> {
    QUANTITIES.iter().copied().find(|quantity| quantity.name == name)
}
