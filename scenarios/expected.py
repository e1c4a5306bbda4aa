#!/usr/bin/env python3
"""Where the numbers of the [expect] tables come from. Knows the physics, not the program.

A symplectic method keeps a modified energy H + h^2 H2 + O(h^4) [Hairer, Lubich, Wanner, section IX.3], so the energy error
follows -h^2 H2 along the exact orbit:
  trapezoidal (Stoermer-Verlet):     H2 = D2V(v, v)/12 - |grad V|^2/(24 m)
  midpoint (implicit midpoint rule): H2 = -D2H(X, X)/24, X the Hamiltonian vector field
The orbits are computed here by a fine Runge-Kutta method, derivatives by central differences."""
from math import cos, exp, pi, sin, sqrt
from random import Random


def gradient(f, x, d=1e-3):
    def shifted(i, s):
        y = list(x)
        y[i] += s
        return f(y)
    return [(8 * (shifted(i, d) - shifted(i, -d)) - shifted(i, 2 * d) + shifted(i, -2 * d)) / (12 * d)
            for i in range(len(x))]


def second(f, x, u, d=1e-3):
    along = lambda s: f([a + s * b for a, b in zip(x, u)])
    return (16 * (along(d) + along(-d)) - along(2 * d) - along(-2 * d) - 30 * along(0)) / (12 * d * d)


def field(H):
    def X(z):
        g, n = gradient(H, z), len(z) // 2
        return g[n:] + [-a for a in g[:n]]
    return X


def orbit(X, z, dt, steps):
    yield z
    for _ in range(steps):
        k1 = X(z)
        k2 = X([a + dt / 2 * b for a, b in zip(z, k1)])
        k3 = X([a + dt / 2 * b for a, b in zip(z, k2)])
        k4 = X([a + dt * b for a, b in zip(z, k3)])
        z = [a + dt / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(z, k1, k2, k3, k4)]
        yield z


def spread(values):
    values = list(values)
    return max(values) - min(values)


def verlet_range(V, z, h, dt, steps, m=1.0):
    """Relative energy range of Stoermer-Verlet for H = |p|^2/(2m) + V(q)."""
    n = len(z) // 2
    H = lambda z: sum(p * p for p in z[n:]) / (2 * m) + V(z[:n])
    def H2(z):
        v = [p / m for p in z[n:]]
        return second(V, z[:n], v) / 12 - sum(g * g for g in gradient(V, z[:n])) / (24 * m)
    X = lambda z: [p / m for p in z[n:]] + [-g for g in gradient(V, z[:n])]
    return h * h * spread(H2(z) for z in orbit(X, z, dt, steps)) / abs(H(z))


def midpoint_range(H, z, h, dt, steps):
    X = field(H)
    return h * h / 24 * spread(second(H, z, X(z)) for z in orbit(X, z, dt, steps)) / abs(H(z))


def pendulum():
    # one period of amplitude 2 takes 2.86 s
    print("pendulum         energy.relative_range =", verlet_range(lambda q: -9.81 * cos(q[0]), [2.0, 0.0], 0.01, 0.002, 1500))


def kepler(e=0.6):
    z = [1 - e, 0.0, 0.0, sqrt((1 + e) / (1 - e))]
    V = lambda q: -1 / sqrt(q[0] ** 2 + q[1] ** 2)
    print("kepler           energy.relative_range =", verlet_range(V, z, 0.01, 0.002, 3200))


def double_pendulum(h=0.005, g=9.81):
    # Chaotic: the range of H2 over the whole energy surface is a bound that needs no orbit.
    def H(z):
        a, b, p, r = z
        c = cos(a - b)
        return (p * p + 2 * r * r - 2 * p * r * c) / (2 * (2 - c * c)) - g * (2 * cos(a) + cos(b))
    E, X, random, H2 = H([2.0, 2.5, 0.0, 0.0]), field(H), Random(1), []
    while len(H2) < 100000:
        a, b, angle = (random.uniform(-pi, pi) for _ in range(3))
        T = E - H([a, b, 0, 0])
        if T > 0:
            w = [cos(angle), sin(angle)]
            s = sqrt(T / (w[0] ** 2 + w[1] ** 2 / 2 + w[0] * w[1] * cos(a - b)))
            v = [s * w[0], s * w[1]]
            z = [a, b, 2 * v[0] + v[1] * cos(a - b), v[1] + v[0] * cos(a - b)]
            H2.append(second(H, z, X(z)) / 24)
    print("double-pendulum  energy.relative_range <=", h * h * spread(H2) / abs(E), " E =", E)


