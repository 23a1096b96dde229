//! What retrylab studies: traffic, service, server policy, client policy, a schedule of changes, and the scenario
//! that holds them together. Types, units, validation and TOML; no randomness and no formulas.

mod client;
mod run;
mod scenario;
mod schedule;
mod server;
mod service;
mod traffic;
mod unit;
mod validation;

pub use client::{ATTEMPTS_MAX, Backoff, Budget, Client};
pub use run::Run;
pub use scenario::{Scenario, ScenarioSpec};
pub use schedule::Change;
pub use server::{DeadlineCheck, Discipline, Server};
pub use service::{Service, ServiceTime};
pub use traffic::Traffic;
pub use unit::{Rate, Scale, Time, UnitError};
pub use validation::Invalid;
