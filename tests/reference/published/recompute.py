#!/usr/bin/env python3
"""Adds to every value of literature.json and packages.json, in place, what it is in 40 digits: the field `recomputed`.

Needs mpmath. Values come from definitions, with 60 digits and more: states and attempts added up, transforms expanded,
densities integrated, linear equations solved, by the scripts of the folder above wherever they have the quantity.
Parameters are the doubles that the program reads.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

from mpmath import mp, mpf, nstr, sqrt, taylor, workdps

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

import fluid  # noqa: E402
import fold as fold_script  # noqa: E402
import queues  # noqa: E402
import retries_and_one_server as retries_scripts  # noqa: E402
import retry_chain  # noqa: E402
from stuck_and_pools import stuck_retries, token_pool  # noqa: E402, F401

mp.dps = 60


def amplification(failure_probability, retries):
    """A sum over attempts, or over as many as matter."""
    sums = retries_scripts.attempt_sums(failure_probability, min(retries, 100_000))
    assert retries <= 100_000 or mpf(failure_probability) ** 100_000 < mpf(10) ** -60
    return sums | {"attempts_max": retries + 1}


def tiers(failure_probability, retries, tiers):
    return {"attempts": amplification(failure_probability, retries)["attempts"] ** tiers,
            "attempts_worst": (retries + 1) ** tiers}


def ceiling(arrival_rate, retries, capacity):
    return {"worst_arrival_rate": sum(mpf(arrival_rate) for _ in range(retries + 1))}


def policy(failure_probability, retries, arrival_rate, capacity):
    attempts = amplification(failure_probability, retries)["attempts"]
    return {"attempts": attempts, "load": mpf(arrival_rate) * attempts}


def capped(failure_probability, retries, ratio):
    """Retries asked for, or tokens earned, whichever are fewer."""
    wanted = amplification(failure_probability, retries)["duplicates"]
    return {"attempts": 1 + min(wanted, mpf(ratio)), "attempts_bound": 1 + min(mpf(retries), mpf(ratio))}


def capped_share(failure_probability, retries, share):
    """Retries x with x/(1 + x) = share, or those asked for if they are fewer."""
    allowed = mpf(share) / (1 - mpf(share))
    return {"attempts": 1 + min(amplification(failure_probability, retries)["duplicates"], allowed)}


def correlated(failure_probability, retries, correlation):
    """All attempts alike, or each by itself."""
    alone, p, c = amplification(failure_probability, retries), mpf(failure_probability), mpf(correlation)
    alike = {"attempts": (1 - p) + p * (retries + 1), "loss": p}
    return {name: c * alike[name] + (1 - c) * alone[name] for name in alike}


def stuck_line(attempts):
    return {"load": Fraction(1, attempts)}


def budget_line(ratio):
    return {"load": 1 / (1 + Fraction(ratio))}


def stuck_growth(arrival_rate, attempts, capacity):
    return {"growth_rate": Fraction(arrival_rate) * attempts - Fraction(capacity)}


def mm1(arrival_rate, service_rate, time=None):
    return retries_scripts.mm1_by_states(arrival_rate, service_rate, time, None)


def mm1k(arrival_rate, service_rate, places):
    return retries_scripts.mm1k_by_states(arrival_rate, service_rate, places, None)


def mmc(arrival_rate, service_rate, servers, time=None):
    return queues.mmc_results(arrival_rate, service_rate, servers, time, None)


def mmck(arrival_rate, service_rate, servers, places):
    return queues.mmck_results(arrival_rate, service_rate, servers, places, None)


def erlang_b(offered_load, servers):
    below, full = queues.loss_states(mpf(offered_load), servers)
    return {"blocking": full / (below + full)}


def erlang_c(offered_load, servers):
    below, full = queues.loss_states(mpf(offered_load), servers)
    # States beyond `servers` follow each other in the ratio load/servers.
    waiting, ratio, beyond = mpf(0), mpf(offered_load) / servers, full
    while beyond > mpf(10) ** -75 * full:
        waiting += beyond
        beyond *= ratio
    return {"wait_probability": waiting / (below + waiting)}


def erlang_a(arrival_rate, service_rate, servers, patience_mean):
    """Balance of the states, added up until nothing is left to add."""
    lam, mu, theta = mpf(arrival_rate), mpf(service_rate), 1 / mpf(patience_mean)
    weight, n, weights = mpf(1), 0, []
    while n <= servers or weight > mpf(10) ** -80 * max(weights):
        weights.append(weight)
        n += 1
        weight *= lam / (mu * min(n, servers) + theta * max(n - servers, 0))
    states = [weight / sum(weights) for weight in weights]
    in_queue = sum((n - servers) * state for n, state in enumerate(states) if n > servers)
    return {"wait_probability": sum(states[servers:]), "number_in_queue": in_queue,
            "number_in_system": sum(n * state for n, state in enumerate(states)), "abandonment": theta * in_queue / lam}


def busy_period(arrival_rate, service_rate):
    """Moments from the Taylor series of the transform that solves λ B² − (λ + μ + s) B + μ = 0."""
    lam, mu = mpf(arrival_rate), mpf(service_rate)

    def transform(s):
        return 2 * mu / (lam + mu + s + sqrt((lam + mu + s) ** 2 - 4 * lam * mu))

    with workdps(400):
        series = taylor(transform, 0, 3, h=mpf(10) ** -90)
    return {"mean": -series[1], "second_moment": 2 * series[2], "third_moment": -6 * series[3]}


def lifo(arrival_rate, service_rate, time=None):
    """Who finds the server busy waits for a busy period: its moments, or its tail by the number served in it."""
    if time is not None:
        return queues.lifo_by_events(arrival_rate, service_rate, time)
    busy, moments = mpf(arrival_rate) / mpf(service_rate), busy_period(arrival_rate, service_rate)
    return {"waiting_time_mean": busy * moments["mean"], "waiting_time_second_moment": busy * moments["second_moment"]}


def patience(arrival_rate, service_rate, servers, patience):
    return queues.patience_results(arrival_rate, service_rate, servers, patience, patience)


def mg1(arrival_rate, service_mean, service_scv):
    """Pollaczek and Khinchine in rational arithmetic."""
    lam, mean = Fraction(arrival_rate), Fraction(service_mean)
    wait = lam * (1 + Fraction(service_scv)) * mean**2 / 2 / (1 - lam * mean)
    return {"waiting_time_mean": wait, "number_in_queue": lam * wait, "sojourn_time_mean": wait + mean}


def md1(arrival_rate, service_time, time=None):
    """Means as for any service time; second moment by Takács; tail by Erlang's alternating sum."""
    lam, service = Fraction(arrival_rate), Fraction(service_time)
    results = mg1(arrival_rate, service_time, 0)
    wait = results["waiting_time_mean"]
    results["number_in_system"] = lam * results["sojourn_time_mean"]
    results["waiting_time_variance"] = wait**2 + lam * service**3 / 3 / (1 - lam * service)
    if time is not None:
        results["waiting_time_tail"] = 1 - queues.md1_wait_within(mpf(arrival_rate), mpf(service_time), mpf(time))
    return results


