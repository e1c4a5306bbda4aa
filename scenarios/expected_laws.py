#!/usr/bin/env python3
"""Where the numbers of the [expect] tables with contact laws and forces come from. Knows the physics, not the program.

A law acts on the momentum at the impact, and under linear gravity the trapezoidal rule flies exactly, to the impact and
on from it: the discrete path is the exact one, whatever the step. It is followed here flight by flight, without a step.
With other forces the path is compared with the closed form (oscillator) or a fine Runge-Kutta solution (drag, arm)."""
from math import acos, atan, cos, hypot, pi, sin, sqrt

from expected import orbit


def bisect(f, a, b):
    """The root between f(a) > 0 and f(b) <= 0."""
    for _ in range(200):
        m = (a + b) / 2
        if m in (a, b):
            break
        a, b = (m, b) if f(m) > 0 else (a, m)
    return b


def newton(D, c, e):
    return -(1 + e) * c[0] / D[0], 0.0


def coulomb(D, c, e, mu):
    """Routh's process with Stronge's restitution in the plane; D = (nn, nt, tt), c = (normal, tangential). The normal
    impulse P grows; c is linear in it while the mode lasts, and the normal work is the area under c_n(P)."""
    nn, nt, tt = D
    (cn, ct), P, T, work, goal = c, 0.0, 0.0, 0.0, None
    while True:
        sticks = ct == 0 and abs(nt) <= mu * tt
        slope = -nt / tt if sticks else -mu * (1 if (ct or nt) > 0 else -1)
        dn, dt = nn + nt * slope, nt + tt * slope
        stop = -ct / dt if ct * dt < 0 else float("inf")  # here the slip ends
        if goal is None:
            end = -cn / dn if dn > 0 else float("inf")  # here compression ends
        else:  # cn s + dn s^2/2 = goal - work
            end = (sqrt(cn * cn + 2 * dn * (goal - work)) - cn) / dn
        s = min(stop, end)
        work, P, T = work + cn * s + dn * s * s / 2, P + s, T + slope * s
        cn, ct = cn + dn * s, 0.0 if sticks or s == stop else ct + dt * s
        if end <= stop:
            if goal is not None or e == 0:
                return P, T
            cn, goal, work = 0.0, -e * e * work, 0.0


def plastic(D, c):
    """The point stops; it never has to be pulled in the scenarios here."""
    nn, nt, tt = D
    det = nn * tt - nt * nt
    P, T = -(tt * c[0] - nt * c[1]) / det, -(nn * c[1] - nt * c[0]) / det
    assert P >= 0
    return P, T


def rigid_body(name, vertices, m, I, g, q, v, law, duration, scan=1e-4):
    """A plane body over the floor y = 0: n = (0, 1, rx), t = (1, 0, -ry) at a vertex with the lever (rx, ry)."""
    H = lambda q, v: m / 2 * (v[0] ** 2 + v[1] ** 2) + I / 2 * v[2] ** 2 + m * g * q[1]
    flight = lambda q, v, s: ([q[0] + s * v[0], q[1] + s * v[1] - g * s * s / 2, q[2] + s * v[2]],
                              [v[0], v[1] - g * s, v[2]])
    lever = lambda a, p: (p[0] * cos(a) - p[1] * sin(a), p[0] * sin(a) + p[1] * cos(a))
    gap = lambda q, p: q[1] + lever(q[2], p)[1]
    t, E0, count = 0.0, H(q, v), 0
    print(f"{name:18} energy.initial {E0:.12f}")
    while True:
        k, hits = 0, []
        while not hits and t + k * scan <= duration:
            a = max(k * scan, 1e-8)
            hits = [(bisect(lambda s: gap(flight(q, v, s)[0], p), a, (k + 1) * scan), i) for i, p in enumerate(vertices)
                    if gap(flight(q, v, a)[0], p) > 0 >= gap(flight(q, v, (k + 1) * scan)[0], p)]
            k += 1
        s, i = min(hits, default=(float("inf"), None))
        if t + s > duration:
            break
        (q, v), t, count = flight(q, v, s), t + s, count + 1
        rx, ry = lever(q[2], vertices[i])
        D = 1 / m + rx * rx / I, -rx * ry / I, 1 / m + ry * ry / I
        c, before = (v[1] + rx * v[2], v[0] - ry * v[2]), H(q, v)
        P, T = law(D, c)
        v = [v[0] + T / m, v[1] + P / m, v[2] + (rx * P - ry * T) / I]
        print(f"  vertex {i + 1} at {t:.12f}: v {[round(x, 12) for x in v]}, change of H {H(q, v) - before:.12f}")
    q, v = flight(q, v, duration - t)
    print(f"  impacts {count}, end {[round(x, 10) for x in q]}, {[round(x, 10) for x in v]}, "
          f"energy.final {H(q, v):.10f}, loss {H(q, v) - E0:.10f}")


