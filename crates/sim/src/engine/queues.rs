//! Lines: the common one, or one for each server. Out of line where each server has its own, so that what all other scenarios
//! run stays short.

use super::attempt::Attempt;
use super::stations::Stations;
use super::tier::Tier;

impl Tier {
    /// Puts an attempt in line; returns whether there was a place.
    pub(super) fn line_up(&mut self, attempt: Attempt) -> bool {
        if self.stations.is_some() {
            return self.line_up_at_station(attempt).is_some();
        }
        let has_place = self.in_system.count() < self.plan.places;
        if has_place {
            let ticket = self.take_in(attempt);
            self.line.push_back((self.now, ticket));
        }
        has_place
    }

    /// Servers that are free take attempts that wait, the first server first.
    pub(super) fn serve_all(&mut self) {
        match self.stations.as_ref().map(|stations| stations.number()) {
            None => self.serve_waiting::<false>(),
            Some(number) => (0..number).for_each(|server| self.serve_station(server)),
        }
    }

    /// Sends an attempt to a server, which begins to serve it if it is free; returns whether there was a place.
    #[inline(never)]
    pub(super) fn admit_at_station(&mut self, attempt: Attempt) -> bool {
        let Some(server) = self.line_up_at_station(attempt) else {
            return false;
        };
        // As in the common line, a retry at once stands behind those who wait.
        let stands_first = self
            .stations
            .as_mut()
            .is_some_and(|stations| stations.line(server).len() == 1);
        if stands_first {
            self.serve_station(server);
        }
        true
    }

    /// Puts an attempt in the line of a server and says of which; none when it has no place.
    fn line_up_at_station(&mut self, attempt: Attempt) -> Option<u32> {
        let server = self.stations.as_mut()?.route(&mut self.streams.routing)?;
        let ticket = self.take_in(attempt);
        if let Some(stations) = &mut self.stations {
            stations.line(server).push_back((self.now, ticket));
        }
        Some(server)
    }

    /// A server takes attempts from its line while it can.
    #[inline(never)]
    pub(super) fn serve_station(&mut self, server: u32) {
        let is_free = |stations: &Stations| stations.is_free(server);
        while !self.is_stalled() && self.stations.as_deref().is_some_and(is_free) {
            if self.work_on_own_rejections(server) {
                continue;
            }
            match self.take_from_station(server) {
                Some((sent, ticket)) => self.serve::<false>(server, sent, ticket),
                None => return,
            }
        }
    }

    /// Takes the next attempt from a server's line, by way of the common line, which is empty.
    fn take_from_station(&mut self, server: u32) -> Option<(i64, u64)> {
        std::mem::swap(&mut self.line, self.stations.as_mut()?.line(server));
        let next = self.take();
        if let Some(stations) = &mut self.stations {
            std::mem::swap(&mut self.line, stations.line(server));
        }
        next
    }
}
