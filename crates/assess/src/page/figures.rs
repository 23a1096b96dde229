//! Figures of an assessment.

use retrylab_verify::{Axis, Figure, Mark, Panel, Series, SeriesKind};

use crate::aftermath::Moment;
use crate::assessment::Assessment;
use crate::worst_case;

/// A figure and the section that it belongs to.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) section: &'static str,
    pub(crate) figure: Figure,
}

/// Attempts on the axis at least.
const ATTEMPTS_SHOWN: u32 = 6;
/// Least success on the axis.
const SUCCESS_SHOWN: f64 = 1.3;

pub(crate) fn all(assessment: &Assessment) -> Vec<Placed> {
    vec![worst_load(assessment), success_over_time(assessment)]
}

/// The load while everything fails by the number of attempts.
fn worst_load(assessment: &Assessment) -> Placed {
    let service = &assessment.service;
    let now = service.spec().attempts;
    let others = service.attempts_worst() as f64 / f64::from(now);
    let most = now.saturating_add(2).clamp(ATTEMPTS_SHOWN, 40);
    let load = |attempts: f64| service.utilization() * others * attempts;
    let points = (1..=most)
        .map(|attempts| (f64::from(attempts), load(f64::from(attempts))))
        .collect();
    let stuck = worst_case::attempts_when_all_fail(service) * service.utilization();
    let mut series = vec![
        line("load while everything fails", 0, points),
        line("capacity", 1, vec![(1.0, 1.0), (f64::from(most), 1.0)]),
    ];
    let held = "load that budgets hold it to";
    if stuck < load(f64::from(now)) {
        series.push(line(held, 2, vec![(1.0, stuck), (f64::from(most), stuck)]));
    }
    Placed {
        section: "worst-case",
        figure: Figure {
            id: "worst-load".to_owned(),
            title: "What the service would be asked to do".to_owned(),
            caption: "Attempts per unit of time while every attempt fails, over what can be served, by the number of attempts of a \
                      request. Above the line of the capacity a backlog grows, and a service that serves in order answers nobody in \
                      time."
                .to_owned(),
            panels: vec![Panel {
                title: String::new(),
                x: Axis {
                    label: "attempts of a request".to_owned(),
                    low: 1.0,
                    high: f64::from(most),
                    logarithmic: false,
                },
                y: Axis {
                    label: "load over capacity".to_owned(),
                    low: 0.0,
                    high: 1.05 * load(f64::from(most)).max(1.0),
                    logarithmic: false,
                },
                series,
                marks: vec![Mark {
                    x: f64::from(now),
                    label: "today".to_owned(),
                }],
            }],
        },
    }
}

/// Success through the incident, today and with the remedy to do first.
fn success_over_time(assessment: &Assessment) -> Placed {
    let course = &assessment.course;
    let mut series = vec![line("today", 0, course_of(&assessment.series))];
    let mut caption = "New requests that succeed, as a share of those that come, in windows of the runs' mean. A success counts when it \
                       happens, so that a backlog that clears shows as a spike above one."
        .to_owned();
    if let Some(first) = assessment.remedies.first().filter(|remedy| remedy.is_recommended) {
        series.push(line(
            &format!("with {}", first.name),
            1,
            course_of(&assessment.series_of_first),
        ));
        caption.push_str(" Both saw the same traffic.");
    }
    Placed {
        section: "incident",
        figure: Figure {
            id: "success-over-time".to_owned(),
            title: "Success through the incident".to_owned(),
            caption,
            panels: vec![Panel {
                title: String::new(),
                x: Axis {
                    label: "seconds since the incident began".to_owned(),
                    low: -course.begins,
                    high: course.until - course.begins,
                    logarithmic: false,
                },
                y: Axis {
                    label: "successes per new request".to_owned(),
                    low: 0.0,
                    high: SUCCESS_SHOWN,
                    logarithmic: false,
                },
                series,
                marks: vec![
                    Mark {
                        x: 0.0,
                        label: "begins".to_owned(),
                    },
                    Mark {
                        x: course.ends - course.begins,
                        label: "ends".to_owned(),
                    },
                ],
            }],
        },
    }
}

fn course_of(series: &[Moment]) -> Vec<(f64, f64)> {
    series
        .iter()
        .map(|moment| (moment.time, moment.success))
        .collect()
}

fn line(name: &str, color: usize, points: Vec<(f64, f64)>) -> Series {
    Series {
        name: name.to_owned(),
        color,
        kind: SeriesKind::Line(points),
    }
}
