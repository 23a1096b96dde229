#!/usr/bin/env python3
"""Asks other people's packages for values of the quantities and writes packages.json beside itself.

Needs the packages of requirements.txt, and Octave with its package queueing. What a package returns is printed with as
many digits as its own arithmetic deserves, so that half a unit of the last one is the precision of the printed value.
Run recompute.py afterwards: it adds the values in high precision.
"""

import json
import subprocess
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import numpy
import stormpy
from line_solver.api.qsys import retrial
from line_solver.api.qsys.abandonment import qsys_erlanga
from line_solver.api.qsys.basic import qsys_mg1, qsys_mm1, qsys_mmck, qsys_mmk
from line_solver.api.qsys.mdc_crommelin import qsys_mdc_crommelin
from most_queue.theory.fifo.erlang import ErlangCCalc, erlang_b_formula, erlang_c_formula
from most_queue.theory.fifo.m_d_n import MDn
from most_queue.theory.fifo.mg1 import MG1Calc
from most_queue.theory.fifo.mmnr import MMnrCalc
from most_queue.theory.impatience.mmn import MMnImpatienceCalc
from most_queue.theory.utils.busy_periods import busy_calc

FOLDER = Path(__file__).resolve().parent
VALUES = []
DISAGREEMENTS = []


def add(source, quantity, parameters, results, call, digits=12, scale=None, offset=None, reason=None):
    """Records what a call returned: the value printed is scale · result + offset where these are given.

    With a reason it is recorded as a value that is known to differ.
    """
    for result, value in results.items():
        entry = {"quantity": quantity, "parameters": parameters, "result": result,
                 "printed": f"{float(value):.{digits - 1}e}", "source": source, "note": call}
        entry |= {"scale": scale} if scale else {}
        entry |= {"offset": offset} if offset else {}
        entry |= {"reason": reason} if reason else {}
        (DISAGREEMENTS if reason else VALUES).append(entry)


