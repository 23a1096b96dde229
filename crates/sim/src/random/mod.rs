//! Random streams and samplers: everything in the simulator that draws a random number.

mod distribution;
mod stream;
mod ziggurat;

pub use distribution::{Bernoulli, ExponentialTicks, ServiceSampler};
pub use stream::{Purpose, Stream, Streams};
pub use ziggurat::{Exponential, Normal};
