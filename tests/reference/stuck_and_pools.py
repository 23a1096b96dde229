#!/usr/bin/env python3
"""Reference values for a dead service with fractional retries per failure, and for pools of retry tokens.

Writes stuck-retries.json and token-pool.json beside itself; needs mpmath. Generations and states are added up one by
one, with 60 digits, and thresholds are bisected on such sums. Parameters are the doubles that the program reads.
"""

import json
import sys
from pathlib import Path

from mpmath import exp, factorial, mp, mpf, nstr

mp.dps = 60
FOLDER = Path(__file__).resolve().parent


def generations(retries, most):
    total = term = mpf(1)
    for _ in range(most - 1):
        term *= retries
        total += term
        if term < mpf(10) ** -70:
            break
    return total


def stuck_retries(retries_per_failure, attempts=None, ratio=None):
    r = mpf(retries_per_failure)
    if attempts is None:
        # The sum m of all generations is one attempt and r times itself.
        total = None if r >= 1 else mpf(1) / (1 - r)
    else:
        total = generations(r, attempts)
    if ratio is not None:
        total = 1 + mpf(ratio) if total is None else min(total, 1 + mpf(ratio))
    return {"attempts": total, "load": mpf(0) if total is None else 1 / total}


def steady_refusal(load, places):
    # The queue at departures, by Brun and Garcia (2000); the alternating sum loses some 20 of 400 digits.
    if load == 0:
        return mpf(0)
    with mp.workdps(400):
        load = mpf(load)
        top = places - 1
        b = sum((-1) ** k * ((top - k) * load) ** k * exp((top - k) * load) / factorial(k) for k in range(top + 1))
        return 1 - b / (1 + load * b)


def token_pool(arrival_rate, failure_probability, retries, size, refill_rate, duration=None):
    lam, p, g = mpf(arrival_rate), mpf(failure_probability), mpf(refill_rate)

    def wanted_at(probability):
        return lam * sum(probability**i for i in range(1, retries + 1))

    wanted = wanted_at(p)
    # Missing tokens: a chain of birth and death, its states added up.
    weights = [mpf(1)]
    for _ in range(size):
        weights.append(weights[-1] * wanted / g)
    refusal = weights[-1] / sum(weights) if p < 1 else mpf(1)
    low, high = mpf(0), mpf(1)
    if wanted_at(high) <= g:
        low = high
    for _ in range(220):
        middle = (low + high) / 2
        low, high = (middle, high) if wanted_at(middle) <= g else (low, middle)
    back = g if p < 1 else mpf(0)
    made = wanted * sum(weights[:-1]) / sum(weights) if p < 1 else mpf(0)
    results = {"retries_wanted": wanted, "refusal_probability": refusal, "retry_rate": made,
               "refusal_probability_steady": steady_refusal(wanted / g, size) if p < 1 else mpf(1),
               "emptying_time": size / (lam * retries) if retries and lam else None, "failure_probability_max": low}
    if duration is not None:
        results["retries_avoided"] = max(mpf(0), (wanted - back) * mpf(duration) - size)
    return results


STUCK = [(0.5,), (0.0,), (0.125,), (0.999999,), (1.0,), (1.6,), (2.5, None, 0.1), (0.05, None, 0.1), (1.0, 3), (0.5, 3),
         (1.7, 4), (2.5, 10), (1.0000001, 1000), (0.9999999, 1000), (2.0, 40, 0.2), (1e-9, 7), (3.0, 1)]
POOLS = [(10.0, 0.5, 1, 25, 1.0, 100.0), (25.0, 0.02, 2, 25, 1.0, 900.0), (10.8, 0.467, 2, 25, 1.0, 900.0),
         (10.0, 0.09, 2, 25, 1.0), (25.0, 0.01, 1, 25, 1.0), (25.0, 1.0, 3, 25, 1.0, 900.0), (10.0, 0.9, 2, 25, 1.0),
         (40.0, 0.3, 2, 100, 10.0, 60.0), (1.0, 0.5, 1, 5, 2.0), (10.0, 0.001, 1, 25, 1.0), (7.0, 0.25, 0, 3, 1.0, 5.0),
         (0.0, 0.5, 2, 10, 1.0), (25.0, 0.04, 1, 25, 1.0), (3.0, 1e-6, 5, 2, 0.5)]


def write(quantity, function, names, cases, origin):
    rows = []
    for case in cases:
        parameters = {name: value for name, value in zip(names, case) if value is not None}
        for result, value in function(**parameters).items():
            text = None if value is None or value > sys.float_info.max else nstr(value, 40, strip_zeros=False)
            text = "0." + "0" * 40 if value == 0 else text
            rows.append({"quantity": quantity, "parameters": parameters, "result": result, "value": text,
                         "origin": origin})
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    (FOLDER / f"{quantity}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write("stuck-retries", stuck_retries, ("retries_per_failure", "attempts", "ratio"), STUCK,
          "generations of attempts added up, 60 digits")
    write("token-pool", token_pool,
          ("arrival_rate", "failure_probability", "retries", "size", "refill_rate", "duration"), POOLS,
          "states of the missing tokens added up, thresholds bisected, 60 digits")
