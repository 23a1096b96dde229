//! Whether one service comes back from a bad minute, how long it stays up by itself, and what would help.
//!
//! A [`Service`] is what its engineers know about it. [`assess`] turns it into scenarios, runs them under common random numbers, and
//! says what it found in [`Sentence`]s, every number of which is an [`Evidence`] with its interval. Nothing is recommended that the
//! simulation did not show.
//!
//! ```
//! use retrylab_assess::{Service, assess};
//!
//! let service = Service::from_toml(r#"
//!     rate = "50/s"
//!     capacity = "100/s"
//!     timeout = "500ms"
//!     attempts = 4
//! "#, &[])?;
//! let assessment = assess(&service, 1, &mut |_| {})?;
//! // Four attempts at half of the capacity: twice of it while everything fails, which a stall sets off.
//! assert!(assessment.is_at_risk());
//! assert!(assessment.remedies[0].is_recommended);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aftermath;
mod assessment;
mod brink;
mod course;
mod down;
mod error;
mod evidence;
mod hazard;
mod incident;
mod latency;
mod lock_up;
mod markdown;
mod normal_day;
mod page;
mod plan;
mod reach;
mod remedies;
mod scenario;
mod sentence;
mod service;
mod today;
mod verdict;
mod worst_case;
mod written_rate;

pub use aftermath::Moment;
pub use assessment::{Assessment, Section, Step, assess};
pub use brink::{Brink, Tried};
pub use course::Course;
pub use error::AssessError;
pub use evidence::{Evidence, Source, Unit};
pub use hazard::{Hazard, Kind as HazardKind};
pub use incident::{Incident, IncidentSpec};
pub use latency::Latency;
pub use lock_up::LockUpTime;
pub use markdown::{drawings, markdown};
pub use page::page;
pub use plan::CONFIDENCE;
pub use remedies::{Comparison, Kind as RemedyKind, Remedy};
pub use sentence::Sentence;
pub use service::{Caller, Service, ServiceSpec, service_schema};
pub use written_rate::WrittenRate;

/// A commented description of a service to start from.
pub const TEMPLATE: &str = include_str!("../service.toml");
