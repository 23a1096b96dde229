//! Drawing anew what is pending and has no memory.

use super::Simulation;
use super::plan::NEVER;
use super::tier::Tier;

impl Simulation {
    /// Draws anew what is pending and has no memory: the time of the next new request, the ends of exponential services, and
    /// the times at which clients of exponential patience give up. By the memoryless property the simulation goes on by
    /// the same law as without, so that after [`reseed`](Self::reseed) a clone parts from its original at once, where it
    /// would otherwise repeat all that was drawn before. Services that a stall has paused keep their ends, and so
    /// does work on skips and rejections.
    ///
    /// ```
    /// use retrylab_model::{ScenarioSpec, Traffic};
    /// use retrylab_sim::Simulation;
    /// let mut original = Simulation::new(&ScenarioSpec::new(Traffic::with_rate(0.5)).validate()?, 1, 0)?;
    /// let next_event = |simulation: &Simulation| {
    ///     let mut simulation = simulation.clone();
    ///     simulation.run_while(1e9, |_| false);
    ///     simulation.now()
    /// };
    /// let mut clone = original.clone();
    /// clone.reseed(2, 0);
    /// assert_eq!(next_event(&clone), next_event(&original));
    /// clone.redraw();
    /// assert_ne!(next_event(&clone), next_event(&original));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redraw(&mut self) {
        self.tiers_mut().for_each(Tier::redraw);
    }
}

impl Tier {
    fn redraw(&mut self) {
        if self.next_arrival != NEVER {
            self.next_arrival = self.now + self.plan.interarrival_time.sample(&mut self.streams.arrivals);
        }
        if let Some(service_time) = self.plan.service_time.exponential()
            && !self.is_stalled()
        {
            let stream = &mut self.streams.service;
            self.servers.reschedule(|service, end| {
                if service.is_overhead() {
                    end
                } else {
                    self.now + service_time.sample(stream)
                }
            });
        }
        self.outstanding.redraw(self.now, &mut self.streams.patience);
    }
}
