#!/usr/bin/python3
"""Siconos: Moreau-Jean time stepping (theta = 1/2) with Newton's impact law, restitution 1. The gaps of star and planet are not linear
and would need a compiled plug-in: the particle only."""
from math import sqrt
from time import process_time

import numpy as np
import siconos.kernel as sk

FALL = sqrt(2 / 9.81)


def world(h, duration):
    ds = sk.LagrangianLinearTIDS([0.0, 1.0], [-2.0, 0.0], np.eye(2))
    force = np.array([0.0, -9.81])
    ds.setFExtPtr(force)
    relation = sk.LagrangianLinearTIR([[0.0, 1.0]])
    model = sk.NonSmoothDynamicalSystem(0, duration)
    model.insertDynamicalSystem(ds)
    model.link(sk.Interaction(sk.NewtonImpactNSL(1.0), relation), ds)
    osi, problem = sk.MoreauJeanOSI(0.5), sk.LCP()
    return ds, sk.TimeStepping(model, sk.TimeDiscretisation(0, h), osi, problem), (model, relation, osi, problem, force)


def particle(judge, h=0.01, duration=100.0):
    ds, simulation, keep = world(h, duration)  # keep: the library holds pointers
    steps = round(duration / h)
    energies, times, deepest, before = [11.81], [], 0.0, 0.0
    for k in range(1, steps + 1):
        simulation.computeOneStep()
        if judge:
            q, v = ds.q(), ds.velocity()
            energies.append((v[0] ** 2 + v[1] ** 2) / 2 + 9.81 * q[1])
            deepest = min(deepest, q[1])
            if v[1] - before > 0.1:
                times.append(k * h)
            before = v[1]
        simulation.nextStep()
    return steps, energies, times, deepest


start = process_time()
steps, *_ = particle(False)
nanoseconds = (process_time() - start) / steps * 1e9
_, energies, times, deepest = particle(True)
error = max(abs(t - (2 * k + 1) * FALL) for k, t in enumerate(times[:3]))
e0 = energies[0]
print(f"particle,Siconos,{len(times)},{error:.1e},{(energies[-1] - e0) / e0:.1e},{(max(energies) - min(energies)) / e0:.1e},"
      f"{max(0.0, -deepest):.1e},{nanoseconds:.0f}")
