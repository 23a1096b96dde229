//! Cross-checks that no document asks for: random scenarios, compared with every closed form that applies, with
//! conservation laws and with monotonicities.
//!
//! # What can fail
//! - **Exact** tests hold on every path, to the last tick and for whatever random numbers: a failure is a bug.
//! - **Statistical** tests share one rate of false alarms, [`error_budget::FALSE_ALARM_RATE`], for one run of all of
//!   them with fresh seeds. Each number is compared by equivalence ([`rule`]): sampling goes on until the number is shown
//!   to lie within its margin of the closed form, or not to be the closed form. There is no third outcome, and no test
//!   passes because its sample is small.
//!
//! # What would be noticed
//! A closed form (or a simulator) that is off by more than the margin of a number is accepted with a probability of at most
//! that number's share of the error rate. The margin is 2 % for means, and for shares 1 % of the smaller of the share and its
//! complement; [`number`] has the rest. So that this is no mere promise, every comparison with a closed form also judges, on
//! the same sample, the closed form with its rates (or the probability of failure, or the ratio of a budget), one after
//! another, 3 % too large and 3 % too small, and fails unless each of these is rejected. [`shrinking`] plants errors of other
//! kinds.
//!
//! The intervals behind this are asymptotic; how often they miss, for regenerative cycles too, is measured in
//! `tests/statistics`. Exact tests that compare two paths demand that the paths differ in a good part of the scenarios.
//!
//! # When one fails
//! The scenario shrinks to the simplest that still fails, and is printed as TOML with the command that repeats it.
//!
//! # The long version
//! Every statistical test has a twin with fifteen times as many scenarios and loads closer to saturation:
//!
//!     cargo test --release -p retrylab-verify --test cross_checks -- --ignored --nocapture
//!
//! Other scenarios, in either version, with `PROPTEST_RNG_SEED=2` before the command.

// A panic is how a test fails, wherever it is raised.
#![allow(clippy::unwrap_used)]

mod busy_period;
mod comparison;
mod computed;
mod conservation;
mod cycles;
mod draw;
mod error_budget;
mod feedback;
mod impatience;
mod last_in_first_out;
mod limited_places;
mod monotone_means;
mod monotone_paths;
mod number;
mod one_server;
mod poisson_arrivals;
mod retries;
mod rule;
mod runner;
mod several_servers;
mod shrinking;
mod simplify;
mod stuck;
mod whole_language;
