//! What retrylab studies: traffic, service, server policy, client policy, a schedule of changes, and the scenario
//! that holds them together. Types, units, validation and TOML; no randomness and no formulas.

mod breaker;
mod budget;
pub mod builtin;
mod client;
mod decode;
mod decode_error;
mod decode_kind;
mod document;
mod loading;
mod multiplication;
mod node;
mod run;
mod scenario;
mod schedule;
mod server;
mod service;
mod setting;
mod text_error;
mod tier;
mod timeout;
mod traffic;
mod unit;
mod unit_text;
mod validation;
pub mod wording;
mod writing;

pub use breaker::Breaker;
pub use budget::Budget;
pub use client::{ATTEMPTS_MAX, Backoff, Client, RETRIES_PER_FAILURE_MAX};
pub use document::{Document, Subject};
pub use run::Run;
pub use scenario::{Scenario, ScenarioSpec};
pub use schedule::Change;
pub use server::{DeadlineCheck, Discipline, Queues, Server};
pub use service::{Service, ServiceTime};
pub use setting::Setting;
pub use text_error::TextError;
pub use tier::Tier;
pub use timeout::Timeout;
pub use traffic::Traffic;
pub use unit::{Rate, Scale, Time, UnitError};
pub use validation::{Invalid, Validator};
