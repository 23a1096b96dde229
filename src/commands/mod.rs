//! One module per command.

pub(crate) mod compute;
mod compute_list;
mod long_run;
pub(crate) mod scenarios;
pub(crate) mod simulate;
mod simulate_report;
mod trace;
pub(crate) mod verify;
mod verify_calibrate;
mod verify_sabotage;
mod verify_table;
