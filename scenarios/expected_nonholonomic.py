#!/usr/bin/env python3
"""Where the numbers of the [expect] tables of the nonholonomic scenarios come from. Knows the physics, not the program.

Each system in its allowed velocities u (no multipliers): q' = A(q) u and M(q) u' = f(q, u), by classical Runge-Kutta steps of 1e-3
with each impact bisected to round-off. A gap with gradient n meets the allowed velocities as a = A^T n; the elastic impact that keeps
the energy with an impulse along the gradient and the constraint forms is u+ = u - 2 (a.u)/(a.M^-1 a) M^-1 a. Error: 1e-10 or so.
Published counts for the ellipse: ellipse() with torque = 0."""
from math import asinh, cos, copysign, pi, sin, sqrt


def axpy(x, a, y):
    return [p + a * r for p, r in zip(x, y)]


def fly(q, u, duration, velocity, acceleration, gaps, reflect, energy, dt=1e-3):
    """Returns impacts (time, gap number), the end q and q', least and largest energy."""
    n = len(q)
    rate = lambda s: velocity(s[:n], s[n:]) + acceleration(s[:n], s[n:])

    def step(s, h):
        a = rate(s)
        b = rate(axpy(s, h / 2, a))
        c = rate(axpy(s, h / 2, b))
        d = rate(axpy(s, h, c))
        return [x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4) for x, k1, k2, k3, k4 in zip(s, a, b, c, d)]

    s, t, impacts, e0 = list(q) + list(u), 0.0, [], energy(q, u)
    closed, worst = None, 0.0
    while t < duration - 1e-12:
        h = min(dt, duration - t)
        new = step(s, h)
        hit = [k for k, g in enumerate(gaps) if g(new[:n]) < 0]
        if not hit:
            s, t, closed = new, t + h, None
        else:
            first, where = h, None
            for k in hit:
                low, high = 0.0, h
                if k == closed:  # it starts on the boundary and has left it in between
                    low = next(low for j in range(1, 60) if gaps[k](step(s, low := h / 2 ** j)[:n]) > 0)
                for _ in range(200):
                    middle = (low + high) / 2
                    low, high = (middle, high) if gaps[k](step(s, middle)[:n]) >= 0 else (low, middle)
                if low < first:
                    first, where = low, k
            s, t, closed = step(s, first), t + first, where
            impacts.append((t, where))
            s = s[:n] + reflect(where, s[:n], s[n:])
        worst = max(worst, abs(energy(s[:n], s[n:]) - e0))
    return impacts, s[:n], velocity(s[:n], s[n:]), e0, worst


def show(name, result):
    impacts, q, v, e0, worst = result
    print(f"{name}: {len(impacts)} impacts at {[round(t, 6) for t, _ in impacts][:8]}, gaps {[k for _, k in impacts][:16]}\n"
          f"  end {[round(x, 8) for x in q]}, velocity {[round(x, 8) for x in v]}, energy {e0:.12g} (kept to {worst:.1e})")


def mirror(normal, inverse_mass):
    def reflect(k, q, u):
        a = normal(k, q)
        w = inverse_mass(q, a)
        factor = -2 * sum(x * y for x, y in zip(a, u)) / sum(x * y for x, y in zip(a, w))
        return axpy(u, factor, w)
    return reflect


def cylinder_pendulum(duration, m=1.0, g=9.8, l=2.0, R=1.5):
    f = lambda th: pi + cos(th) ** 2
    mass = lambda th: m * l * l * (1 + (f(th) * sin(th)) ** 2)
    slope = lambda th: 2 * m * l * l * f(th) * sin(th) * (f(th) * cos(th) - 2 * cos(th) * sin(th) ** 2)  # dM/dtheta
    return fly([0.75 * pi, 0.0], [0.25 * pi], duration,
               lambda q, u: [u[0], f(q[0]) * u[0]],
               lambda q, u: [(m * g * l * sin(q[0]) - slope(q[0]) * u[0] ** 2 / 2) / mass(q[0])],
               [lambda q: R - l * abs(sin(q[0]))], lambda k, q, u: [-u[0]],
               lambda q, u: mass(q[0]) * u[0] ** 2 / 2 + m * g * l * cos(q[0]))


def ellipse(duration, torque=1.0, m=1.0, g=9.8, a=1.0, b=0.5):
    """No constraint; torque = 0 drops the torque phi' p_y of the impulse and keeps the energy with what is left."""
    I = m * (a * a + b * b) / 4
    reach = lambda th: sqrt((a * sin(th)) ** 2 + (b * cos(th)) ** 2)
    bend = lambda th: (a * a - b * b) * sin(th) * cos(th) / reach(th)
    return fly([pi / 2, 0.0, 3.5], [-3.0, 2.0, 0.0], duration, lambda q, u: list(u), lambda q, u: [0.0, 0.0, -g],
               [lambda q: q[2] - reach(q[0])],
               mirror(lambda k, q: [-torque * bend(q[0]), 0.0, 1.0], lambda q, x: [x[0] / I, x[1] / m, x[2] / m]),
               lambda q, u: m * (u[1] ** 2 + u[2] ** 2) / 2 + I * u[0] ** 2 / 2 + m * g * q[2])