def wedge(name, law, duration):
    corners = [(-0.3, -0.3), (0.3, -0.3), (0.0, 0.6)]
    rigid_body(name, corners, 1.0, 0.06, 9.81, [0.0, 1.2, 0.4], [2.0, 0.0, -2.0], law, duration)


def wedges():
    wedge("wedge-elastic", lambda D, c: newton(D, c, 1.0), 2.0)
    wedge("wedge-newton", lambda D, c: newton(D, c, 0.5), 1.3)
    height = 0.18 / sqrt(0.9)  # of the centre over the side from the third to the first corner, twice the area by the length
    print(f"  rests at {height:.15f}, {pi - atan(3):.15f}, energy.final {2 + 9.81 * height:.14f}, "
          f"loss {2 + 9.81 * height - 13.892:.14f}")
    wedge("wedge-coulomb", lambda D, c: coulomb(D, c, 0.5, 0.3), 1.0)
    wedge("wedge-plastic", plastic, 0.4052)


def rod():
    rigid_body("rod-with-friction", [(-0.5, 0.0), (0.5, 0.0)], 1.0, 1 / 12, 9.81, [0.0, 1.0, 0.7], [0.5, 0.0, 0.0],
               lambda D, c: coulomb(D, c, 0.6, 0.4), 1.0)


def bounces(v, e, g, h):
    """A ball that first lands at speed v bounces for v/g 2e/(1 - e). The contact closes at the first bounce whose return
    time tau = 2 e^n v/g is at most (1 - e) h: all the later ones together, tau/(1 - e), fit into a step."""
    n = 1
    while 2 * e ** n * v / g > (1 - e) * h:
        n += 1
    return n


def damped_ball(y=1.0, e=0.8, g=9.81, h=0.01):
    v = sqrt(2 * g * y)
    print(f"{'damped-ball':18} energy.initial {g * y + 0.125:.12f}, impacts {bounces(v, e, g, h)}, "
          f"rest at {v / g * (1 + e) / (1 - e):.12f}")


def driven_ball(e=0.5, g=9.81, T=0.5, gamma=1.3, periods=80):
    """Period 1: v+ = g T/2 returns as -v+, and v+ - u = e (u + v+) for the table's speed u = A w cos(phi). It is
    stable for pi (1 - e)/(1 + e) < Gamma < sqrt((pi (1 - e)/(1 + e))^2 + (2 (1 + e^2)/(1 + e)^2)^2) [Holmes 1982]."""
    w, a = 2 * pi / T, pi * (1 - e) / (1 + e)
    A = gamma * g / w ** 2
    phi, v = acos(a / gamma), g * T / 2
    s = T - phi / w  # from the last impact to the end of the period
    y, end = A * sin(phi) + v * s - g * s * s / 2, v - g * s
    c = v * (1 + (1 - e) / (1 + e))  # approach: v + u
    loss = -(1 - e * e) * c * c / 2
    q, p, t, impacts = 0.2, -1.5, 0.0, 0  # the flights from the start of the scenario, to count the impacts
    while True:
        gap, k = lambda s: q + p * s - g * s * s / 2 - A * sin(w * (t + s)), 0
        while gap(max(k * 1e-3, 1e-7)) > 0:
            k += 1
        hit = bisect(gap, max((k - 1) * 1e-3, 1e-7), k * 1e-3)
        if t + hit > periods * T:
            break
        q, p, t, impacts = q + p * hit - g * hit * hit / 2, p - g * hit, t + hit, impacts + 1
        u = A * w * cos(w * t)
        p = u - e * (p - u)
    r = periods * T - t
    print(f"{'driven-ball':18} impacts {impacts}, end {q + p * r - g * r * r / 2:.12f}, {p - g * r:.12f}; "
          f"stable for {a:.5f} < Gamma < {sqrt(a * a + (2 * (1 + e * e) / (1 + e) ** 2) ** 2):.5f}, A {A:.12f}, "
          f"impact at phase {phi:.10f} = time {phi / w:.10f}, height {A * sin(phi):.10f}\n"
          f"  end {y:.12f}, {end:.12f}, energy.final {end * end / 2 + g * y:.12f}, loss a period {loss:.12f}")


