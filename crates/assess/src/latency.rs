//! What people know about the time that their service needs for a request, and the distribution that it stands for.

use retrylab_model::{Invalid, ServiceTime, Time, Validator};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Service times: how long a request takes while nobody waits. A mean, percentiles, or both.
///
/// | given | distribution |
/// | --- | --- |
/// | one number | exponential with that mean or percentile |
/// | the mean and `scv` | lognormal |
/// | the mean and one percentile | the lognormal with both |
/// | two percentiles | the lognormal with both |
/// | more percentiles | the lognormal that is nearest to all, by least squares of the logarithms |
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Latency {
    /// Mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<Time>,
    /// Squared coefficient of variation: variance ÷ mean².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scv: Option<f64>,
    /// The time within which half of the requests are served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median: Option<Time>,
    /// The time within which 90 % are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p90: Option<Time>,
    /// The time within which 95 % are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95: Option<Time>,
    /// The time within which 99 % are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99: Option<Time>,
    /// The time within which 99.9 % are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p999: Option<Time>,
}

impl Latency {
    /// The percentiles that are given: name, probability above, standard normal quantile, time.
    fn percentiles(&self) -> impl Iterator<Item = Percentile> {
        [
            ("median", 0.5, 0.0, self.median),
            ("p90", 0.1, 1.281_551_565_544_600_4, self.p90),
            ("p95", 0.05, 1.644_853_626_951_472_2, self.p95),
            ("p99", 0.01, 2.326_347_874_040_840_8, self.p99),
            ("p999", 0.001, 3.090_232_306_167_813, self.p999),
        ]
        .into_iter()
        .filter_map(|(name, above, quantile, time)| {
            Some(Percentile {
                name,
                above,
                quantile,
                time: time?,
            })
        })
    }

    /// The distribution.
    ///
    /// # Errors
    /// [`Invalid`] when a number is not one, percentiles do not rise, or no lognormal distribution has the mean and the percentile.
    pub fn service_time(&self, validator: &mut Validator) -> Result<ServiceTime, Invalid> {
        if let Some(mean) = self.mean {
            validator.positive_time("latency.mean", mean)?;
        }
        let mut before: Option<(&str, Time)> = None;
        for Percentile { name, time, .. } in self.percentiles() {
            let path = format!("latency.{name}");
            validator.positive_time(&path, time)?;
            if let Some((lower, least)) = before
                && time.value() <= least.value()
            {
                return Err(Invalid::new(
                    &path,
                    time,
                    format!("above {lower}, which is {least}"),
                ));
            }
            before = Some((name, time));
        }
        let percentiles: Vec<_> = self.percentiles().collect();
        if let Some(scv) = self.scv {
            Validator::positive("latency.scv", scv)?;
            let Some(mean) = self.mean.filter(|_| percentiles.is_empty()) else {
                let accepted =
                    "given beside mean and without percentiles, which say how much times vary themselves";
                return Err(Invalid::new("latency.scv", scv, accepted));
            };
            return Ok(ServiceTime::Lognormal { mean, scv });
        }
        match (self.mean, percentiles.as_slice()) {
            (None, []) => Err(Invalid::new(
                "latency",
                "without a number",
                "a table with mean or a percentile, such as { median = \"5ms\", p99 = \"40ms\" }",
            )),
            (Some(mean), []) => Ok(ServiceTime::Exponential { mean }),
            (None, [only]) => Ok(ServiceTime::Exponential {
                mean: only.time.with_value(-only.time.value() / libm::log(only.above)),
            }),
            (Some(mean), [only]) => with_mean(mean, only),
            (None, several) => Ok(nearest(several)),
            (Some(mean), _) => Err(Invalid::new(
                "latency.mean",
                mean,
                "left out beside two or more percentiles, which have a mean of their own",
            )),
        }
    }
}

/// A percentile that somebody knows.
#[derive(Debug, Clone, Copy)]
struct Percentile {
    name: &'static str,
    /// Probability of a longer time.
    above: f64,
    /// Quantile of the standard normal distribution.
    quantile: f64,
    time: Time,
}

/// The lognormal distribution with a mean and a percentile: with σ the deviation of the logarithm and z the normal quantile,
/// ln(percentile ÷ mean) = σ z − σ²/2, of which the smaller solution is meant.
fn with_mean(mean: Time, percentile: &Percentile) -> Result<ServiceTime, Invalid> {
    let Percentile {
        name,
        time,
        quantile: z,
        ..
    } = *percentile;
    let distance = libm::log(time.value() / mean.value());
    let discriminant = z * z - 2.0 * distance;
    let deviation = if discriminant < 0.0 {
        f64::NAN
    } else if z > 0.0 {
        // The smaller root, without cancellation.
        2.0 * distance / (z + discriminant.sqrt())
    } else {
        discriminant.sqrt()
    };
    if deviation > 0.0 {
        return Ok(lognormal(mean, deviation));
    }
    let accepted = if z > 0.0 {
        let most = time.with_value(mean.value() * libm::exp(z * z / 2.0));
        format!("above the mean, which is {mean}, and at most {most}, the most for a lognormal distribution")
    } else {
        format!("below the mean, which is {mean}")
    };
    Err(Invalid::new(&format!("latency.{name}"), time, accepted))
}

