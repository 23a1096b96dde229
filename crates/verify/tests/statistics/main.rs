//! The statistics measured: coverage of every interval, total error of the sequential design, size and power
//! of the equivalence decision; each harness also has a planted error that it must catch.
//!
//! Every check is a count of misses among `repetitions` independent samples with a fixed seed, judged by the
//! exact binomial interval at error rate 10⁻⁴: about one false alarm in a hundred choices of all the seeds.

// A panic is how a test fails, wherever it is raised.
#![allow(clippy::unwrap_used)]

mod coverage;
mod decisions;
mod dependent;
mod sample;
mod values;
