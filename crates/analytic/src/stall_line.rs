//! What a stall and a run of finite length make of the stuck line.

use libm::{floor, sqrt};

use crate::Value;
use crate::capped::RATIO;
use crate::ceiling::CAPACITY;
use crate::fluid_blip::TIMEOUT;
use crate::quantity::{Domain, DomainError, Parameter, Quantity, Requirement};
use crate::stuck_line::ATTEMPTS;

/// Length of the stall.
const STALL: Parameter = Parameter {
    name: "stall",
    meaning: "how long nothing is served",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// Time for the recovery.
const RUN: Parameter = Parameter {
    name: "run",
    meaning: "time from the end of the stall within which answers must come in time again",
    domain: Domain::Positive,
    requirement: Requirement::Required,
};

/// Budget, if there is one.
const RATIO_IF_ANY: Parameter = Parameter {
    requirement: Requirement::Optional,
    meaning: "retry tokens earned per first attempt, none saved; absent: no budget",
    ..RATIO
};

/// Tokens in the banks of all clients.
const SAVED_IF_ANY: Parameter = Parameter {
    name: "saved",
    meaning: "retry tokens in the banks of all clients when the stall begins, on top of the ratio; absent: none",
    domain: Domain::NonNegative,
    requirement: Requirement::Optional,
};

/// The stall or the run ends before the retries have reached their full rate, or before what was saved is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the stall or the run is too short for the retries to reach their full rate and to spend what was saved"
)]
pub struct TooShort;

impl From<Result<f64, TooShort>> for Value {
    fn from(result: Result<f64, TooShort>) -> Self {
        match result {
            Ok(number) => Self::Number(number),
            Err(reason) => Self::Absent(reason.to_string()),
        }
    }
}

/// The largest load from which a server recovers within a run of length H after a stall of length S.
///
/// As a fluid (see [`FluidBlip`](crate::fluid_blip::FluidBlip)): from the first timeout on all attempts fail, and each
/// timeout T adds another attempt per request, up to m = min(k, 1 + b) in all for k attempts and a budget of b tokens per
/// request. Until t, λ(mt − L) attempts are sent, with L = T Σᵢ i·min(1, b − i + 1) over the retries i = 1, 2, … that the
/// budget has tokens for: L = Tk(k − 1)/2 without a budget, and bT for b ≤ 1. Answers come in time again at S + H if what
/// was sent until S + H − T is served by then:
///
/// load = (H − s/μ)/(m(S + H − T) − L),
///
/// new requests over the capacity μ, where s tokens were saved before the stall. It is below 1/m, the stuck line, and tends to it as H grows. Chance blurs the line:
/// with Poisson requests, each with m attempts, and exponential services the numbers sent and served have the variances
/// m²λ(S + H − T) and μH, and the load at which they balance a standard deviation of
///
/// √(m²·load·(S + H − T) + H)/(√μ·(m(S + H − T) − L)).
///
/// A budget per client leaves 1/m where it is: n clients earn no more tokens for the same requests than one does. What n
/// full banks of B tokens hold, s = nB, is sent on top once, and takes s/μ from H in the numerator: a fleet only makes the
/// way back longer.
/// Times are in a unit of the caller's, μ is per unit of it, loads have none.
///
/// # Domain
/// 0 < μ, 0 < S, 0 < T, 0 < H, 0 ≤ b, 0 ≤ s, all finite; 1 ≤ k ≤ 10⁹. Results exist where the retries reach their full
/// rate, for m(S − T) > L and S + H − T ≥ T·⌈m − 1⌉, and where clients have the attempts to spend what was saved within
/// the run: s ≤ (k − m)·load·μ·(S + H − T).
///
/// # Source
/// Cumulative curves of a deterministic queue: Newell, *Applications of Queueing Theory*, 1982, chapter 2; variances of
/// Poisson processes.
///
/// # Example
/// ```
/// use retrylab_analytic::stall_line::StallLine;
///
/// // Three attempts, a timeout of 10 mean services, a stall of 2000, and 57500 to recover.
/// let line = StallLine::new(1.0, 2000.0, 10.0, 3, 57_500.0)?;
/// assert!((line.load().unwrap() - 57_500.0 / (3.0 * 59_490.0 - 30.0)).abs() < 1e-15);
/// assert!((line.load_deviation().unwrap() - 0.0027).abs() < 1e-4);
/// # Ok::<(), retrylab_analytic::DomainError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StallLine {
    capacity: f64,
    stall: f64,
    timeout: f64,
    /// Retries that a request may make: k − 1.
    retries_max: f64,
    /// Retries per request at most: m − 1.
    retries: f64,
    run: f64,
    /// Tokens saved before the stall.
    saved: f64,
}

impl StallLine {
    /// A stall, a run, and clients with a number of attempts and no budget.
    ///
    /// # Errors
    /// [`DomainError`] outside the domain of the type.
    pub fn new(
        capacity: f64,
        stall: f64,
        timeout: f64,
        attempts: u64,
        run: f64,
    ) -> Result<Self, DomainError> {
        let retries = (ATTEMPTS.check_count(attempts)? - 1) as f64;
        Ok(Self {
            capacity: CAPACITY.check(capacity)?,
            stall: STALL.check(stall)?,
            timeout: TIMEOUT.check(timeout)?,
            retries_max: retries,
            retries,
            run: RUN.check(run)?,
            saved: 0.0,
        })
    }

