//! Identical servers fed by one stream of arrivals: the dimensionless numbers that every formula about them needs,
//! free of cancellation and overflow.

use libm::{log, log1p};

use crate::parameters::{ARRIVAL_RATE, SERVICE_RATE};
use crate::quantity::{Domain, DomainError, Parameter, Requirement};
use crate::stability::Unstable;

/// Number of servers.
pub(crate) const SERVERS: Parameter = Parameter {
    name: "servers",
    meaning: "identical servers that share one queue",
    domain: Domain::Count {
        min: 1,
        max: 1_000_000,
        accepted: "a whole number from 1 to 1000000",
    },
    requirement: Requirement::Required,
};

/// At larger offered loads every formula has reached its limit for infinite load.
const LARGEST_LOAD: f64 = 1e280;

/// Arrivals, and servers that each complete `service_rate` services per unit of time while busy.
///
/// Formulas are evaluated in the time unit of one mean service time. What matters near saturation is the difference
/// of capacity and load, and `servers - load` would carry the whole rounding error of `load`; it is therefore formed
/// from the rates and kept beside the load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Station {
    pub(crate) arrival_rate: f64,
    pub(crate) service_rate: f64,
    pub(crate) servers: f64,
    /// Offered load in erlangs: arrivals per mean service time.
    pub(crate) load: f64,
    /// Servers minus offered load; negative under overload.
    pub(crate) spare: f64,
}

impl Station {
    /// Checks the rates and the number of servers.
    pub(crate) fn new(arrival_rate: f64, service_rate: f64, servers: u64) -> Result<Self, DomainError> {
        ARRIVAL_RATE.check(arrival_rate)?;
        SERVICE_RATE.check(service_rate)?;
        let servers = SERVERS.check_count(servers)? as f64;
        let quotient = arrival_rate / service_rate;
        let load = quotient.min(LARGEST_LOAD);
        let remainder = if quotient <= LARGEST_LOAD {
            (-quotient).mul_add(service_rate, arrival_rate) / service_rate
        } else {
            0.0
        };
        let spare = (servers - load) - remainder;
        Ok(Self {
            arrival_rate,
            service_rate,
            servers,
            load,
            spare,
        })
    }

    /// The same station with `load` erlangs more.
    pub(crate) fn with_more(&self, load: f64) -> Self {
        Self {
            arrival_rate: self.arrival_rate + load * self.service_rate,
            load: self.load + load,
            spare: self.spare - load,
            ..*self
        }
    }

    /// The offered load per server, ρ; above 1 under overload.
    pub(crate) fn intensity(&self) -> f64 {
        self.load / self.servers
    }

    /// ln ρ.
    pub(crate) fn ln_intensity(&self) -> f64 {
        let intensity = self.intensity();
        if (0.5..=2.0).contains(&intensity) {
            log1p(-self.spare / self.servers)
        } else {
            log(intensity)
        }
    }

    /// The spare capacity per unit of time, cμ − λ, of a station that can keep up.
    pub(crate) fn spare_rate(&self) -> Result<f64, Unstable> {
        if self.spare > 0.0 {
            Ok(self.spare * self.service_rate)
        } else {
            Err(Unstable {
                arrival_rate: self.arrival_rate,
                capacity: self.servers * self.service_rate,
            })
        }
    }

    /// `time` in mean service times.
    pub(crate) fn service_times(&self, time: f64) -> f64 {
        (self.service_rate * time).min(f64::MAX)
    }
}
