//! Random streams and samplers: everything in the simulator that draws a random number.

mod ahead;
mod distribution;
mod stream;
mod ziggurat;

pub(crate) use ahead::{ExponentialsAhead, ServiceAhead};
pub use distribution::{Bernoulli, ExponentialTicks, ServiceSampler};
pub use stream::{Purpose, Stream, Streams};
pub use ziggurat::{Exponential, Normal};
