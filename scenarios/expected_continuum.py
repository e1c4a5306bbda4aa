#!/usr/bin/env python3
"""Where the numbers of the [expect] tables of [continuum] scenarios come from. Knows waves, not the program.

Linear bars: d'Alembert. A contact of impedances Z = sqrt(rho E) has v = (Z1 v1 + Z2 v2)/(Z1 + Z2), P = -Z1 Z2 (v1 - v2)/(Z1 + Z2);
waves go to and fro in the time 2L/c. Shocks: the jumps of momentum and of Maxwell; simple waves: Riemann's invariant."""
from math import cos, cosh, pi, sqrt


def integrate(f, a, b, n=20000):
    """Simpson's rule."""
    h = (b - a) / n
    return h / 3 * (f(a) + f(b) + sum((4 if k % 2 else 2) * f(a + k * h) for k in range(1, n)))


def rods():
    for name, L1, L2, Z1, Z2 in (("rods-equal", 1, 1, 1, 1), ("rods-unequal", 1, 3, 1, 1),
                                 ("rods-unequal-impedance", 1, 2, 1, 4)):
        v, P = Z1 / (Z1 + Z2), -Z1 * Z2 / (Z1 + Z2)
        print(f"{name:24} contact velocity {v:.12g}, stress {P:.12g}")
        if Z1 == Z2:  # the first rod is at rest after 2 L1/c; the impulse is |P| 2 L1/c and moves the second
            print(f"{'':24} duration {2 * L1}, impulse {-P * 2 * L1:.12g}, e = {-P * 2 * L1 / (1 * L2):.12g}")
    print(f"{'rod-on-wall':24} stress -1, begins at 0.1, lasts 2, impulse 2, e = 1")
    # each rod hands on P = v/2 for the time 2; the wave needs 1 for each rod
    print(f"{'rod-cradle':24} begins at {[0.1 / 0.1 + k for k in range(3)]}, impulse {0.1 / 2 * 2}")


def fronts():
    v, Z1, Z2 = 0.01, 1.0, 4.0
    print(f"{'bimaterial-bar':24} v_T {2 * Z1 / (Z1 + Z2) * v:.12g}, v_R {(Z1 - Z2) / (Z1 + Z2) * v:.12g}, "
          f"P_T {-Z2 * 2 * Z1 / (Z1 + Z2) * v:.12g}")
    print(f"{'free-surface':24} v {2 * v}, P 0, at 0.5 on its way back")


def shocks():
    """Jumps of momentum and Maxwell; the dissipation is U([[W]] - <P>[[F]]), [[.]] = ahead - behind."""
    b, e = -2.0, -0.1
    P = e + b * e * e
    U = sqrt(P / e)
    v = -U * e
    W = e * e / 2 + b * e ** 3 / 3
    dissipation = U * (P * e / 2 - W)
    print(f"{'nonlinear-shock':24} U {U:.16g}, v {v:.16g}, dissipation {dissipation:.16g} = {U * abs(b) * abs(e) ** 3 / 6:.16g}, "
          f"in 3.0: {3 * dissipation:.16g}")
    for v in (0.1, 0.3):
        f = lambda J: (J ** -7 - 1) / 7 * (1 - J) - v * v  # p = rho U v, v = U (1 - J)
        a, c = 0.3, 0.9999
        for _ in range(200):
            m = (a + c) / 2
            a, c = (m, c) if f(m) > 0 else (a, m)
        J, p = a, (a ** -7 - 1) / 7
        U = v / (1 - J)
        W = (J ** -6 - 1) / 42 + (J - 1) / 7  # -integral of p from 1 to J
        print(f"{'gas-piston, v = %g' % v:24} U {U:.9g}, p {p:.9g}, dissipation {U * (p * (1 - J) / 2 - W):.9g}")


def bar_and_gas():
    Z, rho_bar, A, w = 4.0, 4.0, 0.02, 0.05
    incident = lambda t: A / cosh((0.5 - t) / w) ** 2  # at X = 1, c = 1
    p = lambda v: ((1 + 3 * v) ** (7 / 3) - 1) / 7
    c = lambda v: (1 + 3 * v) ** (4 / 3)
    def surface(vi):  # p(v) = Z (2 vi - v)
        v = 2 * vi
        for _ in range(60):
            v -= (p(v) - Z * (2 * vi - v)) / (c(v) + Z)
        return v
    W = lambda v: ((1 + 3 * v) ** 2 - 1) / 42 + ((1 + 3 * v) ** (-1 / 3) - 1) / 7
    # what enters the gas: for a density g(v) the flux is the integral of g' c
    kinetic_flux = lambda v: integrate(lambda s: s * c(s), 0, v, 20) if v > 1e-12 else 0.0
    n, T = 4000, 1.0
    h = T / n
    weight = lambda k: h / 3 * (1 if k in (0, n) else 4 if k % 2 else 2)
    gas = power = bar = 0.0
    largest = 0.0
    for k in range(n + 1):
        vi = incident(k * h)
        v = surface(vi)
        largest = max(largest, v)
        gas += weight(k) * kinetic_flux(v)
        power += weight(k) * p(v) * v
        bar += weight(k) * rho_bar / 2 * (v - vi) ** 2  # the reflected wave, c = 1
    total = integrate(lambda X: rho_bar * (A / cosh((X - 0.5) / w) ** 2) ** 2, 0, 1)
    print(f"{'bar-against-gas':24} kinetic energy {gas + bar:.12g}, total {total:.12g} = {power + 2 * bar:.12g}, "
          f"surface velocity up to {largest:.9g}")


def graded():
    n, r, courant, T = 100, 20.0, 0.25, 50.0
    q = r ** (1 / (n - 1))
    first = (q - 1) / (q ** n - 1)
    dx = [first * q ** k for k in range(n)]
    verlet = T / (courant * min(dx)) * n
    ideal = sum(T / (courant * d) for d in dx)
    # displacement 0.01 cos(pi X) at the nodes: potential energy of the cells
    X = [0.0]
    for d in dx:
        X.append(X[-1] + d)
    E = sum((0.01 * (cos(pi * X[k + 1]) - cos(pi * X[k]))) ** 2 / (2 * dx[k]) for k in range(n))
    print(f"{'graded-bar-avi':24} energy {E:.12g}, updates at {courant}: Verlet {verlet:.0f}, a clock for each element {ideal:.0f} "
          f"({100 * ideal / verlet:.1f} %), 40 % are {0.4 * verlet:.0f}")


if __name__ == "__main__":
    rods()
    fronts()
    shocks()
    bar_and_gas()
    graded()