def octave():
    """Runs octave_values.m; answers that Octave got from a matrix exponential deserve fewer digits."""
    run = subprocess.run(["octave", "--no-gui", "-q", "octave_values.m"], cwd=FOLDER, capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(lines) == 41, run.stderr
    for line in lines:
        digits = 10 if line["call"].startswith("ctmc ") else 12
        add("octave", line["quantity"], line["parameters"], {line["result"]: line["value"]}, line["call"], digits,
            line.get("scale"))


def storm(model, constants, formula):
    """The exact rational value of a formula in a model of the PRISM language."""
    program = stormpy.parse_prism_program(str(FOLDER / model), prism_compatibility=True)
    program, _ = stormpy.instantiate_constants(program, ",".join(f"{name}={value}" for name, value in constants.items()))
    asked = stormpy.parse_property(formula, program)
    built = stormpy.build_model[stormpy.Rational](program, [asked])
    return float(stormpy.model_checking(built, asked).get_value(built.initial_states[0]))


def storm_attempts():
    call = "attempts.prism, exact"
    for failure, retries, correlation in [(0.1, 2, 0), (0.7, 5, 0), (0.001, 4, 0), (0.3, 2, 0.25), (0.9, 5, 0.5),
                                          (0.001, 4, 1e-10)]:
        constants = {"failure": f"{failure:f}", "retries": retries, "correlation": f"{correlation:.12f}"}
        attempts = storm("attempts.prism", constants, 'R{"attempts"}=? [F "ended"]')
        loss = storm("attempts.prism", constants, 'P=? [F "lost"]')
        parameters = {"failure_probability": failure, "retries": retries}
        if correlation:
            add("storm", "correlated", parameters | {"correlation": correlation}, {"attempts": attempts, "loss": loss}, call)
        else:
            add("storm", "amplification", parameters, {"attempts": attempts, "loss": loss}, call)
            add("storm", "policy", parameters | {"arrival_rate": 500.0, "capacity": 2000.0}, {"attempts": attempts}, call)


def storm_retry_chain():
    for arrivals, mean_patience, q, places in [(0.45, 8, 0.9, 4), (0.7, 2, 0.5, 6), (0.01, 16, 0.3, 8)]:
        constants = {"lambda": arrivals, "mu": 1, "theta": 1 / mean_patience, "q": q, "places": places}

        def ask(formula, constants=constants):
            return storm("retry_chain.prism", constants, formula)

        wanted, busy = ask('LRA=? ["wanted"]'), ask('LRA=? ["busy"]')
        add("storm", "retry-chain",
            {"arrival_rate": arrivals, "service_rate": 1.0, "patience_mean": float(mean_patience), "retry_probability": q,
             "places": places},
            {"success": wanted / arrivals, "attempts_per_request": ask('R{"attempts"}=? [LRA]') / arrivals,
             # Of attempts served with their client waiting the share μ/(μ + θ) of the time is spent before he leaves.
             "abandoned_work": 1 - wanted / (1 + 1 / mean_patience) / busy,
             "number_in_system": ask('R{"size"}=? [LRA]'), "time_to_full": ask('T=? [F "full"]'),
             "time_to_empty": ask('R{"since_full"}=? [F "empty_after_full"]')},
            "retry_chain.prism, exact")


def most_queue():
    for load, servers in [(30.0, 40), (2.0, 25)]:
        parameters = {"offered_load": load, "servers": servers}
        add("most-queue", "erlang-b", parameters, {"blocking": erlang_b_formula(load, servers)}, "erlang_b_formula")
        add("most-queue", "erlang-c", parameters, {"wait_probability": erlang_c_formula(load, servers)}, "erlang_c_formula")
    queue = ErlangCCalc(7)
    queue.set_sources(6.0)
    queue.set_servers(1.0)
    waits, sojourns = queue.get_w(1), queue.get_v(1)
    add("most-queue", "mmc", {"arrival_rate": 6.0, "service_rate": 1.0, "servers": 7},
        {"wait_probability": queue.get_waiting_probability(), "waiting_time_mean": waits[0],
         "sojourn_time_mean": sojourns[0]}, "ErlangCCalc")
    limited = MMnrCalc(3, 7)
    limited.set_sources(4.0)
    limited.set_servers(1.5)
    states, waits = limited.get_p(), limited.get_w(1)
    add("most-queue", "mmck", {"arrival_rate": 4.0, "service_rate": 1.5, "servers": 3, "places": 10},
        {"empty_probability": states[0], "blocking": states[10]}, "MMnrCalc(3, 7)")
    add("most-queue", "mmck", {"arrival_rate": 4.0, "service_rate": 1.5, "servers": 3, "places": 10},
        {"waiting_time_mean": waits[0]}, "MMnrCalc(3, 7)",
        reason="the mean over all arrivals, with those turned away counted as a wait of zero: 1 − blocking times that of the accepted")
    general = MG1Calc()
    general.set_sources(0.7)
    general.set_servers([1.0, 3.0, 15.0, 105.0])
    add("most-queue", "mg1", {"arrival_rate": 0.7, "service_mean": 1.0, "service_scv": 2.0},
        {"waiting_time_mean": general.get_w(1)[0]}, "MG1Calc, gamma services of scv 2")
    general = MG1Calc()
    general.set_sources(0.8)
    general.set_servers([1.0, 1.0, 1.0, 1.0])
    # The mean wait is 2, its square what the second moment has more than the variance.
    add("most-queue", "md1", {"arrival_rate": 0.8, "service_time": 1.0}, {"waiting_time_variance": general.get_w(2)[1]},
        "MG1Calc, second moment of the wait", scale=1, offset=4)
    constant = MDn(1)
    constant.set_sources(0.8)
    constant.set_servers(1.0)
    states = constant.calc_p()
    for time in (1, 4, 12):
        # Crommelin, 1932: nobody waits longer than k services if k or fewer are in the system one such time later.
        add("most-queue", "md1", {"arrival_rate": 0.8, "service_time": 1.0, "time": float(time)},
            {"waiting_time_tail": sum(states[: time + 1])}, f"MDn, P({time} or fewer in the system)", 10, -1, 1)
    impatient = MMnImpatienceCalc(50, 0.5)
    impatient.set_sources(48.0)
    impatient.set_servers(1.0)
    add("most-queue", "erlang-a", {"arrival_rate": 48.0, "service_rate": 1.0, "servers": 50, "patience_mean": 2.0},
        {"abandonment": impatient.get_abandonment_probability(), "wait_probability": impatient.get_waiting_probability(),
         "number_in_queue": impatient.get_mean_queue(), "number_in_system": impatient.get_mean_jobs()},
        "MMnImpatienceCalc(50, 0.5)", 10)
    for arrivals in (0.5, 0.9):
        moments = busy_calc(arrivals, [1.0, 2.0, 6.0], 3)
        parameters = {"arrival_rate": arrivals, "service_rate": 1.0}
        add("most-queue", "busy-period", parameters,
            dict(zip(("mean", "second_moment", "third_moment"), moments)), "busy_calc")
        add("most-queue", "lifo", parameters, {"waiting_time_second_moment": moments[1]},
            "busy_calc: a customer who waits does so for a busy period", scale=1 / arrivals)


def line_patience(arrival_rate, service_rate, servers, patience):
    """M/M/c with constant patience by LINE's solver of M/M/c + G, given the two regimes of a constant: none leave, all leave."""
    regimes = (numpy.array([0.0, patience]), numpy.array([0.0, 0.0, 1.0]), 2)
    retrial.convert_patience_to_regimes = lambda process, options: regimes
    arrivals = [numpy.array([[-arrival_rate]]), numpy.array([[arrival_rate]])]
    network = SimpleNamespace(nstations=2, nclasses=1, proc=[[arrivals], None],
                              patienceProc=numpy.full((2, 1), None, dtype=object))
    topology = SimpleNamespace(source_idx=0, queue_idx=1, class_idx=0, service_rate=service_rate, n_servers=servers)
    throughput = retrial._solve_reneging(network, {}, topology)[3][1, 0]
    return 1 - throughput / arrival_rate


def line():
    for case in [(0.8, 1.0, 1, 2.0), (1.5, 1.0, 1, 3.0), (4.0, 1.0, 5, 1.0), (9.5, 1.0, 10, 0.5)]:
        parameters = dict(zip(("arrival_rate", "service_rate", "servers", "patience"), case))
        add("line", "patience", parameters, {"abandonment": line_patience(*case)},
            "_solve_reneging with the regimes of a constant patience", 10)
    erlang_a = qsys_erlanga(5.0, 1.0, 0.25, 30)
    add("line", "erlang-a", {"arrival_rate": 5.0, "service_rate": 1.0, "servers": 30, "patience_mean": 4.0},
        {"abandonment": erlang_a["abandonRate"] / 5.0, "number_in_queue": erlang_a["meanQueueLength"],
         "number_in_system": erlang_a["meanNumber"]}, "qsys_erlanga(5, 1, 0.25, 30)", 10)
    constant = qsys_mdc_crommelin(0.6, 1.0, 1)
    add("line", "md1", {"arrival_rate": 0.6, "service_time": 1.0},
        {"number_in_system": constant["mean_queue_length"], "number_in_queue": constant["mean_waiting_queue"],
         "sojourn_time_mean": constant["mean_sojourn_time"]}, "qsys_mdc_crommelin(0.6, 1, 1)", 9)
    single = qsys_mm1(3.0, 4.0)
    add("line", "mm1", {"arrival_rate": 3.0, "service_rate": 4.0},
        {"number_in_queue": single["Lq"], "waiting_time_mean": single["Wq"]}, "qsys_mm1(3, 4)")
    several = qsys_mmk(20.0, 3.0, 8)
    add("line", "mmc", {"arrival_rate": 20.0, "service_rate": 3.0, "servers": 8},
        {"number_in_queue": several["Lq"], "sojourn_time_mean": several["W"]}, "qsys_mmk(20, 3, 8)")
    limited = qsys_mmck(20.0, 3.0, 8, 12)
    add("line", "mmck", {"arrival_rate": 20.0, "service_rate": 3.0, "servers": 8, "places": 12},
        {"blocking": limited["lossProbability"], "number_in_system": limited["L"],
         "waiting_time_mean": limited["Wq"]}, "qsys_mmck(20, 3, 8, 12)")
    single_limited = qsys_mmck(0.3, 1.0, 1, 25)
    add("line", "mm1k", {"arrival_rate": 0.3, "service_rate": 1.0, "places": 25},
        {"blocking": single_limited["lossProbability"], "sojourn_time_mean": single_limited["W"]},
        "qsys_mmck(0.3, 1, 1, 25)")
    general = qsys_mg1(0.5, 1.0, 1.5)
    add("line", "mg1", {"arrival_rate": 0.5, "service_mean": 1.0, "service_scv": 2.25},
        {"waiting_time_mean": general["Wq"], "number_in_queue": general["Lq"]}, "qsys_mg1(0.5, 1, 1.5)")


def sources():
    octave_version = subprocess.run(["octave", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    installed = subprocess.run(["octave", "--no-gui", "-q", "--eval", "printf('%s', pkg('describe', 'queueing'){1}.version)"],
                               capture_output=True, text=True).stdout
    return {
        "octave": {"author": "Moreno Marzolla", "title": f"Octave package queueing {installed} in {octave_version}",
                   "where": "octave_values.m", "read": "run"},
        "storm": {"author": "Storm developers, RWTH Aachen", "title": f"Storm through stormpy {version('stormpy')}, exact arithmetic",
                  "where": "attempts.prism and retry_chain.prism", "read": "run"},
        "most-queue": {"author": "Roman Xabarov", "title": f"most-queue {version('most-queue')}", "where": "run_packages.py",
                       "read": "run"},
        "line": {"author": "LINE developers, Imperial College London", "title": f"LINE, line-solver {version('line-solver')}",
                 "where": "run_packages.py", "read": "run"},
    }


def text(value):
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    for package in (octave, storm_attempts, storm_retry_chain, most_queue, line):
        package()
    named = ",\n".join(f"    {text(name)}: {text(source)}" for name, source in sources().items())
    rows, differing = (",\n".join("    " + text(value) for value in values) for values in (VALUES, DISAGREEMENTS))
    (FOLDER / "packages.json").write_text(
        f'{{\n  "sources": {{\n{named}\n  }},\n  "values": [\n{rows}\n  ],\n  "disagreements": [\n{differing}\n  ]\n}}\n',
        encoding="utf-8")
    print(f"{len(VALUES)} values, {len(DISAGREEMENTS)} that differ")
