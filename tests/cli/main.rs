//! The program as its users and their scripts meet it: what it prints where, exit statuses, and what it says about
//! mistakes.

#![allow(
    clippy::unwrap_used,
    reason = "what serves a test may panic as the test itself may"
)]

mod assess;
mod bad_scenarios;
mod compute;
mod documented;
mod figures;
mod general;
mod habits;
#[cfg(unix)]
mod interrupt;
mod lockup;
mod measured;
mod program;
mod scenarios;
mod simulate;
mod sweep;
mod sweep_points;
mod verify;
