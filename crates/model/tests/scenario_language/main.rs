//! The scenario language: what it accepts, what it says about everything else, and that writing and reading agree.

#![allow(
    clippy::unwrap_used,
    reason = "what serves a test may panic as the test itself may"
)]

mod messages;
mod robustness;
mod round_trip;
mod schema;
mod settings;
mod strategies;
mod validation_rules;