def spinning_ball(y=0.5, e=0.6, mu=0.4, g=9.81, h=0.01, r=0.1, vx=2.0, spin=100.0, duration=3.0, I=0.4):
    """A solid ball, m = 1, I = 2/5 r^2; slip c = x' + r theta'. Normal and tangential directions do not couple: an impact at
    speed u gives P = (1 + e) u, slip changes by at most 7/2 mu P. x' - 2/5 r theta' is kept; rolling, it is 7/5 x'."""
    u, t, x, w = sqrt(2 * g * y), 0.0, 0.0, spin
    n, E0 = bounces(u, e, g, h), (vx ** 2 + I * (r * w) ** 2) / 2 + g * y
    tz, kept, flight, rolls = u / g * (1 + e) / (1 - e), vx - I * r * w, u / g, None
    for k in range(400):  # the bounces after the closing one change no slip: it rolls by then
        x, t = x + flight * vx, t + flight
        P = (1 + e) * u
        slip = vx + r * w
        T = -min(mu * P, slip / (1 + 1 / I)) if slip > 0 else 0.0
        vx, w, u = vx + T, w + T / (I * r), e * u
        if rolls is None and abs(vx + r * w) < 1e-12:
            rolls = k + 1
        flight = 2 * u / g
    print(f"{'backspin':18} energy.initial {E0:.12f}, impacts {n}, rolls after impact {rolls}, rest at {tz:.10f}, "
          f"x' {vx:.12f}, theta' {w:.12f}, x {x + (duration - t) * vx:.10f}, "
          f"theta {(x + (duration - t) * vx - duration * kept) / (I * r):.8f}, "
          f"energy.final {(vx ** 2 + I * (r * w) ** 2) / 2:.12f}")


def belt(y=1.0, e=0.7, mu=0.2, V=3.0, g=9.81, h=0.01, duration=3.0):
    """A point, m = 1, on a belt of speed V: each impact gives mu (1 + e) u to x' until x' = V. The belt's work is V times
    its impulse, V^2 in all, of which half is kinetic energy and the rest lost."""
    u, t, x, vx = sqrt(2 * g * y), 0.0, 0.0, 0.0
    n, flight, sticks = bounces(u, e, g, h), u / g, None
    tz = u / g * (1 + e) / (1 - e)
    for k in range(400):
        x, t = x + flight * vx, t + flight
        vx = min(vx + mu * (1 + e) * u, V)
        if sticks is None and vx == V:
            sticks = k + 1
        u *= e
        flight = 2 * u / g
    print(f"{'ball-on-belt':18} energy.initial {g * y:.12f}, impacts {n}, keeps step after impact {sticks}, "
          f"rest at {tz:.10f}, x {x + (duration - t) * V:.12f}, work.obstacles {V * V:.12f}, loss {V * V / 2 - g * y - V * V:.12f}")


def fly(X, z, gap, dt, duration, impact):
    """Runge-Kutta of step dt, an impact found by bisection of its step."""
    t, times = 0.0, []
    while t < duration - 1e-12:
        one = lambda s: list(orbit(X, z, s, 1))[1]
        s = min(dt, duration - t)
        if gap(one(s)) <= 0 < gap(one(s * 1e-6)):
            s = bisect(lambda s: gap(one(s)), s * 1e-6, s)
            z = impact(one(s))
            t += s
            times.append(t)
        else:
            z, t = one(s), t + s
    return z, times


def air_drag(c=0.1, e=0.8, g=9.81, duration=2.0):
    """m = 1, drag -c |v| v; the same from two steps shows the digits."""
    X = lambda z: [z[2], z[3], -c * hypot(z[2], z[3]) * z[2], -g - c * hypot(z[2], z[3]) * z[3]]
    for dt in (2e-3, 1e-3):
        z, times = fly(X, [0.0, 1.0, 6.0, 3.0], lambda z: z[1], dt, duration, lambda z: [z[0], z[1], z[2], -e * z[3]])
        print(f"{'ball-air-drag':18} impacts {len(times)} at {[round(t, 10) for t in times]}, "
              f"end {[round(x, 10) for x in z]}, energy.final {(z[2] ** 2 + z[3] ** 2) / 2 + g * z[1]:.10f}")