/// The lognormal distribution nearest to two or more percentiles.
fn nearest(percentiles: &[Percentile]) -> ServiceTime {
    let points: Vec<(f64, f64)> = percentiles
        .iter()
        .map(|percentile| (percentile.quantile, libm::log(percentile.time.value())))
        .collect();
    let count = points.len() as f64;
    let z_mean = points.iter().map(|(z, _)| z).sum::<f64>() / count;
    let log_mean = points.iter().map(|(_, log)| log).sum::<f64>() / count;
    let spread: f64 = points.iter().map(|(z, _)| (z - z_mean) * (z - z_mean)).sum();
    let common: f64 = points
        .iter()
        .map(|(z, log)| (z - z_mean) * (log - log_mean))
        .sum();
    let deviation = common / spread;
    let location = log_mean - deviation * z_mean;
    let mean = libm::exp(location + deviation * deviation / 2.0);
    lognormal(percentiles[0].time.with_value(mean), deviation)
}

/// The lognormal distribution with a mean and a standard deviation of the logarithm.
fn lognormal(mean: Time, deviation: f64) -> ServiceTime {
    ServiceTime::Lognormal {
        mean,
        scv: libm::expm1(deviation * deviation),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Option<Time> {
        Some(text.parse().unwrap())
    }

    fn lognormal(latency: &Latency) -> (f64, f64) {
        match latency.service_time(&mut Validator::default()).unwrap() {
            ServiceTime::Lognormal { mean, scv } => {
                let variance = scv.ln_1p();
                (mean.value().ln() - variance / 2.0, variance.sqrt())
            }
            other => panic!("{other:?}"),
        }
    }

    /// The percentile of a lognormal distribution by its own formula.
    fn percentile((location, deviation): (f64, f64), z: f64) -> f64 {
        (location + deviation * z).exp()
    }

    #[test]
    fn two_percentiles_are_met() {
        let both = Latency {
            median: time("5ms"),
            p99: time("40ms"),
            ..Latency::default()
        };
        let fitted = lognormal(&both);
        // 2.326347874 is the 99th percentile of the standard normal distribution.
        assert!((percentile(fitted, 0.0) - 0.005).abs() < 1e-12);
        assert!((percentile(fitted, 2.326_347_874) - 0.040).abs() < 1e-9);
    }

    #[test]
    fn a_mean_and_a_percentile_are_met() {
        let both = Latency {
            mean: time("8ms"),
            p99: time("40ms"),
            ..Latency::default()
        };
        let fitted = lognormal(&both);
        assert!((percentile(fitted, 2.326_347_874) - 0.040).abs() < 1e-9);
        let both = Latency {
            mean: time("8ms"),
            median: time("5ms"),
            ..Latency::default()
        };
        assert!((percentile(lognormal(&both), 0.0) - 0.005).abs() < 1e-12);
    }

    #[test]
    fn one_number_is_taken_for_an_exponential_distribution() {
        let median = Latency {
            median: time("5ms"),
            ..Latency::default()
        };
        let mean = median.service_time(&mut Validator::default()).unwrap().mean();
        assert!((mean - 0.005 / std::f64::consts::LN_2).abs() < 1e-15);
    }

    #[test]
    fn what_no_distribution_has_is_refused() {
        let refused = |latency: Latency| {
            latency
                .service_time(&mut Validator::default())
                .unwrap_err()
                .to_string()
        };
        let sentence = refused(Latency {
            mean: time("5ms"),
            p99: time("400ms"),
            ..Latency::default()
        });
        assert!(
            sentence.starts_with(
                "latency.p99 is 400ms, but must be above the mean, which is 5ms, and at most 74.8"
            ),
            "{sentence}"
        );
        let sentence = refused(Latency {
            mean: time("5ms"),
            median: time("6ms"),
            ..Latency::default()
        });
        assert_eq!(
            sentence,
            "latency.median is 6ms, but must be below the mean, which is 5ms"
        );
        let sentence = refused(Latency {
            median: time("5ms"),
            p99: time("4ms"),
            ..Latency::default()
        });
        assert_eq!(
            sentence,
            "latency.p99 is 4ms, but must be above median, which is 5ms"
        );
        assert!(refused(Latency::default()).contains("without a number"));
    }
}
