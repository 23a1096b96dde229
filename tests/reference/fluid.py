#!/usr/bin/env python3
"""Reference values for the fluid quantities: a queue through a blip, a stall of finite length, a collapsed backlog.

Writes fluid-blip.json, stall-line.json and stuck-drain.json beside itself; needs mpmath. Where useful service fails in one stretch, which is checked, the
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
        lost = ("backlog_peak", "dead_time", "recovered_after", "drained_after")
        return results | {name: None for name in lost} | {"goodput_settled": mpf(0)}
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
                      "drained_after": drained - d, "goodput_settled": lam}


def settled(lam, mu, reduced, length, timeout, k, skipping, scv):
    """A server that skips what has expired: where successes λ(1 − f^k) and useful services μσ balance, coming from the
    worst load. Only the result that the blip itself does not enter."""
    lam, mu, scv = mpf(lam), mpf(mu), mpf(scv)
    transform = (lambda s: mp.exp(-s)) if scv == 0 else (lambda s: (1 + scv * s) ** (-1 / scv))

    def share(x):
        # The transform minus σ falls and rises again to 0 at 1: the root below 1 lies where it first turns negative.
        low, high = mpf(0), mpf(1)
        while transform(x * (1 - high)) - high >= 0:
            high -= (1 - 1 / x) / 1000
        return meets(lambda sigma: sigma - transform(x * (1 - sigma)), low, high)

    x = lam * k / mu
    for _ in range(2000):
        f = 1 - share(x) / x
        x, before = lam * (1 - f ** k) / (1 - f) / mu, x
        if abs(x - before) < mpf(10) ** -50 * x:
            break
    assert x > 1
    return {"goodput_settled": mu * share(x)}


NAMES = ("arrival_rate", "capacity", "reduced_capacity", "duration", "timeout", "attempts", "ratio", "bank")
CASES = [
    (800.0, 1000.0, 300.0, 5.0, 1.0, 1), (800.0, 1000.0, 300.0, 5.0, 0.875, 1), (800.0, 1000.0, 300.0, 5.0, 0.5, 1),
    (800.0, 1000.0, 300.0, 5.0, 1.0, 4), (800.0, 1000.0, 300.0, 5.0, 1.0, 4, 0.1), (800.0, 1000.0, 300.0, 5.0, 0.5, 4, 0.1),
    (800.0, 1000.0, 300.0, 5.0, 1.0, 4, 0.1, 100.0), (800.0, 1000.0, 300.0, 5.0, 0.75, 3, 0.2),
    (800.0, 1000.0, 300.0, 5.0, 0.75, 3, 0.3), (0.3, 1.0, 0.0, 2000.0, 10.0, 3), (0.35, 1.0, 0.0, 2000.0, 10.0, 3),
    (0.3, 1.0, 0.0, 2000.0, 50.0, 3), (0.09, 1.0, 0.0, 100.0, 3.0, 10), (1e-6, 1.0, 0.0, 1e6, 1e3, 7),
    (0.999, 1.0, 0.5, 40.0, 2.0, 1), (0.9, 1.0, 0.0, 2000.0, 10.0, 3, 0.1), (2e9, 3e9, 1e9, 1e-6, 1e-9, 2, 0.25),
]


def stall_line(capacity, stall, timeout, attempts, run, ratio=None, saved=0.0):
    mu, s, t_out, h = mpf(capacity), mpf(stall), mpf(timeout), mpf(run)
    tokens = mpf(attempts - 1) if ratio is None else min(mpf(attempts - 1), mpf(ratio))
    until = s + h - t_out
    # Each retry in turn is sent as often as the tokens that are left allow, from its own timeout on.
    sent, left, number = until, tokens, 1
    full = True
    while left > 0:
        share = min(mpf(1), left)
        sent += share * (until - number * t_out)
        full = full and until >= number * t_out
        left -= share
        number += 1
    if not full or sent <= h * (1 + tokens):
        return {"load": None, "load_deviation": None}
    if mpf(saved) >= mu * h:
        return {"load": None, "load_deviation": None}
    # The load at which what is served in the run, less what was sent, is 0, and by how much chance moves that. What was saved is
    # sent on top, if every request's last attempts leave room for it.
    load = meets(lambda load: load * mu * sent + mpf(saved) - mu * h, mpf(0), mpf(2))
    if mpf(saved) > (attempts - 1 - tokens) * load * mu * until:
        return {"load": None, "load_deviation": None}
    noise = ((1 + tokens) ** 2 * load * mu * until + mu * h) ** mpf("0.5")
    return {"load": load, "load_deviation": noise / (mu * sent)}


def stuck_drain(arrival_rate, capacity, backlog, timeout, ratio):
    lam, mu, waiting, t_out = mpf(arrival_rate), mpf(capacity), mpf(backlog), mpf(timeout)
    rate = lam * (1 + mpf(ratio))
    if rate >= mu or waiting < mu * t_out:
        return {"dead_time": None, "drained_after": None}
    far = 10 * (waiting + mu * t_out) / (mu - rate)
    dead = meets(lambda t: mu * t - waiting - rate * (t - t_out), t_out, far)
    drained = meets(lambda t: mu * t - waiting - rate * dead - lam * (t - dead), dead, far)
    return {"dead_time": dead, "drained_after": drained}


STALLS = [(1.0, 2000.0, 10.0, 3, 57500.0), (1.0, 2000.0, 50.0, 3, 57500.0), (1.0, 2000.0, 10.0, 4, 57500.0, 0.1),
          (1.0, 2000.0, 10.0, 10, 57500.0), (1000.0, 5.0, 0.5, 2, 60.0), (2.0, 300.0, 3.0, 6, 900.0, 2.25),
          (1.0, 100.0, 1e-6, 1, 1e9), (1.0, 10.0, 10.0, 3, 1000.0), (1.0, 40.0, 10.0, 3, 5.0), (0.1, 1e6, 1.0, 40, 1e-3),
          (1.0, 1000.0, 50.0, 3, 20000.0, 0.1, 1000.0), (1000.0, 5.0, 0.5, 4, 60.0, 1.25, 5000.0),
          (1.0, 1000.0, 50.0, 3, 2000.0, 0.1, 1900.0), (1.0, 1000.0, 50.0, 3, 2000.0, 0.1, 2500.0)]
DRAINS = [(10500.0, 12000.0, 1870.2, 0.12, 0.1), (10500.0, 12000.0, 3000.0, 0.12, 0.0),
          (10500.0, 12000.0, 2000.0, 0.12, 0.1), (10500.0, 12000.0, 1e6, 0.12, 0.1), (950.0, 1000.0, 5e3, 1.0, 0.1),
          (500.0, 1000.0, 900.0, 1.0, 0.1), (1e-9, 1.0, 7.0, 0.3, 0.5), (0.8999, 1.0, 1000.0, 10.0, 0.111)]


SETTLED = [(800.0, 1000.0, 300.0, 5.0, 1.0, 4, 1, 1.0), (800.0, 1000.0, 300.0, 5.0, 1.0, 4, 1, 0.0),
           (800.0, 1000.0, 300.0, 5.0, 0.5, 10, 1, 0.25), (900.0, 1000.0, 300.0, 5.0, 1.0, 6, 1, 4.0)]


def digits(value):
    return nstr(value, 40, strip_zeros=False) if value else "0." + 40 * "0"


def write(quantity, *families):
    rows = []
    for function, names, cases, origin in families:
        for case in cases:
            for result, value in function(*case).items():
                rows.append({"quantity": quantity, "parameters": dict(zip(names, case)), "result": result,
                             "value": None if value is None else digits(value), "origin": origin})
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    (FOLDER / f"{quantity}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    curves = "curves of sent and served attempts as sums of ramps, met by bisection, 60 digits"
    balance = "balance of successes and useful services, iterated from the worst load, 60 digits"
    write("fluid-blip", (blip, NAMES, CASES, curves),
          (settled, NAMES[:6] + ("skipping", "service_scv"), SETTLED, balance))
    write("stall-line", (stall_line, ("capacity", "stall", "timeout", "attempts", "run", "ratio", "saved"), STALLS,
                          curves))
    write("stuck-drain", (stuck_drain, ("arrival_rate", "capacity", "backlog", "timeout", "ratio"), DRAINS, curves))
