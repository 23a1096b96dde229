#!/usr/bin/env python3
"""Reference values for retry policies and for the queues M/M/1 and M/M/1/K.

Writes one JSON file per quantity beside itself; needs mpmath. Every value is computed with 60 digits, from the
definition (a sum over attempts or over states) wherever the sum is finite or converges within reason, so that the
closed forms of the program are not repeated here. Parameters are the doubles that the program reads.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

from mpmath import exp, findroot, log, mp, mpf, nstr

mp.dps = 60
FOLDER = Path(__file__).resolve().parent
REFERENCES = {}


def digits(value):
    """A number in 40 significant digits."""
    return nstr(mpf(value), 40, strip_zeros=False) if value else "0." + "0" * 40


def add(quantity, parameters, results, origin):
    """Records the results of a quantity at some parameters."""
    for result, value in results.items():
        if isinstance(value, Fraction):
            value = mpf(value.numerator) / value.denominator
        text = None if value is None or value > sys.float_info.max else digits(value)
        REFERENCES.setdefault(quantity, []).append(
            {"quantity": quantity, "parameters": parameters, "result": result, "value": text, "origin": origin}
        )


def attempt_sums(failure_probability, retries):
    """The results of `amplification`, by adding up the probability of every attempt."""
    p = mpf(failure_probability)
    term, duplicates = p, mpf(0)
    for _ in range(retries):
        duplicates += term
        term *= p
    attempts = 1 + duplicates
    return {
        "attempts": attempts,
        "success": 1 - term,
        "loss": term,
        "duplicates": duplicates,
        "retry_share": duplicates / attempts,
        "attempts_max": mpf(retries + 1),
    }


def amplification():
    summed = "sum of the probabilities of all attempts, 60 digits"
    near_one = 1.0 - 2.0**-53
    cases = [(0.1, 2), (0.5, 3), (0.9, 2), (0.99, 2), (1e-9, 4), (1e-3, 40), (0.3, 0), (0.999999999, 10),
             (near_one, 1), (near_one, 1_000_000), (0.999999, 1_000_000), (1e-300, 1), (0.0, 3), (1.0, 4), (0.7, 1000)]
    for p, r in cases:
        add("amplification", {"failure_probability": p, "retries": r}, attempt_sums(p, r), summed)
    lesson = {"attempts": Fraction("1.11"), "success": Fraction("0.999"), "loss": Fraction("0.001"),
              "duplicates": Fraction("0.11"), "retry_share": Fraction(11, 111)}
    add("amplification", {"failure_probability": 0.1, "retries": 2}, lesson,
        "the lesson on the geometric series: 1.11 attempts, 99.9 %, 0.11 duplicates, 9.91 % of the work, in full")
    add("amplification", {"failure_probability": 0.9, "retries": 3},
        {"success": Fraction("0.3439"), "attempts": Fraction("3.439")},
        "the lesson on the geometric series: success 34.39 % with three retries")


def tiers():
    for p, r, n in [(0.1, 2, 3), (0.5, 9, 20), (1e-12, 2, 1000), (0.99, 2, 200), (1.0, 3, 5), (0.25, 1, 1)]:
        attempts, worst = mpf(1), 1
        for _ in range(n):
            attempts *= attempt_sums(p, r)["attempts"]
            worst *= r + 1
        add("tiers", {"failure_probability": p, "retries": r, "tiers": n},
            {"attempts": attempts, "attempts_worst": worst}, "product over the tiers of sums over attempts, 60 digits")
    add("tiers", {"failure_probability": 0.1, "retries": 2, "tiers": 3}, {"attempts": Fraction("1.367631")},
        "the lesson on the geometric series: 1.11 cubed, printed as 1.368")
    add("tiers", {"failure_probability": 1.0, "retries": 3, "tiers": 3}, {"attempts": 64, "attempts_worst": 64},
        "Site Reliability Engineering, 2016, chapter 22: four attempts at each of three layers are 64")
    add("tiers", {"failure_probability": 1.0, "retries": 999, "tiers": 1000}, {"attempts": None},
        "10^3000 is not a double")


def ceiling():
    cases = [(2000.0, 3, 5000.0), (2000.0, 1, 5000.0), (500.0, 2, 1500.0), (0.1, 2, 0.3), (7.0, 0, 1e9)]
    for rate, r, capacity in cases:
        # Decimals as written, not their doubles: what the user means.
        rate_exact, capacity_exact = Fraction(repr(rate)), Fraction(repr(capacity))
        worst = rate_exact * (r + 1)
        most = 0
        while rate_exact * (most + 1) <= capacity_exact and most < 10**6:
            most += 1
        most = capacity_exact // rate_exact if most == 10**6 else most
        add("ceiling", {"arrival_rate": rate, "retries": r, "capacity": capacity},
            {"worst_arrival_rate": worst, "fits": int(worst <= capacity_exact), "retries_max": most - 1},
            "rational arithmetic on the decimals as written")
    add("ceiling", {"arrival_rate": 2000.0, "retries": 2, "capacity": 5000.0}, {"worst_arrival_rate": 6000},
        "the lesson on the geometric series: ceiling 6000 for two retries")
    add("ceiling", {"arrival_rate": 2.0, "retries": 0, "capacity": 1.5}, {"fits": 0, "retries_max": None},
        "the first attempts alone exceed the capacity")
    add("ceiling", {"arrival_rate": 0.0, "retries": 5, "capacity": 1.5}, {"fits": 1, "retries_max": None},
        "without arrivals there is no largest number of retries")


def capped():
    for p, r, ratio in [(0.9, 2, 0.1), (0.05, 2, 0.1), (1.0, 4, 0.25), (0.99, 1, 3.0), (1e-8, 3, 1e-9), (0.5, 3, 0.0)]:
        sums = attempt_sums(p, r)
        bound = min(mpf(r), mpf(ratio))
        add("capped", {"failure_probability": p, "retries": r, "ratio": ratio},
            {"attempts": 1 + min(sums["duplicates"], mpf(ratio)), "attempts_bound": 1 + bound,
             "retry_share_bound": bound / (1 + bound)},
            "retries asked for, summed over attempts, or tokens earned, whichever are fewer, 60 digits")
    for p, r, share in [(0.9, 2, 0.1), (0.05, 2, 0.1), (1.0, 4, 0.5), (0.999, 3, 1.0), (1.0, 9, 0.0), (0.5, 30, 0.25)]:
        # The largest x with x/(1 + x) <= share, by bisection on the definition of the share.
        low, high = mpf(0), mpf(r)
        if high / (1 + high) <= mpf(share):
            low = high
        for _ in range(220):
            middle = (low + high) / 2
            low, high = (middle, high) if middle / (1 + middle) <= mpf(share) else (low, middle)
        bound = low if share > 0 else mpf(0)
        duplicates = attempt_sums(p, r)["duplicates"]
        add("capped-share", {"failure_probability": p, "retries": r, "share": share},
            {"attempts": 1 + min(duplicates, bound), "attempts_bound": 1 + bound,
             "retry_share_bound": bound / (1 + bound)},
            "bisection for the most retries whose share of all attempts is allowed, 60 digits")


def lines():
    for k in (1, 2, 3, 5, 10, 1_000_000):
        add("stuck-line", {"attempts": k}, {"load": Fraction(1, k)}, "rational arithmetic: load times attempts is 1")
    for ratio in (0.0, 0.1, 0.2, 1e-13, 2.5):
        add("budget-line", {"ratio": ratio}, {"load": 1 / (1 + mpf(ratio))},
            "60 digits: load times (1 + ratio) is 1; 1/1.1 at a tenth is in the text on three attempts")


def correlated():
    """Every outcome of r + 1 attempts, enumerated: all alike with probability c, independent otherwise."""
    for p, r, c in [(0.3, 2, 0.0), (0.3, 2, 0.25), (0.3, 2, 1.0), (0.9, 5, 0.5), (1e-6, 3, 1e-9), (0.999, 8, 0.01),
                    (1.0, 2, 0.5), (0.0, 2, 0.7)]:
        p_exact, c_exact = mpf(p), mpf(c)
        attempts = loss = mpf(0)
        for outcomes in range(2 ** (r + 1)):
            fails = [bool(outcomes >> attempt & 1) for attempt in range(r + 1)]
            independent = mpf(1)
            for failed in fails:
                independent *= p_exact if failed else 1 - p_exact
            identical = p_exact if all(fails) else 0 if any(fails) else 1 - p_exact
            probability = c_exact * identical + (1 - c_exact) * independent
            attempts += probability * (r + 1 if all(fails) else fails.index(False) + 1)
            loss += probability if all(fails) else 0
        add("correlated", {"failure_probability": p, "retries": r, "correlation": c},
            {"attempts": attempts, "success": 1 - loss, "loss": loss}, "enumeration of all outcomes, 60 digits")


def growth():
    for rate, k, capacity in [(600.0, 3, 1000.0), (0.3, 3, 1.0), (0.25, 4, 1.0), (0.9, 3, 1.0), (1e-9, 1_000_000, 2.0)]:
        add("stuck-growth", {"arrival_rate": rate, "attempts": k, "capacity": capacity},
            {"growth_rate": mpf(rate) * k - mpf(capacity)}, "flow balance, 60 digits")


def policy():
    for p, r, rate, capacity, n in [(0.1, 2, 500.0, 1500.0, 1), (0.5, 1, 2000.0, 5000.0, 1), (0.9, 3, 2000.0, 5000.0, 1),
                                    (0.1, 2, 100.0, 2700.0, 3), (1e-10, 2, 10.0, 29.0, 2), (1.0, 2, 0.1, 0.3, 1)]:
        sums = attempt_sums(p, r)
        attempts = sums["attempts"] ** n
        worst = Fraction(repr(rate)) * (r + 1) ** n
        parameters = {"failure_probability": p, "retries": r, "arrival_rate": rate, "capacity": capacity}
        if n > 1:
            parameters["tiers"] = n
        add("policy", parameters,
            {"attempts": attempts, "success": sums["success"], "load": mpf(rate) * attempts,
             "retry_share": (attempts - 1) / attempts, "worst_load": worst,
             "fits": int(worst <= Fraction(repr(capacity)))},
            "sums over attempts, 60 digits")
    add("policy", {"failure_probability": 0.1, "retries": 2, "arrival_rate": 500.0, "capacity": 2000.0},
        {"load": 555, "retry_share": Fraction(11, 111)},
        "the lesson on the geometric series: 500 a second become 555, of which 9.91 % are retries, in full")


def mm1_by_states(arrival_rate, service_rate, time, probability):
    """M/M/1 from the probabilities of its states, each customer found ahead taking one exponential service."""
    lam, mu = mpf(arrival_rate), mpf(service_rate)
    rho = lam / mu
    results = {name: mpf(0) for name in
               ("number_in_system", "number_in_queue", "sojourn_time_mean", "waiting_time_mean")}
    second_moment = mpf(0)
    state, n = 1 - rho, 0
    states = []
    while state > mpf(10) ** -75 or n < 2:
        states.append(state)
        results["number_in_system"] += n * state
        results["number_in_queue"] += max(n - 1, 0) * state
        results["sojourn_time_mean"] += (n + 1) / mu * state
        results["waiting_time_mean"] += n / mu * state
        second_moment += n * (n + 1) / mu**2 * state
        state *= rho
        n += 1
    results["waiting_time_variance"] = second_moment - results["waiting_time_mean"] ** 2
    results["utilization"] = results["wait_probability"] = sum(states[1:])

    def tail(at, services_beyond):
        # More than `at` passes before n + services_beyond services end, n being the number found.
        total, poisson, cumulated = mpf(0), exp(-mu * at), mpf(0)
        needed = 0
        for found, state in enumerate(states):
            while needed < found + services_beyond:
                cumulated += poisson
                needed += 1
                poisson *= mu * at / needed
            total += state * cumulated
        return total

    if time is not None:
        results["sojourn_time_tail"] = tail(mpf(time), 1)
        results["waiting_time_tail"] = tail(mpf(time), 0)
        results["success"] = 1 - results["sojourn_time_tail"]
    if probability is not None:
        wanted = 1 - mpf(probability)
        guess = log(1 / wanted) / (mu - lam)
        results["sojourn_time_quantile"] = findroot(
            lambda at: log(tail(at, 1) / wanted), (guess * mpf("0.99"), guess * mpf("1.01")), tol=mpf(10) ** -45)
    return results


def mm1_closed(arrival_rate, service_rate, time, probability):
    """M/M/1 close to saturation, where the sum over states would be too long."""
    lam, mu = mpf(arrival_rate), mpf(service_rate)
    rho, spare = lam / mu, mu - lam
    return {
        "utilization": rho, "wait_probability": rho, "number_in_system": rho / (1 - rho),
        "number_in_queue": rho**2 / (1 - rho), "sojourn_time_mean": 1 / spare, "waiting_time_mean": 1 / spare - 1 / mu,
        "waiting_time_variance": 1 / spare**2 - 1 / mu**2, "sojourn_time_tail": exp(-spare * mpf(time)),
        "waiting_time_tail": rho * exp(-spare * mpf(time)), "success": 1 - exp(-spare * mpf(time)),
        "sojourn_time_quantile": -log(1 - mpf(probability)) / spare,
    }


def mm1():
    for lam, mu, time, probability in [(0.5, 1.0, 3.0, 0.5), (0.8, 1.0, 10.0, 0.99), (0.6, 1.0, 10.0, 0.999999),
                                       (0.9, 1.0, 400.0, 0.9), (1e-7, 2.0, 20.0, 1e-9), (30.0, 40.0, 1e-12, None)]:
        parameters = {"arrival_rate": lam, "service_rate": mu, "time": time}
        if probability is not None:
            parameters["probability"] = probability
        add("mm1", parameters, mm1_by_states(lam, mu, time, probability),
            "sum over the states of the queue, 60 digits")
    for lam, mu, time, probability in [(1.0 - 1e-12, 1.0, 1e13, 0.99), (1.0 - 2.0**-53, 1.0, 1.0, 0.5),
                                       (99.99, 100.0, 60000.0, 1.0 - 2.0**-53)]:
        add("mm1", {"arrival_rate": lam, "service_rate": mu, "time": time, "probability": probability},
            mm1_closed(lam, mu, time, probability),
            "textbook formulas in ρ and as differences of moments, 60 digits (the sum over states is too long)")
    add("mm1", {"arrival_rate": 5.0, "service_rate": 6.0},
        {"utilization": Fraction(5, 6), "number_in_system": 5, "number_in_queue": Fraction(25, 6),
         "sojourn_time_mean": 1, "waiting_time_mean": Fraction(5, 6)},
        "Gross, Shortle, Thompson and Harris, 2008, chapter 2, the hair salon with 5 arrivals an hour and 10 minutes "
        "a cut")
    for lam in (1.0, 1.25):
        add("mm1", {"arrival_rate": lam, "service_rate": 1.0, "time": 7.0, "probability": 0.5},
            {"utilization": 1, "wait_probability": 1, "sojourn_time_tail": 1, "waiting_time_tail": 1, "success": 0,
             "number_in_system": None, "number_in_queue": None, "sojourn_time_mean": None,
             "waiting_time_mean": None, "waiting_time_variance": None, "sojourn_time_quantile": None},
            "long-run fractions of a queue that grows without bound")


def mm1k_by_states(arrival_rate, service_rate, places, time):
    """M/M/1/K from the balance of its states."""
    lam, mu = mpf(arrival_rate), mpf(service_rate)
    weights = [mpf(1)]
    for _ in range(places):
        weights.append(weights[-1] * lam / mu)
    total = sum(weights)
    states = [weight / total for weight in weights]
    accepted = sum(states[:-1])
    found = [state / accepted for state in states[:-1]]
    results = {
        "blocking": states[-1],
        "empty_probability": states[0],
        "number_in_system": sum(n * state for n, state in enumerate(states)),
        "sojourn_time_mean": sum((n + 1) * state for n, state in enumerate(found)) / mu,
        "waiting_time_mean": sum(n * state for n, state in enumerate(found)) / mu,
    }
    if time is not None:
        poisson, cumulated, tail = exp(-mu * mpf(time)), mpf(0), mpf(0)
        for n, state in enumerate(found):
            cumulated += poisson
            tail += state * cumulated
            poisson *= mu * mpf(time) / (n + 1)
        results["sojourn_time_tail"] = tail
        # The complement of a tail near 1 is added up by itself: what more services than were found end in time.
        # Here `poisson` is the probability of exactly as many as there are places.
        more, term, within = mpf(0), poisson, mpf(0)
        services = places
        while term > more * mpf(10) ** -60 or services < mu * mpf(time):
            more += term
            services += 1
            term *= mu * mpf(time) / services
        for n in reversed(range(places)):
            within += found[n] * more
            poisson *= (n + 1) / (mu * mpf(time))
            more += poisson
        results["success"] = accepted * within
    return results


def mm1k():
    nearly = 1.0 + 2.0**-52
    cases = [(0.8, 1.0, 10, 10.0), (0.9, 1.0, 10, 50.0), (0.5, 1.0, 1, 2.0), (1.0, 1.0, 4, 3.0), (1.25, 1.0, 10, 10.0),
             (4.0, 1.0, 30, 60.0), (4.0, 1.0, 30, 5.0), (1e-6, 1.0, 3, 0.5), (0.3, 1.0, 40, 30.0), (2.0, 3.0, 20, 1e-9),
             (3.0, 2.0, 20, 1e-9), (nearly, 1.0, 7, 2.5), (1.0 - 1e-9, 1.0, 50, 40.0), (1e4, 1.0, 25, 3.0),
             (0.999, 1.0, 10000, 2000.0), (1.0, 1.0, 10000, 10500.0), (1.001, 1.0, 10000, 12000.0),
             (0.9999, 1.0, 10000, 9000.0), (1.3, 1.0, 10000, 9000.0), (0.95, 1.0, 10000, None), (1.0, 1.0, 100000, None),
             (0.3, 0.7, 10000, 500.0), (nearly, 1.0, 10000, None), (1.0 + 1e-7, 1.0, 10000, None),
             (0.999, 1.0, 10000, 8000.0), (1.0, 1.0, 10000, 13000.0), (1000.0, 1200.0, 60, 0.08), (1.2e6, 1e6, 2000, 1e-4)]
    for lam, mu, places, time in cases:
        parameters = {"arrival_rate": lam, "service_rate": mu, "places": places}
        if time is not None:
            parameters["time"] = time
        add("mm1k", parameters, mm1k_by_states(lam, mu, places, time),
            "balance of the states, and Erlang sojourns summed over the number found, 60 digits")
    add("mm1k", {"arrival_rate": 0.0, "service_rate": 4.0, "places": 3, "time": 0.25},
        {"blocking": 0, "empty_probability": 1, "number_in_system": 0, "sojourn_time_mean": Fraction(1, 4),
         "waiting_time_mean": 0, "sojourn_time_tail": exp(mpf(-1)), "success": 1 - exp(mpf(-1))},
        "a customer who comes alone")


if __name__ == "__main__":
    for fill in (amplification, tiers, ceiling, capped, correlated, lines, growth, policy, mm1, mm1k):
        fill()
    for quantity, references in REFERENCES.items():
        rows = ",\n".join("  " + json.dumps(reference, ensure_ascii=False) for reference in references)
        (FOLDER / f"{quantity}.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")
        print(f"{quantity}: {len(references)} values")
