//! The part of a curve that lies on the paper.

/// A position on the paper; the paper is the square from (0, 0) to (1, 1).
pub(super) type Position = (f64, f64);

/// The pieces of a curve that lie on the paper. A gap (`None`) interrupts it.
pub(super) fn visible_pieces(curve: &[Option<Position>]) -> Vec<Vec<Position>> {
    let mut pieces: Vec<Vec<Position>> = Vec::new();
    for run in curve.split(Option::is_none) {
        let run: Vec<Position> = run.iter().copied().flatten().collect();
        if let [only] = run[..] {
            pieces.extend(segment(only, only).map(|_| vec![only]));
        }
        let mut connected = false;
        for pair in run.windows(2) {
            let Some((from, to)) = segment(pair[0], pair[1]) else {
                connected = false;
                continue;
            };
            match pieces.last_mut() {
                Some(piece) if connected => piece.push(to),
                _ => pieces.push(vec![from, to]),
            }
            connected = to == pair[1];
        }
    }
    pieces
}

/// The part of a segment that lies on the paper, by the algorithm of Liang and Barsky (1984).
pub(super) fn segment(from: Position, to: Position) -> Option<(Position, Position)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (direction, distance) in [
        (-dx, from.0),
        (dx, 1.0 - from.0),
        (-dy, from.1),
        (dy, 1.0 - from.1),
    ] {
        if direction == 0.0 {
            if distance < 0.0 {
                return None;
            }
        } else if direction < 0.0 {
            enter = enter.max(distance / direction);
        } else {
            leave = leave.min(distance / direction);
        }
    }
    let at = |t: f64| (from.0 + t * dx, from.1 + t * dy);
    (enter <= leave).then(|| {
        let start = if enter > 0.0 { at(enter) } else { from };
        let end = if leave < 1.0 { at(leave) } else { to };
        (start, end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_that_leaves_and_returns_is_in_pieces() {
        let curve = [(0.0, 0.5), (0.25, 1.5), (0.5, 1.5), (0.75, 0.5), (1.0, 0.5)].map(Some);
        let pieces = visible_pieces(&curve);
        assert_eq!(
            pieces,
            [
                vec![(0.0, 0.5), (0.125, 1.0)],
                vec![(0.625, 1.0), (0.75, 0.5), (1.0, 0.5)]
            ]
        );
    }

    #[test]
    fn gaps_interrupt_and_single_points_stay() {
        let curve = [
            Some((0.1, 0.1)),
            None,
            Some((0.5, 0.5)),
            Some((0.6, 0.5)),
            None,
            Some((2.0, 0.5)),
        ];
        assert_eq!(
            visible_pieces(&curve),
            [vec![(0.1, 0.1)], vec![(0.5, 0.5), (0.6, 0.5)]]
        );
        assert!(visible_pieces(&[]).is_empty());
    }

    #[test]
    fn a_segment_across_a_corner_of_the_outside_is_not_visible() {
        assert_eq!(segment((-0.5, 0.9), (0.1, 1.8)), None);
        assert_eq!(segment((-1.0, 0.5), (2.0, 0.5)), Some(((0.0, 0.5), (1.0, 0.5))));
    }
}
