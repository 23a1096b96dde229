#!/usr/bin/env python3
"""Reference values for the fluid quantities: a queue through a blip.

Writes fluid-blip.json beside itself; needs mpmath. Where useful service fails in one stretch, which is checked, the
attempts sent until t are a sum of ramps that is known in advance; the moments at which the curves of sent and served
attempts meet are found by bisection, with 60 digits. Parameters are the doubles that the program reads.
"""

import json
from pathlib import Path

from mpmath import mp, mpf, nstr

mp.dps = 60
FOLDER = Path(__file__).resolve().parent


def meets(gap, low, high):
    """Where an increasing function is 0."""
    assert gap(low) <= 0 <= gap(high)
    for _ in range(240):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) < 0 else (low, middle)
    return low


def blip(lam, mu, reduced, length, timeout, k, ratio=None, bank=0.0):
    lam, mu, reduced, d, t_out, bank = (mpf(x) for x in (lam, mu, reduced, length, timeout, bank))
    most = mpf(k - 1) if ratio is None else min(mpf(k - 1), mpf(ratio))
    worst = lam * (1 + most)
    first = lam * t_out / (lam - reduced)
    assert lam > reduced and first < d, "no timeouts during the blip"

    def served(t):
        return reduced * min(t, d) + mu * max(t - d, 0)

    def retried(t):
        """Attempts after the first sent until t, all of which fail from `first` on."""
        # Every timeout after the first one another attempt per request is asked for.
        asked = sum(lam * max(t - first - i * t_out, 0) for i in range(min(k - 1, 500)))
        if most == k - 1:
            return asked
        # Each ramp claims at least as much as is earned from the first moment on, and the bank is spent on top.
        assert ratio <= 1
        return min(asked, bank + mpf(ratio) * lam * max(t - first, 0))

    def sent(t):
        return lam * t + retried(t)

    results = {"worst_arrival_rate": worst, "backlog_at_end": sent(d) - served(d)}
    far = d + 1000 * (d + t_out)
    if served(far) < sent(far - t_out):
        assert worst > mu and sent(2 * far - t_out) - served(2 * far) > sent(far - t_out) - served(far)
        return results | {name: None for name in ("backlog_peak", "dead_time", "recovered_after", "drained_after")}
    recovered = meets(lambda t: served(t) - sent(t - t_out), d, far)
    # One stretch of failure: before `first` and after the recovery every attempt is answered in time.
    extra = retried(recovered)
    drained = meets(lambda t: served(t) - lam * t - extra, recovered, far)
    grid = [recovered + (drained - recovered) * i / 400 for i in range(1, 400)]
    assert all(served(t) >= (lam * (t - t_out) + retried(min(t - t_out, recovered))) for t in grid)
    corners = [d] + [first + i * t_out for i in range(min(k, 500))]
    # The bank runs dry where what is asked for meets what it had and has earned.
    if bank:
        corners.append(meets(lambda t: sum(lam * max(t - first - i * t_out, 0) for i in range(min(k - 1, 500)))
                             - bank - mpf(ratio) * lam * (t - first) - mpf(10) ** -50, first + mpf(10) ** -40, far))
    peak = max(sent(t) - served(t) for t in corners + [recovered] if t <= recovered)
    return results | {"backlog_peak": peak, "dead_time": recovered - d, "recovered_after": recovered - d,
                      "drained_after": drained - d}


NAMES = ("arrival_rate", "capacity", "reduced_capacity", "duration", "timeout", "attempts", "ratio", "bank")
CASES = [
    (800.0, 1000.0, 300.0, 5.0, 1.0, 1), (800.0, 1000.0, 300.0, 5.0, 0.875, 1), (800.0, 1000.0, 300.0, 5.0, 0.5, 1),
    (800.0, 1000.0, 300.0, 5.0, 1.0, 4), (800.0, 1000.0, 300.0, 5.0, 1.0, 4, 0.1), (800.0, 1000.0, 300.0, 5.0, 0.5, 4, 0.1),
    (800.0, 1000.0, 300.0, 5.0, 1.0, 4, 0.1, 100.0), (800.0, 1000.0, 300.0, 5.0, 0.75, 3, 0.2),
    (800.0, 1000.0, 300.0, 5.0, 0.75, 3, 0.3), (0.3, 1.0, 0.0, 2000.0, 10.0, 3), (0.35, 1.0, 0.0, 2000.0, 10.0, 3),
    (0.3, 1.0, 0.0, 2000.0, 50.0, 3), (0.09, 1.0, 0.0, 100.0, 3.0, 10), (1e-6, 1.0, 0.0, 1e6, 1e3, 7),
    (0.999, 1.0, 0.5, 40.0, 2.0, 1), (0.9, 1.0, 0.0, 2000.0, 10.0, 3, 0.1), (2e9, 3e9, 1e9, 1e-6, 1e-9, 2, 0.25),
]


if __name__ == "__main__":
    rows = []
    for case in CASES:
        for result, value in blip(*case).items():
            rows.append({"quantity": "fluid-blip", "parameters": dict(zip(NAMES, case)), "result": result,
                         "value": None if value is None else nstr(value, 40, strip_zeros=False),
                         "origin": "curves of sent and served attempts as sums of ramps, met by bisection, 60 digits"})
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    (FOLDER / "fluid-blip.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