def rolling_coin(duration, m=1.0, R=0.5, W=2.0):
    """u = (roll rate, turning rate); q = (x, y, theta, phi)."""
    I, J = m * R * R / 2, m * R * R / 4
    return fly([0.0, 0.0, 0.3, 0.0], [3.0, 0.5], duration,
               lambda q, u: [R * u[0] * cos(q[2]), R * u[0] * sin(q[2]), u[1], u[0]], lambda q, u: [0.0, 0.0],
               [lambda q: W - q[0] - R * abs(cos(q[2])), lambda q: W + q[0] - R * abs(cos(q[2]))],
               mirror(lambda k, q: [(-1, 1)[k] * R * cos(q[2]), R * sin(q[2]) * copysign(1, cos(q[2]))],
                      lambda q, x: [x[0] / (I + m * R * R), x[1] / J]),
               lambda q, u: ((I + m * R * R) * u[0] ** 2 + J * u[1] ** 2) / 2)


def knife_edge(duration, pull=4.9, omega=1.0, stop=1.5):
    """u = (speed along the blade, turning rate); q = (x, y, theta), x downhill. Before the stop a cycloid:
    x = pull/(2 omega^2) sin^2(omega t)."""
    return fly([0.0, 0.0, 0.0], [0.0, omega], duration, lambda q, u: [u[0] * cos(q[2]), u[0] * sin(q[2]), u[1]],
               lambda q, u: [pull * cos(q[2]), 0.0], [lambda q: stop - q[0]],
               lambda k, q, u: [-u[0], u[1]], lambda q, u: (u[0] ** 2 + u[1] ** 2) / 2 - pull * q[0])


def nonholonomic_particle(duration, Z=0.2):
    """z' = y x'; u = (x', y'). In closed form y' and x' sqrt(1 + y^2) are constant between the walls."""
    q0, u0 = [0.1, 0.2, 0.0], [0.7, -0.45]
    signs = [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)]  # walls: coordinate and direction
    size = [1.0, 1.0, Z]
    gaps = [lambda q, i=i, s=s: size[i] - s * q[i] for i, s in signs]
    normal = lambda k, q: [[1.0, 0.0], [0.0, 1.0], [q[1], 0.0]][signs[k][0]]
    result = fly(q0, u0, duration, lambda q, u: [u[0], u[1], q[1] * u[0]],
                 lambda q, u: [-q[1] * u[0] * u[1] / (1 + q[1] ** 2), 0.0], gaps,
                 mirror(normal, lambda q, x: [x[0] / (1 + q[1] ** 2), x[1]]),
                 lambda q, u: ((1 + q[1] ** 2) * u[0] ** 2 + u[1] ** 2) / 2)
    t = result[0][0][0]  # the first flight against the closed form
    c = u0[0] * sqrt(1 + q0[1] ** 2)
    ends = [abs(q0[0] + c / u0[1] * (asinh(q0[1] + u0[1] * t) - asinh(q0[1]))), abs(q0[1] + u0[1] * t),
            abs(q0[2] + c / u0[1] * (sqrt(1 + (q0[1] + u0[1] * t) ** 2) - sqrt(1 + q0[1] ** 2)))]
    assert min(abs(e - w) for e, w in zip(ends, size)) < 1e-9, ends
    return result


def cart_curb(duration, m=1.0, J=0.1, Jw=0.01, b=0.3, r=0.1, d=0.1, curb=2.0):
    """u = (speed, turning rate); q = (x, y, theta, left wheel, right wheel); the mass sits d before the axle. The curb stops the
    front point of each wheel."""
    A, B = m + 2 * Jw / r ** 2, J + m * d * d + 2 * Jw * b * b / r ** 2
    front = lambda q, s: curb - q[1] - s * b * cos(q[2]) - r * sin(q[2])
    return fly([0.0, 0.0, 0.5, 0.0, 0.0], [1.5, 0.1], duration,
               lambda q, u: [u[0] * cos(q[2]), u[0] * sin(q[2]), u[1], (u[0] - b * u[1]) / r, (u[0] + b * u[1]) / r],
               lambda q, u: [m * d * u[1] ** 2 / A, -m * d * u[0] * u[1] / B],
               [lambda q: front(q, 1), lambda q: front(q, -1)],
               mirror(lambda k, q: [-sin(q[2]), (1, -1)[k] * b * sin(q[2]) - r * cos(q[2])], lambda q, x: [x[0] / A, x[1] / B]),
               lambda q, u: (A * u[0] ** 2 + B * u[1] ** 2) / 2)


if __name__ == "__main__":
    show("cylinder-pendulum", cylinder_pendulum(5.0))
    show("cylinder-pendulum-long", cylinder_pendulum(100.0))
    show("nonholonomic-ellipse", ellipse(2.0))
    for duration in (2.0, 25.0):
        print(f"  with the torque dropped, to {duration}: {len(ellipse(duration, torque=0.0)[0])} impacts")
    show("rolling-coin", rolling_coin(8.0))
    show("knife-edge", knife_edge(10.0))
    show("nonholonomic-particle", nonholonomic_particle(20.0))
    show("cart-curb", cart_curb(5.0))