def fluid_blip(arrival_rate, capacity, reduced_capacity, duration, timeout, attempts, ratio=None, bank=0.0):
    return fluid.blip(arrival_rate, capacity, reduced_capacity, duration, timeout, attempts, ratio, bank)


def stuck_drain(arrival_rate, capacity, backlog, timeout, ratio):
    return fluid.stuck_drain(arrival_rate, capacity, backlog, timeout, ratio)


def fold(arrival_rate, servers, service_rate, timeout):
    return fold_script.results(arrival_rate, servers, service_rate, timeout)


def retry_chain_results(arrival_rate, service_rate, patience_mean, retry_probability, places):
    return retry_chain.results(arrival_rate, service_rate, patience_mean, retry_probability, places)


def recomputed(value):
    function = "retry_chain_results" if value["quantity"] == "retry-chain" else value["quantity"].replace("-", "_")
    # Rates and times are read as doubles, counts as whole numbers.
    result = globals()[function](**value["parameters"])[value["result"]]
    result = mpf(result.numerator) / result.denominator if isinstance(result, Fraction) else mpf(result)
    return nstr(result, 40, strip_zeros=False)


def write(path):
    """Writes the file again, one value a line as before, with the recomputed values."""
    content = json.loads(path.read_text(encoding="utf-8"))
    for part in ("values", "disagreements"):
        for value in content.get(part, []):
            value["recomputed"] = recomputed(value)

    def text(value):
        return json.dumps(value, ensure_ascii=False)

    parts = []
    for name, part in content.items():
        rows = [f"    {text(key)}: {text(row)}" for key, row in part.items()] if name == "sources" else [f"    {text(row)}" for row in part]
        opening, closing = ("{", "}") if name == "sources" else ("[", "]")
        body = ",\n".join(rows)
        parts.append(f'  "{name}": {opening}\n{body}\n  {closing}' if rows else f'  "{name}": {opening}{closing}')
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    for name in ("literature.json", "packages.json"):
        write(FOLDER / name)
        print(name, flush=True)
