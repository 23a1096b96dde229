//! A word of warning before a simulation that takes long.

use retrylab_verify::report::duration::{two_digits, words};

/// Attempts from which a run is worth a word before it starts: minutes on one thread.
const ATTEMPTS_NOTED: f64 = 1e10;
/// Time that a simulated attempt takes, roughly.
const SECONDS_PER_ATTEMPT: f64 = 40e-9;

/// What to say before so many attempts are simulated by so many threads; nothing before a short run.
pub(crate) fn warning(attempts: f64, threads: f64) -> Option<String> {
    (attempts >= ATTEMPTS_NOTED).then(|| {
        format!(
            "at least about {} attempts are to be simulated, which takes roughly {}; Ctrl-C stops",
            two_digits(attempts),
            words(attempts * SECONDS_PER_ATTEMPT / threads)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_run_is_announced() {
        assert_eq!(warning(9.9e9, 1.0), None);
        let sentence = warning(3.04e12, 1.0).unwrap();
        assert!(sentence.contains("about 3 × 10¹² attempts"), "{sentence}");
        assert!(sentence.contains("roughly 34 hours;"), "{sentence}");
        assert!(warning(3.04e12, 2.0).unwrap().contains("roughly 17 hours;"));
        assert!(warning(1e10, 4.0).unwrap().contains("roughly 100 seconds;"));
        assert!(warning(1e300, 4.0).unwrap().contains("years;"));
    }
}