def henon_heiles(h=0.25, duration=500, E=1 / 12):
    # Galerkin of degree 2 at Gauss points is the Gauss method of two stages: run it, by fixed-point iteration.
    V = lambda x, y: (x * x + y * y) / 2 + x * x * y - y ** 3 / 3
    f = lambda z: [z[2], z[3], -z[0] - 2 * z[0] * z[1], -z[1] - z[0] ** 2 + z[1] ** 2]
    H = lambda z: (z[2] ** 2 + z[3] ** 2) / 2 + V(z[0], z[1])
    A = [[1 / 4, 1 / 4 - sqrt(3) / 6], [1 / 4 + sqrt(3) / 6, 1 / 4]]
    z = [0.0, 0.1, sqrt(2 * E - 2 * V(0.0, 0.1)), 0.0]
    energies = [H(z)]
    for _ in range(round(duration / h)):
        k = [f(z), f(z)]
        for _ in range(40):
            k = [f([z[i] + h * (A[s][0] * k[0][i] + A[s][1] * k[1][i]) for i in range(4)]) for s in range(2)]
        z = [z[i] + h / 2 * (k[0][i] + k[1][i]) for i in range(4)]
        energies.append(H(z))
    print("henon-heiles     energy.relative_range =", spread(energies) / E)


def charged_particle(h=0.05, B=1.0, a=4.0):
    def H(z):
        x, y, w, px, py, pz = z
        b = B / 2 * (1 + (w / a) ** 2)
        return ((px + b * y) ** 2 + (py - b * x) ** 2 + pz ** 2) / 2
    z = [1.0, 0.0, 0.0, 0.0, B / 2 - 1.0, 0.8]  # v = (0, -1, 0.8): circles around the axis
    print("charged-particle energy.relative_range =", midpoint_range(H, z, h, 0.02, 10000))
    zs = [s[2] for s in orbit(field(H), z, 0.02, 10000)]
    print("                 |z| <=", max(zs))


def driven_pendulum(duration=10.0, g=9.81, a=0.1, w=100.0):
    # Angle and velocity by Runge-Kutta; the Lagrangian's energy is v^2/2 - g cos(theta).
    X = lambda z: [z[1], -(g - a * w * w * cos(w * z[2])) * sin(z[0]), 1.0]
    E = [z[1] ** 2 / 2 - g * cos(z[0]) for z in orbit(X, [pi - 0.3, 0.0, 0.0], 1e-4, round(duration / 1e-4))]
    print("driven-pendulum  energy.final =", E[-1], " min =", min(E), " max =", max(E))


def spring_chain(n=32, h=0.1, alpha=0.25, steps=2000):
    V = lambda u: sum((d := b - a) * d / 2 + alpha * d ** 3 / 3 for a, b in zip(u, u[1:]))
    def force(u):
        s = [(b - a) + alpha * (b - a) ** 2 for a, b in zip(u, u[1:])]
        return [(s[i] if i < n - 1 else 0) - (s[i - 1] if i else 0) for i in range(n)]
    X = lambda z: z[n:] + force(z[:n])
    z = [0.0] * n + [0.1 + exp(-((i - n / 2) / 2) ** 2) for i in range(1, n + 1)]
    H2 = lambda z: second(V, z[:n], z[n:]) / 12 - sum(f * f for f in force(z[:n])) / 24
    E = sum(p * p for p in z[n:]) / 2
    print("spring-chain     energy.relative_range =", h * h * spread(H2(z) for z in orbit(X, z, 0.1, steps)) / E,
          " total momentum =", sum(z[n:]))


if __name__ == "__main__":
    pendulum()
    kepler()
    double_pendulum()
    henon_heiles()
    charged_particle()
    driven_pendulum()
    spring_chain()
