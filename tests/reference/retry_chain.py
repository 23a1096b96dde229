#!/usr/bin/env python3
"""Reference values for one server whose clients give up and retry, with abandoned attempts left in a limited queue.

Writes retry-chain.json beside itself; needs mpmath. The matrix of rates of the whole chain is built by following each
event of each state, and its linear equations are solved with 60 digits, by a general elimination with pivots. Parameters
are the doubles that the program reads.
"""

import json
import sys
from pathlib import Path

from mpmath import lu_solve, matrix, mp, mpf, nstr

mp.dps = 60
FOLDER = Path(__file__).resolve().parent
EMPTY = (0, 0, None)


def size(state):
    """Attempts in the system: with a client and waiting, without and waiting, in service."""
    live, lost, served = state
    return live + lost + (served is not None)


def join(state, places):
    """An attempt is sent: the state after it, or None when it is rejected."""
    live, lost, served = state
    if size(state) == places:
        return None
    return (live, lost, "live") if served is None else (live + 1, lost, served)


def events(state, lam, mu, theta, q, places):
    """(rate, next state, attempts sent) of each event; all that follows a rejection at once is one event."""
    live, lost, served = state

    def sends(rate, before):
        after = join(before, places)
        # A rejected attempt is followed by another with probability q, which is rejected as well, and so on.
        if after is None:
            return (rate, before, 1 / (1 - q) if q < 1 else mp.inf)
        return (rate, after, 1)

    yield sends(lam, state)
    for count, given_up in [(live, (live - 1, lost + 1, served)), (int(served == "live"), (live, lost, "lost"))]:
        if count:
            yield sends(count * theta * q, given_up)
            yield count * theta * (1 - q), given_up, 0
    if served is not None:
        if live + lost == 0:
            yield mu, EMPTY, 0
        if live:
            yield mu * live / (live + lost), (live - 1, lost, "live"), 0
        if lost:
            yield mu * lost / (live + lost), (live, lost - 1, "lost"), 0


def expected_times(states, rates_to, reward):
    """Solves Σ rate(x → y)·(t(x) − t(y)) = reward(x) over all states, where t is 0 outside them."""
    index = {state: i for i, state in enumerate(states)}
    a = matrix(len(states), len(states))
    b = matrix(len(states), 1)
    for state, i in index.items():
        b[i] = reward(state)
        for rate, to, _ in rates_to(state):
            if to != state:
                a[i, i] += rate
                if to in index:
                    a[i, index[to]] -= rate
    solution = lu_solve(a, b)
    return {state: solution[i] for state, i in index.items()}


def stationary(states, rates_to):
    index = {state: i for i, state in enumerate(states)}
    a = matrix(len(states), len(states))
    for state, i in index.items():
        for rate, to, _ in rates_to(state):
            if to != state:
                a[index[to], i] += rate
                a[i, i] -= rate
    for i in range(len(states)):
        a[0, i] = 1
    b = matrix(len(states), 1)
    b[0] = 1
    solution = lu_solve(a, b)
    return {state: solution[i] for state, i in index.items()}


def results(lam, mu, patience, q, places):
    lam, mu, theta, q = mpf(lam), mpf(mu), 1 / mpf(patience), mpf(q)

    def rates_to(state):
        return events(state, lam, mu, theta, q, places)

    states = [EMPTY] + [(live, waiting - live, served) for waiting in range(places)
                        for live in range(waiting + 1) for served in ("live", "lost")]
    share = stationary(states, rates_to)
    wanted = sum(p for state, p in share.items() if state[2] == "live")
    busy = 1 - share[EMPTY]
    sent = sum(p * rate * attempts for state, p in share.items() for rate, _, attempts in rates_to(state) if attempts)
    # Service that ends in time takes 1/(μ + θ) on average, and μ·wanted of them do per unit of time.
    in_time = mu * wanted / (mu + theta)
    full = [state for state in states if size(state) == places]
    below = [state for state in states if size(state) < places]
    to_full = expected_times(below, rates_to, lambda state: 1)[EMPTY]
    to_empty = expected_times(states[1:], rates_to, lambda state: 1)

    def first_step_to_full(state):
        return sum(rate * to_empty[to] for rate, to, _ in rates_to(state) if size(to) == places)

    from_full = expected_times(below, rates_to, first_step_to_full)[EMPTY]
    assert len(full) == 2 * places
    return {"success": mu * wanted / lam,
            "attempts_per_request": sent / lam if q < 1 else None,
            "abandoned_work": 1 - in_time / busy,
            "number_in_system": sum(size(state) * p for state, p in share.items()),
            "time_to_full": to_full,
            "time_to_empty": from_full}


CASES = [
    (0.6, 1.0, 10.0, 0.9, 1), (0.6, 1.0, 10.0, 0.9, 2), (0.6, 1.0, 10.0, 0.9, 3), (0.6, 1.0, 10.0, 0.9, 8),
    (0.5, 1.0, 4.0, 0.95, 12), (0.7, 2.0, 1.5, 0.5, 6), (3.0, 1.0, 2.0, 0.8, 7), (120.0, 100.0, 0.05, 2 / 3, 5),
    (0.01, 1.0, 20.0, 0.3, 9), (1e-4, 1.0, 50.0, 0.1, 8), (1e-6, 1.0, 1e6, 0.99, 6), (1e-8, 3.0, 1e3, 0.0, 4),
    (0.4, 1.0, 1e-9, 0.5, 5), (0.4, 1.0, 1e9, 0.5, 8), (1e5, 1.0, 3.0, 0.7, 5), (0.3, 1.0, 8.0, 1.0, 6),
    (0.5, 1.0, 5.0, 0.999999999, 6), (0.8, 1.0, 1e5, 0.0, 10), (0.45, 1.0, 12.0, 0.98, 14), (1e-12, 1.0, 1e-3, 0.2, 7),
]


if __name__ == "__main__":
    rows = []
    for case in CASES:
        parameters = dict(zip(("arrival_rate", "service_rate", "patience_mean", "retry_probability", "places"), case))
        for result, value in results(*case).items():
            text = None if value is None or value > sys.float_info.max else nstr(value, 40, strip_zeros=False)
            rows.append({"quantity": "retry-chain", "parameters": parameters, "result": result, "value": text,
                         "origin": "linear equations of the whole chain, solved with 60 digits"})
        print(case, flush=True)
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    (FOLDER / "retry-chain.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
