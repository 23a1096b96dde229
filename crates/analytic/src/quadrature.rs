//! Integration over the whole line and inversion of monotone functions.

/// The step that makes the trapezoidal rule exact to rounding for an integrand analytic in a strip of half-width π/4
/// around the real line: its error is of order e^(−2π·(π/4)/step), here 10⁻²¹.
const STEP: f64 = 0.1;

/// The integral over the line of an integrand that is negligible outside `from` … `to`, by the trapezoidal rule.
///
/// The callers map their integrals to the line so that every pole stays π/4 or more away from it and the integrand
/// fades exponentially at both ends, whatever the parameters. L. N. Trefethen and J. A. C. Weideman, "The
/// exponentially convergent trapezoidal rule" (SIAM Review, 2014), give the error bound.
pub(crate) fn integrate<const N: usize>(from: f64, to: f64, integrand: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let mut sums = [0.0; N];
    for index in 0..=((to - from) / STEP) as u64 {
        for (sum, value) in sums.iter_mut().zip(integrand(from + STEP * index as f64)) {
            *sum += value;
        }
    }
    sums.map(|sum| sum * STEP)
}

/// The largest finite number ≥ 0 at which a condition holds that holds at 0 and, once it fails, fails for good.
///
/// Bisects the machine numbers themselves, whose order is that of their bit patterns: 64 steps at most, and no
/// tolerance to choose.
pub(crate) fn last_where(condition: impl Fn(f64) -> bool) -> f64 {
    let (mut holds, mut fails) = (0_u64, f64::INFINITY.to_bits());
    while fails - holds > 1 {
        let middle = holds + (fails - holds) / 2;
        if condition(f64::from_bits(middle)) {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    f64::from_bits(holds)
}