    /// The same under a budget of `ratio` tokens per request.
    ///
    /// # Errors
    /// [`DomainError`] unless `ratio` ≥ 0 is finite.
    pub fn with_budget(self, ratio: f64) -> Result<Self, DomainError> {
        let retries = self.retries.min(RATIO.check(ratio)?);
        Ok(Self { retries, ..self })
    }

    /// The same with so many tokens in the banks of all clients when the stall begins: n·B for n full banks of B.
    ///
    /// ```
    /// use retrylab_analytic::stall_line::StallLine;
    /// let line = StallLine::new(1.0, 1000.0, 10.0, 3, 20_000.0)?.with_budget(0.1)?;
    /// let fleet = line.with_saved(1000.0)?; // a hundred clients with ten tokens each
    /// assert!((fleet.load().unwrap() / line.load().unwrap() - 0.95).abs() < 1e-15); // 1 − 1000/20000
    /// # Ok::<(), retrylab_analytic::DomainError>(())
    /// ```
    ///
    /// # Errors
    /// [`DomainError`] unless `saved` ≥ 0 is finite.
    pub fn with_saved(self, saved: f64) -> Result<Self, DomainError> {
        Ok(Self {
            saved: SAVED_IF_ANY.check(saved)?,
            ..self
        })
    }

    /// The largest load from which the server recovers: (H − s/μ)/(m(S + H − T) − L).
    ///
    /// # Errors
    /// [`TooShort`] if the retries do not reach their full rate or what was saved is not spent.
    pub fn load(&self) -> Result<f64, TooShort> {
        let sent = self.sent_per_request()?;
        let load = (self.run - self.saved / self.capacity) / sent;
        let spendable = || (self.retries_max - self.retries) * load * self.capacity * self.time_of_sending();
        if load > 0.0 && (self.saved == 0.0 || self.saved <= spendable()) {
            Ok(load)
        } else {
            Err(TooShort)
        }
    }

    /// Standard deviation of the load at which the run ends just recovered.
    ///
    /// # Errors
    /// [`TooShort`] as for [`StallLine::load`].
    pub fn load_deviation(&self) -> Result<f64, TooShort> {
        let sent = self.sent_per_request()?;
        let attempts = 1.0 + self.retries;
        let relative = attempts * (attempts * self.time_of_sending() / sent) / sent;
        Ok(sqrt(
            (relative * self.load()? + self.run / sent / sent) / self.capacity,
        ))
    }

    /// S + H − T.
    fn time_of_sending(&self) -> f64 {
        self.stall - self.timeout + self.run
    }

    /// Attempts sent until S + H − T per new request of a unit of time: m(S + H − T) − L.
    fn sent_per_request(&self) -> Result<f64, TooShort> {
        let whole = floor(self.retries);
        let late = self.timeout * (whole + 1.0) * (self.retries - whole / 2.0);
        let attempts = 1.0 + self.retries;
        let after = attempts * (self.stall - self.timeout) - late;
        let all_start = self.time_of_sending() >= self.timeout * libm::ceil(self.retries);
        let sent = attempts * self.run + after;
        if after > 0.0 && all_start && sent.is_finite() {
            Ok(sent)
        } else {
            Err(TooShort)
        }
    }
}

/// [`StallLine`] by name.
pub static STALL_LINE: Quantity = Quantity {
    name: "stall-line",
    summary: "the load up to which a server recovers from a stall within a run of finite length, and how chance blurs it",
    parameters: &[
        CAPACITY,
        STALL,
        TIMEOUT,
        ATTEMPTS,
        RUN,
        RATIO_IF_ANY,
        SAVED_IF_ANY,
    ],
    results: &[
        (
            "load",
            "largest new requests per unit of time over the capacity from which the run recovers",
        ),
        (
            "load_deviation",
            "standard deviation of that load between runs with Poisson requests and exponential services",
        ),
    ],
    formula: "m = min(attempts, 1 + ratio), t = stall + run − timeout, L = timeout·Σ i·min(1, m − i) over i = 1, …, ⌈m − 1⌉: \
              load = (run − saved/capacity)/(m·t − L), below the stuck line 1/m; load_deviation = √((m²·load·t + run)/capacity)/(m·t − L)",
    source: "cumulative curves: Newell, Applications of Queueing Theory, 1982, chapter 2; variances of Poisson processes",
    evaluate: |arguments| {
        let mut line = StallLine::new(
            arguments.number("capacity"),
            arguments.number("stall"),
            arguments.number("timeout"),
            arguments.count("attempts"),
            arguments.number("run"),
        )?;
        if let Some(ratio) = arguments.optional("ratio") {
            line = line.with_budget(ratio)?;
        }
        if let Some(saved) = arguments.optional("saved") {
            line = line.with_saved(saved)?;
        }
        Ok(vec![
            ("load", line.load().into()),
            ("load_deviation", line.load_deviation().into()),
        ])
    },
};
