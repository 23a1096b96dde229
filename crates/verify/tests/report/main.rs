//! What the reports must show: every claim in every view, nothing that breaks out of its place, numbers that exist.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod html;
mod json;
mod markdown;
mod numbers;
mod pages;
mod robustness;
mod sample;
mod svg;
mod tags;
