//! The whole chain, state by state.

use crate::Setting;
use crate::chain::stationary;

impl Setting {
    /// The six results from the stationary probabilities of a chain that also remembers whether it was full since it was last
    /// empty: the time spent before and after, divided by the rate at which one becomes the other.
    pub(crate) fn solved_state_by_state(self) -> [f64; 6] {
        // (wanted, lost, in service: 0 nothing, 1 lost, 2 wanted; was full)
        type Full = (usize, usize, u8, bool);
        let size = |(wanted, lost, served, _): Full| wanted + lost + usize::from(served > 0);
        let mut states: Vec<Full> = vec![(0, 0, 0, false)];
        for (waiting, wanted) in (0..self.places).flat_map(|n| (0..=n).map(move |wanted| (n, wanted))) {
            for served in [1, 2] {
                if waiting + 1 < self.places {
                    states.push((wanted, waiting - wanted, served, false));
                }
                states.push((wanted, waiting - wanted, served, true));
            }
        }
        let timeout = 1.0 / self.patience_mean;
        let mut rates = vec![vec![0.0; states.len()]; states.len()];
        let (mut sent, mut rejected) = (vec![0.0; states.len()], vec![0.0; states.len()]);
        for (from, &state) in states.iter().enumerate() {
            let (wanted, lost, served, was_full) = state;
            let has_room = size(state) < self.places;
            let mut go = |rate: f64, (wanted, lost, served, was_full): Full| {
                let number = size((wanted, lost, served, was_full));
                let to = (
                    wanted,
                    lost,
                    served,
                    number > 0 && (was_full || number == self.places),
                );
                let to = states.iter().position(|known| *known == to).unwrap();
                if to != from {
                    rates[from][to] += rate;
                }
            };
            let mut send = |rate: f64, (wanted, lost, served, was_full): Full| {
                let after = match (has_room, served) {
                    (false, _) => (wanted, lost, served, was_full),
                    (true, 0) => (0, 0, 2, was_full),
                    (true, _) => (wanted + 1, lost, served, was_full),
                };
                go(rate, after);
                *if has_room {
                    &mut sent[from]
                } else {
                    &mut rejected[from]
                } += rate;
            };
            send(self.arrival_rate, state);
            if wanted > 0 {
                let given_up = (wanted - 1, lost + 1, served, was_full);
                send(wanted as f64 * timeout * self.retry_probability, given_up);
            }
            if served == 2 {
                send(timeout * self.retry_probability, (wanted, lost, 1, was_full));
            }
            let quits = timeout * (1.0 - self.retry_probability);
            if wanted > 0 {
                go(wanted as f64 * quits, (wanted - 1, lost + 1, served, was_full));
            }
            if served == 2 {
                go(quits, (wanted, lost, 1, was_full));
            }
            let waiting = (wanted + lost) as f64;
            if wanted > 0 {
                go(wanted as f64 / waiting, (wanted - 1, lost, 2, was_full));
            }
            if lost > 0 {
                go(lost as f64 / waiting, (wanted, lost - 1, 1, was_full));
            }
            if served > 0 && wanted + lost == 0 {
                go(1.0, (0, 0, 0, was_full));
            }
        }
        let becomes_full = rates.clone();
        let shares = stationary(rates);
        let sum = |value: &dyn Fn(usize) -> f64| -> f64 {
            shares.iter().enumerate().map(|(i, share)| share * value(i)).sum()
        };
        let indicator = |holds: bool| f64::from(u8::from(holds));
        let wanted_served = sum(&|i| indicator(states[i].2 == 2));
        let lost_served = sum(&|i| indicator(states[i].2 == 1));
        let before = sum(&|i| indicator(!states[i].3));
        let after = sum(&|i| indicator(states[i].3));
        let turns = sum(&|i| {
            let full = (0..states.len()).filter(|&to| !states[i].3 && states[to].3);
            full.map(|to| becomes_full[i][to]).sum()
        });
        let attempts = sum(&|i| sent[i]) + sum(&|i| rejected[i]) / (1.0 - self.retry_probability);
        let late = timeout / (1.0 + timeout);
        [
            wanted_served / self.arrival_rate,
            attempts / self.arrival_rate,
            (lost_served + late * wanted_served) / (lost_served + wanted_served),
            sum(&|i| size(states[i]) as f64),
            before / turns,
            after / turns,
        ]
    }
}
