//! Servers that each have a queue of their own.

use retrylab_model::{Queues, Scenario};

use crate::chunked::Chunked;
use crate::random::Stream;

/// Where an attempt goes.
#[derive(Debug, Clone, Copy)]
enum Routing {
    Random,
    RoundRobin { next: u32 },
    Shortest,
}

/// A server with its queue.
#[derive(Debug, Clone)]
struct Station {
    line: Chunked<(i64, u64)>,
    in_service: u32,
    /// Work on rejections and skips that is under way beside the attempts in service.
    overhead: u32,
    /// Rejections that are still to cost some time.
    rejections_due: u64,
}

impl Station {
    fn in_system(&self) -> u64 {
        self.line.len() as u64 + u64::from(self.in_service)
    }
}

/// The servers and where the next attempt goes.
#[derive(Debug, Clone)]
pub(super) struct Stations {
    stations: Vec<Station>,
    routing: Routing,
    /// Attempts that a server serves at once.
    concurrency: u32,
    /// Most attempts at a server.
    places: u64,
    /// Where the last attempt was sent.
    last: u32,
}

impl Stations {
    /// The servers of a scenario in which each has a queue of its own.
    pub(super) fn new(scenario: &Scenario) -> Option<Self> {
        let routing = match scenario.server.queues {
            Queues::Common => return None,
            Queues::Random => Routing::Random,
            Queues::RoundRobin => Routing::RoundRobin { next: 0 },
            Queues::Shortest => Routing::Shortest,
        };
        let station = Station {
            line: Chunked::new(),
            in_service: 0,
            overhead: 0,
            rejections_due: 0,
        };
        Some(Self {
            stations: vec![station; scenario.service.servers as usize],
            routing,
            concurrency: scenario.service.concurrency,
            places: scenario.server.places.map_or(u64::MAX, u64::from),
            last: 0,
        })
    }

    pub(super) fn number(&self) -> u32 {
        self.stations.len() as u32
    }

    /// The server to which the next attempt goes; none when all its places are taken.
    pub(super) fn route(&mut self, stream: &mut Stream) -> Option<u32> {
        let number = self.number();
        let server = match &mut self.routing {
            Routing::Random if number > 1 => stream.below(u64::from(number)) as u32,
            Routing::Random => 0,
            Routing::RoundRobin { next } => {
                let server = *next;
                *next = if server + 1 == number { 0 } else { server + 1 };
                server
            }
            Routing::Shortest => self.shortest(),
        };
        self.last = server;
        (self.station(server).in_system() < self.places).then_some(server)
    }

    /// The first of those with the fewest attempts.
    fn shortest(&self) -> u32 {
        let counts = self.stations.iter().map(Station::in_system);
        let shortest = (0_u32..).zip(counts).min_by_key(|&(_, count)| count);
        shortest.map_or(0, |(server, _)| server)
    }

    /// Whether a server serves fewer attempts than it could, what else it has to do counted.
    pub(super) fn is_free(&self, server: u32) -> bool {
        let station = self.station(server);
        station.in_service + station.overhead < self.concurrency
    }

    /// The server to which the last attempt was sent has rejected it.
    pub(super) fn owe_rejection(&mut self) {
        self.station_mut(self.last).rejections_due += 1;
    }

    /// Rejections that are still to cost a server some time; no longer.
    pub(super) fn take_rejections(&mut self, server: u32) -> u64 {
        std::mem::take(&mut self.station_mut(server).rejections_due)
    }

    pub(super) fn begin_overhead(&mut self, server: u32) {
        self.station_mut(server).overhead += 1;
    }

    pub(super) fn end_overhead(&mut self, server: u32) {
        self.station_mut(server).overhead -= 1;
    }

    pub(super) fn begin(&mut self, server: u32) {
        self.station_mut(server).in_service += 1;
    }

    pub(super) fn end(&mut self, server: u32) {
        self.station_mut(server).in_service -= 1;
    }

    /// The attempts that wait for a server.
    pub(super) fn line(&mut self, server: u32) -> &mut Chunked<(i64, u64)> {
        &mut self.station_mut(server).line
    }

    pub(super) fn for_each_waiting(&mut self, change: impl Fn(&mut (i64, u64))) {
        for station in &mut self.stations {
            station.line.for_each_mut(&change);
        }
    }

    fn station(&self, server: u32) -> &Station {
        &self.stations[server as usize]
    }

    fn station_mut(&mut self, server: u32) -> &mut Station {
        &mut self.stations[server as usize]
    }
}
