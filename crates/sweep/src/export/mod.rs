//! Results in forms that other programs read.

mod chart;
mod csv;
mod json;
mod parquet;
mod table;

pub use self::chart::{Drawing, MAIN_MEASURES, drawings};
pub use self::csv::csv;
pub use self::json::json;
pub use self::parquet::parquet;
