#!/usr/bin/env python3
"""Reference values for the queues with several servers, other orders of service, impatience or other service times.

Writes one JSON file per quantity beside itself; needs mpmath. Values are computed with 60 digits or more from
definitions: probabilities of states added up, densities integrated, transforms expanded or conditioned on the number of
events. Parameters are the doubles that the program reads.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

from mpmath import besseli, exp, expm1, factorial, log, log10, loggamma, mp, mpf, nstr, quad, sqrt, taylor, workdps

mp.dps = 60
FOLDER = Path(__file__).resolve().parent
REFERENCES = {}


def add(quantity, parameters, results, origin):
    """Records the results of a quantity at some parameters."""
    for result, value in results.items():
        if isinstance(value, Fraction):
            value = mpf(value.numerator) / value.denominator
        if value is None or value > sys.float_info.max:
            text = None
        else:
            text = nstr(mpf(value), 40, strip_zeros=False) if value else "0." + "0" * 40
        REFERENCES.setdefault(quantity, []).append(
            {"quantity": quantity, "parameters": parameters, "result": result, "value": text, "origin": origin}
        )


def loss_states(load, servers):
    """Σ aⁿ/n! over n < c, and a^c/c!."""
    term, total = mpf(1), mpf(0)
    for n in range(servers):
        total += term
        term *= load / (n + 1)
    return total, term


def erlang():
    summed = "sum of all states of the system, 60 digits"
    cases = [(1.0, 1), (1.0, 2), (10.0, 10), (0.3, 5), (1e-60, 5), (1e-3, 100), (8.5, 16), (8.5, 15), (40.0, 150),
             (100.0, 100), (99.999999, 100), (1e-9, 1), (0.999999999999, 1), (170.0, 200), (500.0, 480), (420.0, 480),
             (990.0, 1000), (1e5, 100), (99000.0, 100_000), (100_000.0, 100_000), (99_999.999, 100_000),
             (120_000.0, 100_000), (95_000.0, 100_000), (980_000.0, 1_000_000), (1_000_000.0, 1_000_000),
             (965_000.0, 1_000_000), (999_999.9999, 1_000_000), (3e6, 1_000_000), (50.0, 16), (15.9, 16), (1e300, 3)]
    for load, servers in cases:
        below, full = loss_states(mpf(load), servers)
        parameters = {"offered_load": load, "servers": servers}
        add("erlang-b", parameters, {"blocking": full / (below + full)}, summed)
        if load < servers:
            waiting = full * servers / (servers - mpf(load))
            add("erlang-c", parameters, {"wait_probability": waiting / (below + waiting)}, summed)
        else:
            add("erlang-c", parameters, {"wait_probability": 1}, "the queue grows without bound, so that all wait")
    for quantity, result in (("erlang-b", "blocking"), ("erlang-c", "wait_probability")):
        add(quantity, {"offered_load": 0.0, "servers": 3}, {result: 0}, "no arrivals")


def two_stages_tail(first, second, at):
    """P(exponential(first) + exponential(second) > at)."""
    if first == second:
        return (1 + first * at) * exp(-first * at)
    with workdps(mp.dps + 140):
        return (second * exp(-first * at) - first * exp(-second * at)) / (second - first)


def mmc_results(lam, mu, servers, time, probability):
    lam, mu = mpf(lam), mpf(mu)
    load, spare = lam / mu, servers * mu - lam
    below, full = loss_states(load, servers)
    rho = lam / (servers * mu)
    total = below + full / (1 - rho)
    busy = full / (1 - rho) / total
    in_queue = full / total * rho / (1 - rho) ** 2
    in_service = load
    waits = {"first": busy / spare, "second": 2 * busy / spare**2}
    results = {
        "utilization": rho, "wait_probability": busy, "number_in_queue": in_queue,
        "number_in_system": in_queue + in_service, "waiting_time_mean": waits["first"],
        "sojourn_time_mean": (in_queue + in_service) / lam,
        "waiting_time_variance": waits["second"] - waits["first"] ** 2,
    }

    def tail(at):
        return below / total * exp(-mu * at) + busy * two_stages_tail(spare, mu, at)

    if time is not None:
        time = mpf(time)
        results["waiting_time_tail"] = busy * exp(-spare * time)
        results["sojourn_time_tail"] = tail(time)
        results["success"] = 1 - tail(time)
    if probability is not None:
        wanted = 1 - mpf(probability)
        low, high = mpf(0), mpf(1) / mu
        while tail(high) > wanted:
            high *= 2
        while high - low > high * mpf(10) ** -45:
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle) > wanted else (low, middle)
        results["sojourn_time_quantile"] = low
    return results


def mmc():
    near = 1.0 + 2.0**-50
    cases = [(0.8, 1.0, 1, 10.0, 0.99), (1.5, 1.0, 2, 4.0, 0.5), (1.0, 1.0, 2, 3.0, 0.9), (near, 1.0, 2, 3.0, 0.9),
             (1.0 + 1e-9, 1.0, 2, 100.0, 1e-9), (9.0, 1.0, 10, 5.0, 0.9999), (9.0 - 1e-7, 1.0, 10, 500.0, 0.001),
             (10500.0, 25.0, 480, 0.12, 0.95), (11900.0, 25.0, 480, 0.12, 0.95), (11999.99, 25.0, 480, 3.0, 0.3),
             (1e-7, 1.0, 4, 2.0, 1e-12), (99_900.0, 1.0, 100_000, 0.01, 0.999), (99_999.0, 1.0, 100_000, 20.0, 0.7),
             (99_990.0, 1.0, 100_000, 60.0, 1.0 - 1e-15), (3.0 * (1.0 - 1e-12), 1.0, 3, 1e13, 0.5), (0.3, 0.1, 7, 250.0, 0.2),
             (0.7, 0.1, 8, 30.0, 1e-6), (2.5, 1.0, 3, 700.0, 1e-200)]
    for lam, mu, servers, time, probability in cases:
        parameters = {"arrival_rate": lam, "service_rate": mu, "servers": servers, "time": time,
                      "probability": probability}
        with workdps(60 + (220 if probability < 1e-100 else 0)):
            results = mmc_results(lam, mu, servers, time, probability)
        add("mmc", parameters, results, "sums over the states and partial fractions of the sojourn, 60 digits")
    for lam in (3.0, 4.5):
        add("mmc", {"arrival_rate": lam, "service_rate": 1.0, "servers": 3, "time": 7.0, "probability": 0.5},
            {"utilization": 1, "wait_probability": 1, "sojourn_time_tail": 1, "waiting_time_tail": 1, "success": 0,
             "number_in_system": None, "number_in_queue": None, "sojourn_time_mean": None,
             "waiting_time_mean": None, "waiting_time_variance": None, "sojourn_time_quantile": None},
            "long-run fractions of a queue that grows without bound")
    add("mmc", {"arrival_rate": 0.0, "service_rate": 2.0, "servers": 3, "time": 0.5},
        {"utilization": 0, "wait_probability": 0, "number_in_system": 0, "sojourn_time_mean": Fraction(1, 2),
         "sojourn_time_tail": exp(mpf(-1)), "waiting_time_tail": 0}, "a customer who comes alone")


def stages_then_service_tails(rate, mu, at, most):
    """P(k stages of `rate` in sequence, then one of rate `mu`, > at) for k = 1 … most.

    Convolution with the last stage gives tail(k) = P(k stages > at) + h(k), where h(k) = ∫ f_k(u) e^(−mu(at−u)) du
    solves rate·h(k−1) = (rate − mu)·h(k) + f_k(at), by parts; f_k is the density of k stages.
    """
    # The recursion forgets e^(rate·at) of its digits and (rate/(rate − mu))^most more.
    lost = 2 * rate * at / 2.3 + (most * log10(rate / (rate - mu)) if rate != mu else 0)
    with workdps(mp.dps + 40 + int(lost)):
        poisson = exp(-rate * at)
        cumulated = mpf(0)
        convolved = exp(-mu * at)
        tails = []
        for k in range(1, most + 1):
            cumulated += poisson
            density = rate * poisson
            convolved = density * at / k if rate == mu else (rate * convolved - density) / (rate - mu)
            tails.append(cumulated + convolved)
            poisson *= rate * at / k
        return tails


def mmck_results(lam, mu, servers, places, time):
    lam, mu = mpf(lam), mpf(mu)
    weights = [mpf(1)]
    for n in range(places):
        weights.append(weights[-1] * lam / (mu * min(n + 1, servers)))
    total = sum(weights)
    states = [weight / total for weight in weights]
    accepted = sum(states[:-1])
    waits = sum((n - servers + 1) * states[n] for n in range(servers, places)) / (servers * mu) / accepted
    results = {
        "blocking": states[-1],
        "empty_probability": states[0],
        "number_in_system": sum(n * state for n, state in enumerate(states)),
        "waiting_time_mean": waits,
        "sojourn_time_mean": waits + 1 / mu,
    }
    if time is not None:
        time = mpf(time)
        at_once = sum(states[:servers]) if places > servers else accepted
        tail = at_once * exp(-mu * time)
        tails = stages_then_service_tails(servers * mu, mu, time, places - servers)
        tail += sum(states[servers + k] * value for k, value in enumerate(tails))
        results["sojourn_time_tail"] = tail / accepted
    return results


def mmck():
    nearly = 2.0 + 2.0**-51
    cases = [(2.0, 1.0, 2, 3, 1.0), (0.8, 1.0, 1, 10, 10.0), (4.0, 1.0, 1, 30, 60.0), (8.0, 4.0, 5, 12, 0.5),
             (2.0, 1.0, 2, 40, 30.0), (nearly, 1.0, 2, 12, 5.0), (5.0, 1.0, 5, 5, 3.0), (1e-6, 1.0, 3, 6, 0.5),
             (1e4, 1.0, 3, 25, 4.0), (1.0, 1.0, 2, 30, 12.0), (1.0 + 1e-9, 1.0, 2, 30, 200.0), (12.0, 1.0, 16, 60, 1e-9),
             (12.0, 1.0, 16, 60, 40.0), (17.0, 1.0, 16, 60, 4.0), (30.0, 1.0, 16, 60, 6.0), (90.0, 1.0, 100, 130, 2.0),
             (480.0, 1.0, 480, 1000, 2.5), (600.0, 1.0, 480, 1000, 1.0), (11_000.0, 25.0, 480, 600, 0.12),
             (0.95, 1.0, 2, 10_000, None), (9.99, 1.0, 10, 10_000, None), (10.0, 1.0, 10, 10_000, None),
             (10.01, 1.0, 10, 10_000, None), (13.0, 1.0, 10, 10_000, None), (9.99, 1.0, 10, 10_000, 100.0),
             (10.0, 1.0, 10, 10_000, 300.0), (100_000.0, 1.0, 100_000, 110_000, None),
             (99_900.0, 1.0, 100_000, 110_000, None), (101_000.0, 1.0, 100_000, 110_000, None),
             (98_000.0, 1.0, 100_000, 100_500, None), (1e5, 1.0, 100_000, 100_000, None), (1e-3, 1.0, 2, 2, 1.0)]
    for lam, mu, servers, places, time in cases:
        parameters = {"arrival_rate": lam, "service_rate": mu, "servers": servers, "places": places}
        if time is not None:
            parameters["time"] = time
        add("mmck", parameters, mmck_results(lam, mu, servers, places, time),
            "balance of the states, and the time of stages in sequence summed over the number found, 60 digits or more")
    add("mmck", {"arrival_rate": 0.0, "service_rate": 4.0, "servers": 1, "places": 3, "time": 0.25},
        {"blocking": 0, "empty_probability": 1, "number_in_system": 0, "sojourn_time_mean": Fraction(1, 4),
         "waiting_time_mean": 0, "sojourn_time_tail": exp(mpf(-1))}, "a customer who comes alone")


def busy_period():
    """Moments from the Taylor series of the transform that solves λ B² − (λ + μ + s) B + μ = 0."""
    for lam, mu in [(0.5, 1.0), (0.9, 1.0), (1e-6, 1.0), (0.999999, 1.0), (30.0, 40.0), (0.0, 2.0), (1.0 - 2.0**-30, 1.0)]:
        with workdps(mp.dps + 140):
            l, m = mpf(lam), mpf(mu)

            def transform(s, l=l, m=m):
                return 2 * m / (l + m + s + sqrt((l + m + s) ** 2 - 4 * l * m))

            with workdps(400):
                series = taylor(transform, 0, 3, h=mpf(10) ** -90 * (m - l) ** 2)
            add("busy-period", {"arrival_rate": lam, "service_rate": mu},
                {"mean": -series[1], "second_moment": 2 * series[2], "third_moment": -6 * series[3]},
                "Taylor series of the transform of the busy period, differentiated numerically with 400 digits")
    for lam in (1.0, 1.5):
        add("busy-period", {"arrival_rate": lam, "service_rate": 1.0},
            {"mean": None, "second_moment": None, "third_moment": None}, "no moments from saturation on")


def ballot_probabilities(rho):
    """P(n customers are served in a busy period), n = 1, 2, …, while not negligible against the sum."""
    up, down = rho / (1 + rho), 1 / (1 + rho)
    value, n = down, 1
    while value > mpf(10) ** -(mp.dps + 120):
        yield value
        value *= up * down * 2 * (2 * n - 1) / (n + 1)
        n += 1


def lifo_by_events(lam, mu, time):
    """Tails conditioned on the number served: n services in a busy period are 2n − 1 events of a Poisson process."""
    lam, mu, time = mpf(lam), mpf(mu), mpf(time)
    rho = lam / mu
    served = list(ballot_probabilities(rho))
    tails = stages_then_service_tails(lam + mu, mu, time, 2 * len(served) - 1)
    poisson, cumulated, events = exp(-(lam + mu) * time), mpf(0), 0
    wait = sojourn = mpf(0)
    for n, probability in enumerate(served, start=1):
        while events < 2 * n - 1:
            cumulated += poisson
            events += 1
            poisson *= (lam + mu) * time / events
        wait += probability * cumulated
        sojourn += probability * tails[2 * n - 2]
    endless = max(1 - 1 / rho, mpf(0))
    busy = min(rho, mpf(1))
    return {"waiting_time_tail": busy * (wait + endless),
            "sojourn_time_tail": (1 - busy) * exp(-mu * time) + busy * (sojourn + endless)}


def lifo_by_bessel(lam, mu, time):
    """Tails by integrating the density with a Bessel function, 40 digits."""
    with workdps(40):
        lam, mu, time = mpf(lam), mpf(mu), mpf(time)
        rho = lam / mu
        slowest = (sqrt(mu) - sqrt(lam)) ** 2

        def density(u):
            return exp(-(lam + mu) * u) * besseli(1, 2 * sqrt(lam * mu) * u) / (u * sqrt(rho)) if u else mu

        # The quadrature stops at an absolute error, hence numbers near 1 for it.
        leading = exp(-slowest * time)
        if slowest * time > 5:
            points = [time]
            while points[-1] < time + 150 / slowest:
                points.append(min(points[-1] * 2, points[-1] + 10 / slowest))
            finite = leading * quad(lambda u: density(u) / leading, points)
        else:
            points = [mpf(0), min(time, 1 / mu)]
            while points[-1] < time:
                points.append(min(points[-1] * 4, time))
            finite = min(1 / rho, mpf(1)) - quad(density, points)
        parts = [mpf(0)]
        while parts[-1] + 5 / mu < time:
            parts.append(parts[-1] + 5 / mu)
        parts.append(time)
        # The last few hundred mean service times are all that e^(−mu(time−u)) leaves.
        parts = parts[-30:]
        served = leading * quad(lambda u: density(u) * exp(-mu * (time - u)) / leading, parts)
        endless = max(1 - 1 / rho, mpf(0))
        busy = min(rho, mpf(1))
        return {"waiting_time_tail": busy * (finite + endless),
                "sojourn_time_tail": (1 - busy) * exp(-mu * time) + busy * (finite + served + endless)}


def lifo():
    for lam, mu, time in [(0.5, 1.0, 2.0), (0.3, 1.0, 60.0), (0.1, 1.0, 400.0),
                          (1e-8, 1.0, 3.0), (1e-3, 1.0, 0.001), (0.5, 1.0, 300.0), (0.9, 2.0, 1e-6), (2.0, 1.0, 3.0),
                          (4.0, 1.0, 2.0), (4.0, 1.0, 30.0), (9.0, 1.0, 8.0), (50.0, 1.0, 0.3)]:
        results = lifo_by_events(lam, mu, time)
        results["success"] = 1 - results["sojourn_time_tail"]
        if lam < mu:
            l, m = mpf(lam), mpf(mu)
            results["waiting_time_mean"] = l / m / (m - l)
            results["waiting_time_second_moment"] = l / m * 2 * m / (m - l) ** 3
        else:
            results["waiting_time_mean"] = results["waiting_time_second_moment"] = None
        add("lifo", {"arrival_rate": lam, "service_rate": mu, "time": time}, results,
            "conditioned on the number served in the busy period, 60 digits; moments by Little's law and Takács, 1962")
    for lam, mu, time in [(0.9, 1.0, 10.0), (0.95, 1.0, 10.0), (0.8, 1.0, 50.0), (0.75, 1.0, 5000.0), (30.0, 40.0, 1.5), (1.5, 1.0, 40.0), (0.99, 1.0, 100.0), (0.99, 1.0, 2e5), (0.999999, 1.0, 1e6), (1.0, 1.0, 50.0),
                          (1.0 - 1e-10, 1.0, 1e4), (1.01, 1.0, 500.0)]:
        add("lifo", {"arrival_rate": lam, "service_rate": mu, "time": time}, lifo_by_bessel(lam, mu, time),
            "integral of the Bessel density of the busy period, 40 digits")


def patience_results(lam, mu, servers, patience, timeout):
    """Balance of the states below c, and the density of the wait integrated numerically."""
    with workdps(40):
        lam, mu, patience, timeout = mpf(lam), mpf(mu), mpf(patience), mpf(timeout)
        below, full = loss_states(lam / mu, servers)
        slope = servers * mu - lam
        # Relative to the state with c − 1 in the system the density just above 0 is λ.
        start = lam * full * servers * mu / lam

        def density(x):
            return start * exp(-slope * x)

        scale = 1 / max(abs(slope), mu, 1 / patience if patience else mpf(1))

        def pieces(end):
            points = [mpf(0)]
            step = 4 * scale
            # The steps fit the region where the density is large: its left end, or its right end under overload.
            while points[-1] + step < end and len(points) < 60:
                points.append(points[-1] + step)
            points.append(end)
            return points if slope >= 0 else [end - point for point in reversed(points)]

        def integral(function, end):
            return quad(function, pieces(end)) if end > 0 else mpf(0)

        leaving = density(patience) / (servers * mu)
        total = below + integral(density, patience) + leaving
        shorter = min(patience, timeout)
        answered = below * -expm1(-mu * timeout)
        answered += integral(lambda x: density(x) * -expm1(-mu * (timeout - x)), shorter)
        return {"abandonment": leaving / total, "success": answered / total}


def patience():
    cases = [(0.95, 1.0, 1, 50.0, None), (0.95, 1.0, 1, 10.0, None), (1.0, 1.0, 1, 2.0, None), (0.6, 1.0, 1, 10.0, 12.0),
             (1.0 + 1e-12, 1.0, 1, 3.0, None), (1.5, 1.0, 1, 10.0, 4.0), (3.0, 1.0, 1, 10.0, None), (0.5, 1.0, 1, 60.0, None),
             (4.5, 1.0, 5, 2.0, 3.0), (4.0, 1.0, 5, 1.0, 0.25), (8.0, 1.0, 5, 3.0, 3.5), (5.0, 1.0, 5, 4.0, 0.0),
             (0.3, 1.0, 4, 0.0, 1.0), (10_500.0, 25.0, 480, 0.12, None), (12_500.0, 25.0, 480, 0.12, None),
             (11_990.0, 25.0, 480, 0.12, 0.2), (1e-6, 1.0, 3, 1.0, 2.0), (0.5, 1.0, 1, 3.0, 1e-8), (2.0, 1.0, 1, 3.0, 1e-8),
             (99_000.0, 1.0, 100_000, 0.01, 1.0), (100_000.0, 1.0, 100_000, 0.02, 1.0), (110_000.0, 1.0, 100_000, 0.1, 0.1),
             (100_000.0, 1.0, 100_000, 1e-7, 2.0), (300.0, 1.0, 1, 5.0, None)]
    for lam, mu, servers, wait, timeout in cases:
        parameters = {"arrival_rate": lam, "service_rate": mu, "servers": servers, "patience": wait}
        if timeout is not None:
            parameters["timeout"] = timeout
        add("patience", parameters, patience_results(lam, mu, servers, wait, wait if timeout is None else timeout),
            "balance of the states and numerical integration of the density of the wait, 40 digits")
    add("patience", {"arrival_rate": 0.0, "service_rate": 2.0, "servers": 3, "patience": 0.5},
        {"abandonment": 0, "success": 1 - exp(mpf(-1))}, "a customer who comes alone")


def mg1():
    """Means from the second moment of the service time."""
    for lam, mean, scv in [(0.5, 1.0, 0.0), (0.8, 1.0, 1.0), (0.9, 1.0, 2.5), (1e-9, 1.0, 3.0), (0.999999999, 1.0, 0.3),
                           (0.1, 9.999999999999, 0.5), (30.0, 0.025, 4.0), (0.0, 2.0, 1.0), (0.7, 1.25, 1e6)]:
        lam_exact, mean_exact, scv_exact = Fraction(lam), Fraction(mean), Fraction(scv)
        second = (1 + scv_exact) * mean_exact**2
        wait = lam_exact * second / 2 / (1 - lam_exact * mean_exact)
        add("mg1", {"arrival_rate": lam, "service_mean": mean, "service_scv": scv},
            {"waiting_time_mean": wait, "number_in_queue": lam_exact * wait, "sojourn_time_mean": wait + mean_exact},
            "λE[S²]/(2(1 − ρ)) and Little's law in rational arithmetic")
    for lam in (1.0, 2.0):
        add("mg1", {"arrival_rate": lam, "service_mean": 1.0, "service_scv": 0.5},
            {"waiting_time_mean": None, "number_in_queue": None, "sojourn_time_mean": None},
            "the queue grows without bound")


def md1_wait_within(lam, service, at):
    """P(wait ≤ at) by Erlang's alternating sum, with enough digits for its cancellation."""
    with workdps(mp.dps + 330 + int(2 * lam * at + 2 * at / service)):
        total, j = mpf(0), 0
        while j * service <= at:
            exponent = lam * (at - j * service)
            total += (-exponent) ** j * exp(exponent) / factorial(j)
            j += 1
        return (1 - lam * service) * total


