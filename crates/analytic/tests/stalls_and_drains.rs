//! The line of finite stalls and the drain of a collapsed backlog against the fluid of blips and against curves followed
//! step by step.

use approx::assert_relative_eq;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use retrylab_analytic::fluid_blip::FluidBlip;
use retrylab_analytic::stall_line::StallLine;
use retrylab_analytic::stuck_drain::{NoDrain, StuckDrain};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// At the line the fluid of the blip is dead for just the run; a load a little above takes longer.
    #[test]
    fn at_the_line_the_fluid_takes_the_whole_run(
        stall in 200.0..3000.0_f64,
        timeout in 1.0..30.0_f64,
        attempts in 1_u64..7,
        run in 300.0..1e5_f64,
        ratio in prop::option::of(0.0..4.0_f64),
    ) {
        let line = StallLine::new(1.0, stall, timeout, attempts, run).unwrap();
        let line = ratio.map_or(line, |ratio| line.with_budget(ratio).unwrap());
        let Ok(load) = line.load() else { return Ok(()) };
        let dead_time = |load| {
            let blip = FluidBlip::new(load, 1.0, 0.0, stall, timeout, attempts).unwrap();
            let blip = ratio.map_or(blip, |ratio| blip.with_budget(ratio, 0.0).unwrap());
            blip.aftermath().dead_time
        };
        // The dead time amplifies an error of the load by the inverse of the capacity that is left.
        assert_relative_eq!(dead_time(load).unwrap(), run, max_relative = 1e-14 * (run + stall) * (run + stall) / stall + 1e-10);
        prop_assert!(dead_time(load * 1.001).is_ok_and(|time| time > run) || dead_time(load * 1.001).is_err());
    }

    /// What was saved before the stall is sent on top once, as the fluid of the blip spends its bank.
    #[test]
    fn at_the_line_of_clients_with_savings_the_fluid_takes_the_whole_run(
        stall in 500.0..3000.0_f64,
        timeout in 1.0..30.0_f64,
        attempts in 3_u64..7,
        run in 3000.0..1e5_f64,
        ratio in 0.0..1.0_f64,
        saved in 1.0..100.0_f64,
    ) {
        let line = StallLine::new(1.0, stall, timeout, attempts, run).unwrap();
        let line = line.with_budget(ratio).unwrap().with_saved(saved).unwrap();
        let load = line.load().unwrap();
        let blip = FluidBlip::new(load, 1.0, 0.0, stall, timeout, attempts).unwrap();
        let dead_time = blip.with_budget(ratio, saved).unwrap().aftermath().dead_time.unwrap();
        assert_relative_eq!(dead_time, run, max_relative = 1e-14 * (run + stall) * (run + stall) / stall + 1e-10);
    }

    /// Sent and served attempts added up in small steps.
    #[test]
    fn a_backlog_drains_as_its_curves_say(
        load in 0.1..0.85_f64,
        backlog in 3.0..30.0_f64,
        timeout in 0.3..3.0_f64,
        ratio in 0.0..0.15_f64,
    ) {
        let drain = StuckDrain::new(load, 1.0, backlog, timeout, ratio).unwrap();
        let step = 5e-4;
        let (mut sent, mut served, mut steps) = (vec![backlog], 0.0, 0_usize);
        let (mut dead, late) = (0.0, (timeout / step).round() as usize);
        loop {
            steps += 1;
            served += step;
            // Everything older than the first step is too late.
            let fails = steps < late || served < sent[steps - late];
            let last = sent[steps - 1];
            sent.push(last + step * load * if fails { 1.0 + ratio } else { 1.0 });
            if fails {
                dead = steps as f64 * step;
            }
            if served >= sent[steps] {
                break;
            }
        }
        let room = 20.0 * step / (1.0 - load * (1.0 + ratio));
        prop_assert!((drain.dead_time().unwrap() - dead).abs() <= room, "{drain:?} {dead}");
        prop_assert!((drain.drained_after().unwrap() - steps as f64 * step).abs() <= room, "{drain:?} {steps}");
    }
}

