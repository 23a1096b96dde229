//! What theory says about retries and queues: closed forms and numerical solutions.
//!
//! Every quantity has a typed function or struct in a module of its own and an entry in [`QUANTITIES`], by which a
//! program can list it and evaluate it by name.

mod numeric;
mod parameters;
pub mod quantity;
pub mod stability;

pub use quantity::{ArgumentError, DomainError, Evaluation, Quantity, Value};
pub use stability::Unstable;

/// Every quantity that can be evaluated by name.
pub static QUANTITIES: &[&Quantity] = &[];

/// The quantity called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Quantity> {
    QUANTITIES.iter().copied().find(|quantity| quantity.name == name)
}