def md1():
    for lam, service, time in [(0.5, 1.0, 0.0), (0.5, 1.0, 0.5), (0.8, 1.0, 1.0), (0.8, 1.0, 10.0), (0.9, 1.0, 40.0),
                               (0.95, 1.0, 3.7), (0.5, 1.0, 127.25), (0.5, 1.0, 128.0), (0.5, 1.0, 200.5), (0.1, 2.0, 90.3),
                               (1e-3, 1.0, 12.6), (1e-6, 1.0, 5.999), (1e-6, 1.0, 20.0), (0.01, 1.0, 100.0), (0.024, 1.0, 127.9),
                               (0.03, 1.0, 128.5), (0.025, 1.0, 130.0), (0.3, 1.0, 60.0), (0.3, 1.0, 250.0), (0.999, 1.0, 127.0),
                               (0.999, 1.0, 129.0), (0.999999999, 1.0, 140.0), (0.75, 1.25, 33.0), (0.99, 1.0, 700.0),
                               (0.7, 1.0, 400.0), (0.6, 1.0, 1e-9), (0.6, 1.0, 1.0 - 2.0**-53), (0.97, 0.1, 2.05)]:
        lam_exact, service_exact, at = mpf(lam), mpf(service), mpf(time)
        rho = lam_exact * service_exact
        wait = lam_exact * service_exact**2 / (2 * (1 - rho))
        second = 2 * wait**2 + lam_exact * service_exact**3 / (3 * (1 - rho))
        with workdps(400):
            tail = 1 - md1_wait_within(lam_exact, service_exact, at)
            sojourn = mpf(1)
            if at >= service_exact:
                sojourn -= md1_wait_within(lam_exact, service_exact, at - service_exact)
        add("md1", {"arrival_rate": lam, "service_time": service, "time": time},
            {"utilization": rho, "wait_probability": rho, "waiting_time_mean": wait,
             "sojourn_time_mean": wait + service_exact, "number_in_queue": lam_exact * wait,
             "number_in_system": lam_exact * (wait + service_exact), "waiting_time_variance": second - wait**2,
             "waiting_time_tail": tail, "sojourn_time_tail": sojourn},
            "Erlang's alternating sum with 400 digits and more; means and second moment by Pollaczek, Khinchine and Takács")
    for lam in (1.0, 1.5):
        add("md1", {"arrival_rate": lam, "service_time": 1.0, "time": 3.0},
            {"utilization": 1, "wait_probability": 1, "waiting_time_tail": 1, "sojourn_time_tail": 1,
             "waiting_time_mean": None, "sojourn_time_mean": None, "number_in_queue": None, "number_in_system": None,
             "waiting_time_variance": None}, "long-run fractions of a queue that grows without bound")
    add("md1", {"arrival_rate": 0.0, "service_time": 2.0, "time": 1.0},
        {"utilization": 0, "number_in_system": 0, "sojourn_time_mean": 2, "waiting_time_tail": 0, "sojourn_time_tail": 1},
        "a customer who comes alone")


