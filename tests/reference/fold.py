#!/usr/bin/env python3
"""Reference values for the fold: the retries per failure at which a healthy service with several servers is lost.

Writes fold.json beside itself; needs mpmath. The retries that balance x attempts are written down from the sum over
states and the integral over services of the queue M/M/c, and their largest value is found by golden sections followed
by bisection on a difference quotient, with 80 digits: no derivative is taken by hand. Parameters are the doubles that
the program reads.
"""

import json
import sys
from pathlib import Path

from mpmath import exp, expm1, mp, mpf, nstr

mp.dps = 80
FOLDER = Path(__file__).resolve().parent
EPSILON = mpf(10) ** -26


def waits(load, servers):
    """Erlang C from Erlang B, summed from the full state downwards until nothing is added any more."""
    total = term = mpf(1)
    for number in range(servers, 0, -1):
        term *= number / load
        total += term
        if term < total * mpf(10) ** -85:
            break
    blocking = 1 / total
    return servers * blocking / (servers - load * (1 - blocking))


def slow(load, servers, time):
    """P(sojourn > time) in mean services."""
    if load == 0:
        return exp(-time)
    drain = servers - load
    if drain == 0:
        return mpf(1)
    difference = 1 - drain
    spread = time if difference == 0 else -expm1(-difference * time) / difference
    return exp(-time) + waits(load, servers) * exp(-drain * time) * spread


def results(arrival_rate, servers, service_rate, timeout):
    lam, mu, time = mpf(arrival_rate), mpf(service_rate), mpf(service_rate) * mpf(timeout)
    load = lam / mu
    spare = servers - load
    if load == 0:
        return {"retries_per_failure_max": 1 / slow(load, servers, time), "arrival_rate_effective": mpf(0),
                "retry_share": mpf(0), "failure_probability": slow(load, servers, time),
                "retries_per_failure_dead": mpf(1)}
    if spare <= 0:
        return dict.fromkeys(("retries_per_failure_max", "arrival_rate_effective", "retry_share",
                              "failure_probability", "retries_per_failure_dead"))

    def balancing(more):
        return more / (load + more) / slow(load + more, servers, time)

    low, high = spare * mpf(10) ** -12, spare
    third = (3 - mpf(5) ** 0.5) / 2
    for _ in range(40):
        one, other = low + (high - low) * third, high - (high - low) * third
        if balancing(one) < balancing(other):
            low = one
        else:
            high = other

    def falls(more):
        # Central, and so small that the third derivative is beyond the digits that are wanted.
        step = EPSILON * min(more, spare - more)
        return balancing(more + step) < balancing(more - step)

    low, high = low * (1 - mpf(10) ** -6), min(high * (1 + mpf(10) ** -6), spare * (1 - mpf(10) ** -30))
    if not falls(high):
        more = spare
    else:
        for _ in range(130):
            middle = (low + high) / 2
            low, high = (low, middle) if falls(middle) else (middle, high)
        more = low
    return {"retries_per_failure_max": balancing(more), "arrival_rate_effective": (load + more) * mu,
            "retry_share": more / (load + more), "failure_probability": slow(load + more, servers, time),
            "retries_per_failure_dead": spare / servers}


NAMES = ("arrival_rate", "servers", "service_rate", "timeout")
CASES = [
    (10500.0, 480, 25.0, 0.12), (105000.0, 4800, 25.0, 0.12), (1050000.0, 48000, 25.0, 0.12),
    (9000.0, 480, 25.0, 0.12), (11500.0, 480, 25.0, 0.12), (0.5, 1, 1.0, 8.0), (0.3, 1, 1.0, 0.5), (0.9, 1, 1.0, 100.0),
    (4.0, 8, 1.0, 4.0), (0.001, 2, 1.0, 30.0), (6.999999, 7, 1.0, 5.0), (30.0, 40, 2.0, 20.0), (0.0, 3, 1.0, 2.0),
    (8.0, 8, 1.0, 3.0), (1e-9, 5, 1.0, 3.0), (59.0, 60, 1.0, 60.0), (0.8, 1, 1.0, 40.0),
]


if __name__ == "__main__":
    rows = []
    for case in CASES:
        for result, value in results(*case).items():
            text = None if value is None or value > sys.float_info.max else nstr(value, 40, strip_zeros=False)
            text = "0." + "0" * 40 if value == 0 else text
            rows.append({"quantity": "fold", "parameters": dict(zip(NAMES, case)), "result": result, "value": text,
                         "origin": "maximum of the balance by golden sections and difference quotients, 80 digits"})
        print(case, nstr(mpf(results(*case)["retries_per_failure_max"] or 0), 10) if case[1] < 1000 else "", flush=True)
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    (FOLDER / "fold.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