def impact_oscillator(e=0.7, periods=100):
    """Shaw, Holmes 1983. x'' + pi^2 x = pi^2 cos(2 pi t), stop at x = 0:
    x = -cos(2 pi t)/3 + a cos(pi (t - t0)) + b sin(pi (t - t0)).
    The orbit of period 1 hits at t0 = 1/4: there the cosine is 0, so a = 0, and x' = pi (2/3 + b) after the impact and
    pi (2/3 - b) before the next give b = -2/3 (1 + e)/(1 - e). It attracts by e an impact."""
    b = -2 / 3 * (1 + e) / (1 - e)
    print(f"{'impact-oscillator':18} end {-1 / 3 + b * sin(0.75 * pi):.12f}, {b * pi * cos(0.75 * pi):.12f}, "
          f"after an impact {pi * (2 / 3 + b):.10f}")
    t, x, v, impacts, loss = 0.0, -1.0, 0.0, 0, 0.0  # the flights from the start of the scenario
    E0 = (pi * x) ** 2 / 2
    while True:
        a, b = x + cos(2 * pi * t) / 3, v / pi - 2 / 3 * sin(2 * pi * t)
        at = lambda s: -cos(2 * pi * (t + s)) / 3 + a * cos(pi * s) + b * sin(pi * s)
        speed = lambda s: pi * (2 / 3 * sin(2 * pi * (t + s)) - a * sin(pi * s) + b * cos(pi * s))
        k = 0
        while at(max(k * 1e-3, 1e-7)) < 0:
            k += 1
        s = bisect(lambda s: -at(s), max((k - 1) * 1e-3, 1e-7), k * 1e-3)
        if t + s > periods:
            break
        x, v, t, impacts = 0.0, -e * speed(s), t + s, impacts + 1
        loss -= (1 - e * e) / 2 * (v / e) ** 2
    x, v = at(periods - t), speed(periods - t)
    print(f"  impacts {impacts}, end {x:.12f}, {v:.12f}, loss {loss:.9f}, "
          f"work {((pi * x) ** 2 + v * v) / 2 - E0 - loss:.9f}")


def arm(kp=(40.0, 20.0), kd=(8.0, 4.0), target=(0.3, 0.4), wall=1.6, start=(1.4, 0.6), e=0.4):
    """Two links of length 1, masses 1 at their ends, no gravity. In the end the springs of the controller press the tip on
    the wall: the least of kp1 (q1 - d1)^2 + kp2 (q2 - d2)^2 with the tip on it. The losses are those of a fine Runge-Kutta
    solution, until the tip bounces so slowly that what is left is less than the digits."""
    def X(z):
        q1, q2, a, b = z
        s, c = sin(q2), cos(q2)
        M11, M12, M22 = 3 + 2 * c, 1 + c, 1.0
        f1 = kp[0] * (target[0] - q1) - kd[0] * a + s * b * (2 * a + b)
        f2 = kp[1] * (target[1] - q2) - kd[1] * b - s * a * a
        det = M11 * M22 - M12 * M12
        return [a, b, (M22 * f1 - M12 * f2) / det, (M11 * f2 - M12 * f1) / det]
    gap = lambda z: wall - cos(z[0]) - cos(z[0] + z[1])
    loss = []
    class Rests(Exception):
        pass
    def impact(z):
        n = [sin(z[0]) + sin(z[0] + z[1]), sin(z[0] + z[1])]
        c = cos(z[1])
        M11, M12, M22 = 3 + 2 * c, 1 + c, 1.0
        det = M11 * M22 - M12 * M12
        y = [(M22 * n[0] - M12 * n[1]) / det, (M11 * n[1] - M12 * n[0]) / det]
        D, u = n[0] * y[0] + n[1] * y[1], n[0] * z[2] + n[1] * z[3]
        loss.append(-(1 - e * e) * u * u / (2 * D))
        if abs(u) < 1e-4:
            raise Rests
        P = -(1 + e) * u / D
        return [z[0], z[1], z[2] + P * y[0], z[3] + P * y[1]]
    for dt in (1e-3, 5e-4):
        loss.clear()
        try:
            fly(X, [start[0], start[1], 0.0, 0.0], gap, dt, 3.0, impact)
        except Rests:
            pass
        print(f"{'arm-and-wall':18} loss {sum(loss):.9f} in {len(loss)} impacts, "
              f"the first two {[round(x, 9) for x in loss[:2]]}")
    # the equilibrium along the wall, where q2 = acos(wall - cos q1) - q1
    other = lambda q: acos(wall - cos(q)) - q
    U = lambda q: kp[0] * (q - target[0]) ** 2 / 2 + kp[1] * (other(q) - target[1]) ** 2 / 2
    turn = lambda q: -sin(q) / sqrt(1 - (wall - cos(q)) ** 2) - 1  # d q2/d q1
    slope = lambda q: kp[0] * (q - target[0]) + kp[1] * (other(q) - target[1]) * turn(q)
    q = bisect(lambda q: -slope(q), 0.05, 0.9)
    U0 = kp[0] * (start[0] - target[0]) ** 2 / 2 + kp[1] * (start[1] - target[1]) ** 2 / 2
    print(f"  rests at {q:.12f}, {other(q):.12f}; springs give {U0 - U(q):.9f}")


if __name__ == "__main__":
    wedges()
    rod()
    damped_ball()
    driven_ball()
    spinning_ball()
    belt()
    air_drag()
    impact_oscillator()
    arm()
