//! One module per command.

mod advance;
pub(crate) mod assess;
mod assess_report;
pub(crate) mod completions;
pub(crate) mod compute;
mod compute_list;
pub(crate) mod figures;
pub(crate) mod init;
pub(crate) mod lockup;
mod lockup_report;
mod long_run;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod scenarios;
pub(crate) mod schema;
pub(crate) mod simulate;
mod simulate_report;
pub(crate) mod sweep;
mod sweep_export;
mod trace;
pub(crate) mod verify;
mod verify_calibrate;
mod verify_sabotage;
mod verify_table;
