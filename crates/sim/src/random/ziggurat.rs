//! Exponential and normal variates by the ziggurat method (Marsaglia and Tsang, 2000, with the layer and the position in
//! it taken from separate bits, as Doornik, 2005, asks for).
//!
//! The area under a decreasing density f is covered by 256 layers of equal area v: layer i ≥ 1 is the rectangle of width
//! `edge[i]` between the heights f(`edge[i]`) and f(`edge[i + 1]`); layer 0 is the rectangle below f(r), r = `edge[1]`,
//! and the tail beyond r, as wide as a rectangle of its area, `edge[0]` = v/f(r). A point of a layer left of the next
//! edge lies under f for certain, which is the case for some 98.9 % of the points; the others take a comparison with f.

use std::sync::LazyLock;

use super::stream::{Stream, unit_interval};

const LAYERS: usize = 256;

/// Start of the tail of the exponential density for 256 layers; closes the top layer at f = 1.
const EXPONENTIAL_TAIL: f64 = 7.697_117_470_131_05;
/// Start of the tail of the normal density for 256 layers.
const NORMAL_TAIL: f64 = 3.654_152_885_361_009;

#[derive(Debug)]
struct Layers {
    /// Right ends of the layers, decreasing to 0.
    edge: [f64; LAYERS + 1],
    /// The density, up to a factor, at the edges.
    height: [f64; LAYERS + 1],
}

impl Layers {
    fn new(tail: f64, tail_area: f64, density: fn(f64) -> f64, inverse: fn(f64) -> f64) -> Self {
        let area = tail * density(tail) + tail_area;
        let mut edge = [0.0; LAYERS + 1];
        edge[0] = area / density(tail);
        edge[1] = tail;
        for layer in 1..LAYERS - 1 {
            edge[layer + 1] = inverse(density(edge[layer]) + area / edge[layer]);
        }
        Self {
            edge,
            height: edge.map(density),
        }
    }
}

fn exponential_density(x: f64) -> f64 {
    libm::exp(-x)
}

fn normal_density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x)
}

static EXPONENTIAL: LazyLock<Layers> = LazyLock::new(|| {
    let tail_area = exponential_density(EXPONENTIAL_TAIL);
    Layers::new(EXPONENTIAL_TAIL, tail_area, exponential_density, |y| {
        -libm::log(y)
    })
});

static NORMAL: LazyLock<Layers> = LazyLock::new(|| {
    let half_pi = std::f64::consts::FRAC_PI_2;
    let tail_area = libm::sqrt(half_pi) * libm::erfc(NORMAL_TAIL * std::f64::consts::FRAC_1_SQRT_2);
    Layers::new(NORMAL_TAIL, tail_area, normal_density, |y| {
        libm::sqrt(-2.0 * libm::log(y))
    })
});

/// −ln of a number uniform on (0, 1].
fn exponential_by_inversion(stream: &mut Stream) -> f64 {
    -libm::log(1.0 - stream.uniform())
}

/// Samples the exponential distribution of mean 1.
#[derive(Debug, Clone, Copy)]
pub struct Exponential {
    layers: &'static Layers,
}

impl Default for Exponential {
    fn default() -> Self {
        Self { layers: &EXPONENTIAL }
    }
}

impl Exponential {
    /// The next variate.
    #[inline]
    pub fn sample(&self, stream: &mut Stream) -> f64 {
        let bits = stream.next_u64();
        let layer = (bits % LAYERS as u64) as usize;
        let x = unit_interval(bits) * self.layers.edge[layer];
        if x < self.layers.edge[layer + 1] {
            x
        } else {
            self.at_the_edge(layer, x, stream)
        }
    }

    /// As many variates as there is room for. The stream's state stays in registers, because only a copy of it is handed on.
    #[inline]
    pub(super) fn fill(&self, values: &mut [f64], stream: &mut Stream) {
        let mut state = stream.clone();
        for value in values {
            let bits = state.next_u64();
            let layer = (bits % LAYERS as u64) as usize;
            let x = unit_interval(bits) * self.layers.edge[layer];
            *value = if x < self.layers.edge[layer + 1] {
                x
            } else {
                let mut copy = state.clone();
                let x = self.at_the_edge(layer, x, &mut copy);
                state = copy;
                x
            };
        }
        *stream = state;
    }

    #[cold]
    fn at_the_edge(&self, layer: usize, x: f64, stream: &mut Stream) -> f64 {
        if layer == 0 {
            // What exceeds the start of the tail is exponential again.
            return EXPONENTIAL_TAIL + exponential_by_inversion(stream);
        }
        let (low, high) = (self.layers.height[layer], self.layers.height[layer + 1]);
        if low + stream.uniform() * (high - low) < exponential_density(x) {
            x
        } else {
            self.sample(stream)
        }
    }
}

/// Samples the standard normal distribution.
#[derive(Debug, Clone, Copy)]
pub struct Normal {
    layers: &'static Layers,
}

impl Default for Normal {
    fn default() -> Self {
        Self { layers: &NORMAL }
    }
}

impl Normal {
    /// The next variate.
    #[inline]
    pub fn sample(&self, stream: &mut Stream) -> f64 {
        loop {
            let bits = stream.next_u64();
            let layer = (bits % LAYERS as u64) as usize;
            // Bit 8 is the sign; the position uses bits 11 and up.
            let sign = if bits & (1 << 8) == 0 { 1.0 } else { -1.0 };
            let x = unit_interval(bits) * self.layers.edge[layer];
            if x < self.layers.edge[layer + 1] {
                return sign * x;
            }
            if layer == 0 {
                return sign * normal_tail(stream);
            }
            let (low, high) = (self.layers.height[layer], self.layers.height[layer + 1]);
            if low + stream.uniform() * (high - low) < normal_density(x) {
                return sign * x;
            }
        }
    }
}

/// A standard normal variate given that it exceeds [`NORMAL_TAIL`] (Marsaglia, 1964).
#[cold]
fn normal_tail(stream: &mut Stream) -> f64 {
    loop {
        let excess = exponential_by_inversion(stream) / NORMAL_TAIL;
        if 2.0 * exponential_by_inversion(stream) > excess * excess {
            return NORMAL_TAIL + excess;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The top layer's area decides whether the start of the tail is right: the recurrence amplifies any error in it.
    #[test]
    fn layers_have_equal_areas() {
        for layers in [&*EXPONENTIAL, &*NORMAL] {
            let area = layers.edge[0] * layers.height[1];
            for layer in 1..LAYERS {
                let this = layers.edge[layer] * (layers.height[layer + 1] - layers.height[layer]);
                assert!(
                    (this / area - 1.0).abs() < 1e-9,
                    "layer {layer}: {this} against {area}"
                );
            }
            assert!(layers.edge.windows(2).all(|pair| pair[0] > pair[1]));
        }
    }
}