#[test]
fn long_runs_tend_to_the_stuck_line() {
    for (attempts, ratio, line) in [(3, None, 1.0 / 3.0), (10, None, 0.1), (4, Some(0.1), 1.0 / 1.1)] {
        let stall = StallLine::new(1.0, 2000.0, 10.0, attempts, 1e12).unwrap();
        let stall = ratio.map_or(stall, |ratio| stall.with_budget(ratio).unwrap());
        let load = stall.load().unwrap();
        assert!(load < line);
        assert_relative_eq!(load, line, max_relative = 1e-8);
    }
}

/// Whether a run recovers: requests until S + H − T with all their attempts, against services in H.
fn recovers(load: f64, line: (f64, f64, f64, u64), random: &mut Xoshiro256PlusPlus) -> bool {
    let (stall, timeout, run, attempts) = line;
    let mut pause = |rate: f64| -(1.0 - random.random::<f64>()).ln() / rate;
    let (mut moment, mut sent) = (pause(load), 0_u64);
    while moment < stall + run - timeout {
        // Attempts follow one another after a timeout each.
        let left = (stall + run - timeout - moment) / timeout;
        sent += attempts.min(1 + left as u64);
        moment += pause(load);
    }
    let (mut moment, mut served) = (pause(1.0), 0_u64);
    while moment < run {
        served += 1;
        moment += pause(1.0);
    }
    served >= sent
}

#[test]
fn chance_blurs_the_line_by_its_deviation() {
    let setting = (200.0, 5.0, 2000.0, 3);
    let line = StallLine::new(1.0, 200.0, 5.0, 3, 2000.0).unwrap();
    let (load, deviation) = (line.load().unwrap(), line.load_deviation().unwrap());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let runs = 1000;
    for (deviations, expected) in [(-1.0, 0.841), (0.0, 0.5), (1.0, 0.159)] {
        let at = load + deviations * deviation;
        let recovered = (0..runs).filter(|_| recovers(at, setting, &mut random)).count();
        // Five standard errors of 1000 runs are 0.08.
        let share = recovered as f64 / f64::from(runs);
        assert!((share - expected).abs() < 0.08, "{deviations}: {share}");
    }
}

#[test]
fn what_does_not_drain_says_why() {
    let stuck = StuckDrain::new(950.0, 1000.0, 5000.0, 1.0, 0.1).unwrap();
    assert_eq!(stuck.drained_after(), Err(NoDrain::Stuck));
    let healthy = StuckDrain::new(500.0, 1000.0, 900.0, 1.0, 0.1).unwrap();
    assert_eq!(healthy.dead_time(), Err(NoDrain::NotCollapsed));
    let short = StallLine::new(1.0, 10.0, 10.0, 3, 1000.0).unwrap();
    assert!(short.load().is_err() && short.load_deviation().is_err());
}

/// The last retries have to begin within the run, and what the stall leaves behind has to be more than nothing.
#[test]
fn a_stall_or_run_too_short_for_all_retries_has_no_line() {
    let line = |stall, run| StallLine::new(1.0, stall, 10.0, 3, run).unwrap().load();
    // The second retries begin two timeouts after the first attempts, S + H − T ≥ 2T.
    assert!(line(25.0, 5.0).is_ok() && line(25.0, 4.0).is_err());
    // 3(S − T) has to exceed what the retries lag behind, T + 2T.
    assert!(line(20.0, 1000.0).is_err() && line(20.001, 1000.0).is_ok());
}

/// A backlog of just a timeout's work is dead for just a timeout.
#[test]
fn a_backlog_that_takes_the_timeout_is_the_smallest_collapsed_one() {
    let dead_time = |backlog| {
        StuckDrain::new(600.0, 1000.0, backlog, 0.5, 0.0)
            .unwrap()
            .dead_time()
    };
    assert_eq!(dead_time(500.0), Ok(0.5));
    assert_eq!(dead_time(499.999), Err(NoDrain::NotCollapsed));
}
