//! One error rate for a family of statements.

use super::{
    error::{StatisticsError, require},
    error_rate::ErrorRate,
};

/// Bonferroni's split: each of `members` statements gets α/members, so that any of them errs with probability
/// at most α.
///
/// Statements with several parts take one share per part. Holds whatever the dependence between the
/// statements.
///
/// # Errors
/// [`StatisticsError::OutOfRange`] for a family without members.
///
/// ```
/// use retrylab_verify::statistics::{ErrorRate, bonferroni};
/// assert_eq!(bonferroni(ErrorRate::new(1e-3)?, 50)?.value(), 2e-5);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn bonferroni(family: ErrorRate, members: u32) -> Result<ErrorRate, StatisticsError> {
    require(
        "members of a family",
        f64::from(members),
        "at least 1",
        members >= 1,
    )?;
    Ok(family.divided(f64::from(members)))
}

/// Holm's step-down adjustment (1979) of a family's p-values, in the order given.
///
/// With p₍₁₎ ≤ … ≤ p₍ₘ₎ the adjusted values are max over j ≤ i of min(1, (m − j + 1) p₍ⱼ₎). Rejecting where
/// the adjusted value is at most α errs anywhere with probability at most α, whatever the dependence, and
/// rejects whatever Bonferroni does. For decisions that come as p-values; intervals that are formed one after
/// another take their share beforehand, by [`bonferroni`].
///
/// # Errors
/// [`StatisticsError::OutOfRange`] for a p-value outside [0, 1].
///
/// ```
/// use retrylab_verify::statistics::holm_adjusted;
/// assert_eq!(holm_adjusted(&[0.01, 0.25, 0.0625])?, [0.03, 0.25, 0.125]);
/// # Ok::<(), retrylab_verify::statistics::StatisticsError>(())
/// ```
pub fn holm_adjusted(p_values: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    for &p in p_values {
        require("p-value", p, "between 0 and 1", (0.0..=1.0).contains(&p))?;
    }
    let mut by_size: Vec<usize> = (0..p_values.len()).collect();
    by_size.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, &index) in by_size.iter().enumerate() {
        let remaining = (p_values.len() - rank) as f64;
        largest = largest.max((remaining * p_values[index]).min(1.0));
        adjusted[index] = largest;
    }
    Ok(adjusted)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn holm_agrees_with_a_worked_example() {
        // R 4: p.adjust(c(0.01, 0.02, 0.03, 0.04), "holm") is 0.04 0.06 0.06 0.06.
        let adjusted = holm_adjusted(&[0.01, 0.02, 0.03, 0.04]).unwrap();
        for (found, expected) in adjusted.into_iter().zip([0.04, 0.06, 0.06, 0.06]) {
            assert_relative_eq!(found, expected, max_relative = 1e-14);
        }
        assert!(holm_adjusted(&[]).unwrap().is_empty());
        assert!(holm_adjusted(&[0.1, f64::NAN]).is_err() && holm_adjusted(&[-0.1]).is_err());
        assert!(bonferroni(ErrorRate::new(0.05).unwrap(), 0).is_err());
    }

    proptest! {
        #[test]
        fn holm_lies_between_the_raw_value_and_bonferronis(
            p_values in prop::collection::vec(0.0..=1.0_f64, 1..20),
        ) {
            let adjusted = holm_adjusted(&p_values).unwrap();
            for (p, q) in p_values.iter().zip(&adjusted) {
                prop_assert!(p <= q && *q <= (p * p_values.len() as f64).min(1.0));
            }
            for (p, q) in p_values.iter().zip(&adjusted) {
                for (other_p, other_q) in p_values.iter().zip(&adjusted) {
                    prop_assert!(p > other_p || q <= other_q, "the order of the p-values is kept");
                }
            }
        }
    }
}