def erlang_a():
    """Balance of the states, added up until negligible."""
    for lam, mu, servers, patience in [(1.0, 1.0, 1, 1.0), (0.5, 1.0, 1, 10.0), (4.5, 1.0, 5, 0.5), (5.0, 1.0, 5, 2.0),
                                       (8.0, 1.0, 5, 3.0), (50.0, 1.0, 5, 4.0), (1e-6, 1.0, 3, 1.0), (1e4, 1.0, 3, 1e-3),
                                       (2.0, 1.0, 3, 1e-8), (4.0, 1.0, 3, 1e-8), (0.5, 1.0, 1, 1e4), (0.99, 1.0, 1, 1e5),
                                       (1.0, 1.0, 1, 1e4), (1.05, 1.0, 1, 1e4), (3.0, 1.0, 1, 200.0), (10.0, 0.2, 40, 3.0),
                                       (60.0, 0.2, 250, 8.0), (10_500.0, 25.0, 480, 0.12), (12_500.0, 25.0, 480, 0.12),
                                       (11_999.0, 25.0, 480, 5.0), (99_000.0, 1.0, 100_000, 1.0), (100_000.0, 1.0, 100_000, 2.0),
                                       (101_000.0, 1.0, 100_000, 0.5), (120_000.0, 1.0, 100_000, 1.0),
                                       (98_000.0, 1.0, 100_000, 0.01), (300.0, 1.0, 1, 0.05)]:
        l, m, leave = mpf(lam), mpf(mu), 1 / mpf(patience)
        below, state = loss_states(l / m, servers)
        in_service, term = mpf(0), mpf(1)
        for n in range(servers):
            in_service += n * term
            term *= l / m / (n + 1)
        waiting = queue = mpf(0)
        j = 0
        while state > waiting * mpf(10) ** -70 or l > servers * m + j * leave or j < 3:
            waiting += state
            queue += j * state
            j += 1
            state *= l / (servers * m + j * leave)
        total = below + waiting
        add("erlang-a", {"arrival_rate": lam, "service_rate": mu, "servers": servers, "patience_mean": patience},
            {"wait_probability": waiting / total, "number_in_queue": queue / total,
             "abandonment": leave * queue / total / l,
             "number_in_system": (in_service + servers * waiting + queue) / total},
            "balance of the states, added up, 60 digits")
    for lam, patience in [(0.9999, 1e12), (1.0001, 1e12), (0.5, 1e15), (1.5, 1e9), (1.001, 1e9)]:
        l, leave = mpf(lam), 1 / mpf(patience)
        busy = l * weights_under_long_patience(l / leave, 1 / leave)
        wait = busy / (1 + busy)
        abandonment = 1 - wait / l
        add("erlang-a", {"arrival_rate": lam, "service_rate": 1.0, "servers": 1, "patience_mean": patience},
            {"wait_probability": wait, "abandonment": abandonment, "number_in_queue": l * abandonment / leave,
             "number_in_system": l * abandonment / leave + wait},
            "weights of the states by an incomplete gamma function or added up, rates in balance, 60 digits")


def weights_under_long_patience(x, y):
    """Σ xʲ/((y + 1)…(y + j)) over j ≥ 0; from x = y on as y x^(−y) e^x (Γ(y) − Γ(y, x)), Γ(y, x) by Legendre's fraction."""
    if x < y:
        total, term, j = mpf(0), mpf(1), 0
        while term > mpf(10) ** -75:
            total += term
            j += 1
            term *= x / (y + j)
        return total
    with workdps(100):
        fraction, j = mpf(0), 400
        while j > 0:
            fraction = j * (y - j) / (x + 2 * j + 1 - y + fraction)
            j -= 1
        upper = 1 / (x + 1 - y + fraction)
        return y * (exp(loggamma(y) + x - y * log(x)) - upper)


if __name__ == "__main__":
    for fill in (erlang, mmc, mmck, busy_period, lifo, patience, mg1, md1, erlang_a):
        fill()
        print(fill.__name__, flush=True)
    for quantity, references in REFERENCES.items():
        rows = ",\n".join("  " + json.dumps(reference, ensure_ascii=False) for reference in references)
        (FOLDER / f"{quantity}.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")
        print(f"{quantity}: {len(references)} values")
