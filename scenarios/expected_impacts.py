#!/usr/bin/env python3
"""Where the numbers of the [expect] tables with impacts come from. Knows the physics, not the program.

Under linear gravity the trapezoidal rule flies exactly, and the discrete energy of a sub-step of length s that ends or begins
at an impact is H - |grad V|^2 s^2/8 (mass metric). So a step with one impact at alpha h changes H by kappa (1 - 2 alpha),
kappa = m g^2 h^2/8 (and by the work -lambda dg/dt of a moving wall): the whole discrete path is known in closed form, flight by
flight, without a step. For other potentials
  discrete energy of the trapezoidal rule at an impact: H + s^2 C,  C = V''(v,v)/4 - |grad V|^2/8,
  kept between impacts:  H + h^2 H2,  H2 = V''(v,v)/12 - |grad V|^2/24,
and alpha is uniform, so N impacts make a random walk of standard deviation h^2 |C| sqrt(N/3)."""
from fractions import Fraction
from math import asin, cos, floor, pi, sin, sqrt
from random import Random

from expected import field, orbit, second, spread


def walk(h, C, N):
    return h * h * abs(C) * sqrt(N / 3)


def points_under_gravity(q, v, g, h, first_hit, impacts=None, duration=None):
    """A unit mass: first_hit(t, q, v) gives (time of flight, normal, dg/dt). Returns end of the run, energies, impact times."""
    t, energies, times, s_before = 0.0, [sum(x * x for x in v) / 2 + g * q[-1]], [], 0.0
    s, n, g_t = first_hit(t, q, v)
    while True:
        end = floor(t / h) * h + h if impacts is not None and len(times) >= impacts else duration
        s = min(s, end - t) if end is not None else s
        q = [a + s * b for a, b in zip(q, v)]
        q[-1] -= g * s * s / 2
        if end is not None and t + s >= end:
            return round(end / h), q, energies, times
        v = v[:-1] + [v[-1] - g * s]
        t += s
        s_before = min(s, t - floor(t / h) * h)  # the sub-step before ends here and began at the grid or at an impact
        # |v + y n|^2/2 + y g_t = |v|^2/2 + g^2/8 (s_after^2 - s_before^2), the larger root; the sub-step after ends at the
        # grid or at the next impact, which depends on y
        nn, c, v_minus, rest = sum(x * x for x in n), sum(a * b for a, b in zip(n, v)) + g_t, v, (floor(t / h) + 1) * h - t
        s_after = rest
        for _ in range(100):
            y = (-c + sqrt(c * c + nn * g * g / 4 * (s_after ** 2 - s_before ** 2))) / nn
            v = [a + y * b for a, b in zip(v_minus, n)]
            s, next_n, g_t = first_hit(t, q, v)
            if min(s, rest) == s_after:
                break
            s_after = min(s, rest)
        n = next_n
        times.append(t)
        if s_after == rest:
            energies.append(sum(x * x for x in v) / 2 + g * q[-1])


def later_root(a, b, c):
    """The root s > 0 of a s^2 + b s + c = 0 where it falls through 0 from above; c is 0 right after an impact there."""
    d = b * b - 4 * a * c
    roots = [] if d < 0 or a == 0 else [(-b - sqrt(d)) / (2 * a), (-b + sqrt(d)) / (2 * a)]
    return min((s for s in roots if s > 1e-9 and 2 * a * s + b < 0), default=float("inf"))


def show(name, result):
    steps, q, energies, times = result
    print(f"{name:18} steps {steps}, impacts {len(times)}, last at {times[-1]:.12f}, energy in "
          f"[{min(energies):.10f}, {max(energies):.10f}], end {[round(x, 10) for x in q]}")


def bouncing_particle(g=9.81, h=0.01):
    hit = lambda t, q, v: (later_root(-g / 2, v[1], 0.0 if abs(q[1]) < 1e-12 else q[1]), [0.0, 1.0], 0.0)
    show("bouncing-particle", points_under_gravity([0.0, 1.0], [-2.0, 0.0], g, h, hit, impacts=1000))


def wedge(g=9.81, h=0.01, half=pi / 4, duration=200.0):
    # gaps y sin(half) -+ x cos(half): quadratic in time along a flight
    normals = [[-cos(half), sin(half)], [cos(half), sin(half)]]
    def hit(t, q, v):
        dot = lambda n, x: n[0] * x[0] + n[1] * x[1]
        clean = lambda x: 0.0 if abs(x) < 1e-12 else x
        return min((later_root(-g / 2 * n[1], dot(n, v), clean(dot(n, q))), n, 0.0) for n in normals)
    show("wedge", points_under_gravity([0.2, 1.0], [0.5, 0.0], g, h, hit, duration=duration))


def ball_on_parabola(g=9.81, h=0.01, c=0.5, duration=30.0):
    def hit(t, q, v):  # gap y - c x^2
        gap = q[1] - c * q[0] ** 2
        s = later_root(-g / 2 - c * v[0] ** 2, v[1] - 2 * c * q[0] * v[0], 0.0 if abs(gap) < 1e-12 else gap)
        return s, [-2 * c * (q[0] + s * v[0]), 1.0], 0.0
    show("ball-on-parabola", points_under_gravity([0.3, 1.0], [1.0, 0.0], g, h, hit, duration=duration))


def vibrating_floor(g=9.81, h=0.01, A=0.01, T=1.0, duration=200.0):
    w = 2 * pi / T
    def hit(t, q, v):  # gap y - A sin(w t): scan, then bisect
        f = lambda s: q[0] + s * v[0] - g * s * s / 2 - A * sin(w * (t + s))
        a = 1e-6
        while f(a + 1e-3) > 0:
            a += 1e-3
        b = a + 1e-3
        for _ in range(60):
            m = (a + b) / 2
            a, b = (m, b) if f(m) > 0 else (a, m)
        return b, [1.0], -A * w * cos(w * (t + b))
    show("vibrating-floor", points_under_gravity([1.2], [0.0], g, h, hit, duration=duration))


def reentrant_corner(duration=Fraction(100)):
    # Exact in fractions: room [-1,1]^2 without the quadrant x < 0, y < 0. Moreau's rule at a corner reverses both components.
    q, v, t, hits = [Fraction(3, 4), Fraction(1, 2)], [Fraction(-3, 2), Fraction(-1)], Fraction(0), 0
    while True:
        def flights():
            for i in range(2):
                j = 1 - i
                for wall, inward in ((Fraction(1), 1), (Fraction(-1), -1), (Fraction(0), -1)):
                    if v[i] * inward <= 0:
                        continue
                    s = (wall - q[i]) / v[i]
                    other = q[j] + s * v[j]
                    if s < 0 or (s == 0 and q[i] != wall):
                        continue
                    # the inner faces exist where the other coordinate is negative, or both arrive at the corner together
                    if wall == 0 and not (other < 0 or (other == 0 and v[j] < 0)):
                        continue
                    yield s, i
        found = list(flights())
        s = min(x[0] for x in found)
        if t + s > duration:
            print(f"{'reentrant-corner':18} impacts {hits}, end {[float(a + (duration - t) * b) for a, b in zip(q, v)]}")
            return
        q, t, hits = [a + s * b for a, b in zip(q, v)], t + s, hits + 1
        for i in {i for x, i in found if x == s}:
            v[i] = -v[i]


def billiards(T=2000):
    # mean free path pi A/P of a plane billiard (Santalo)
    for name, area, perimeter in (("billiard-stadium", 4 + pi, 4 + 2 * pi), ("billiard-sinai", 4 - pi / 4, 8 + pi)):
        print(f"{name:18} impacts in {T}: {T * perimeter / (pi * area):.1f}")


def rigid_bodies():
    # a random walk with steps kappa (1 - 2 alpha)
    for name, E0, g, h, N in (("star", 2 + 29 / 192 * 12.5 + 9.8 * 3.5, 9.8, 0.005, 1500),
                              ("rectangle-on-floor", 0.5 + 2 * (0.5 ** 2 + 0.3 ** 2) / 3 + 9.81 * 1.5, 9.81, 0.005, 1000),
                              ("ellipse-on-floor", 0.5 + 2 * (0.5 ** 2 + 0.3 ** 2) / 4 + 9.81 * 1.5, 9.81, 0.005, 1000)):
        print(f"{name:18} energy.initial {E0:.12f}, 5 sigma of the relative range {5 * walk(h, g * g / 8, N) / E0:.2e}")


def central(name, mu, R, reduced, q, v, h, duration, more=0.0):
    """A body under -mu/r that bounces elastically off r = R: energy and angular momentum give everything."""
    r0 = sqrt(q[0] ** 2 + q[1] ** 2)
    E, l = (v[0] ** 2 + v[1] ** 2) / 2 - mu / r0, q[0] * v[1] - q[1] * v[0]
    vt, curvature = l / R, lambda r, vr, vt: mu / r ** 3 * (vt * vt - 2 * vr * vr)
    vr = sqrt(2 * (E + mu / R) - vt * vt)
    C = curvature(R, vr, vt) / 4 - (mu / R ** 2) ** 2 / 8
    # one excursion, by Runge-Kutta from the surface out and back
    X = lambda z: [z[2], z[3]] + [-mu * a / (z[0] ** 2 + z[1] ** 2) ** 1.5 for a in z[:2]]
    H2, dt = [], 1e-4
    for z in orbit(X, [R, 0.0, vr, vt], dt, 10 ** 6):
        r = sqrt(z[0] ** 2 + z[1] ** 2)
        if r < R:
            break
        H2.append(curvature(r, (z[0] * z[2] + z[1] * z[3]) / r, l / r) / 12 - (mu / r ** 2) ** 2 / 24)
    period = len(H2) * dt
    E_all, N = reduced * E + more, duration / period
    flight, noise = reduced * h * h * spread(H2), 5 * reduced * walk(h, C, N)
    print(f"{name:18} energy.initial {E_all:.12f}, angular momentum {reduced * l:.12f}, impacts {N - 0.5:.1f} to {N + 0.5:.1f}, "
          f"relative range: flight {flight / abs(E_all):.2e}, 5 sigma {noise / abs(E_all):.2e}")


def newtonian_gravity():
    central("newtonian-gravity", 1.0, 1.0, 1.0, [1.8, 0.0], [0.0, 0.4], 0.01, 200.0)


def two_discs(m1=1.0, m2=2.0):
    # relative motion with the reduced mass, and a drift of (0.02, 0.01)
    central("two-discs", m1 + m2, 0.8, m1 * m2 / (m1 + m2), [2.0, 0.0], [0.0, 0.6], 0.005, 100.0, 1.5 * (0.02 ** 2 + 0.01 ** 2))


def star_and_disc(m=1.0, M=4.0, I=29 / 192, R=1.0, h=0.005, N=120):
    """Chaotic: sizes of the steps of the random walk, sampled on the energy surface at contact of a vertex."""
    random, reduced, corner = Random(1), m * M / (m + M), sqrt(0.5)
    E = reduced * 0.8 ** 2 / 2 + I * 1.5 ** 2 / 2 - m * M / 2.5
    V2 = lambda r, n, v: m * M / r ** 3 * (v[0] ** 2 + v[1] ** 2 - 3 * (n[0] * v[0] + n[1] * v[1]) ** 2)
    force2 = lambda r: (m * M / r ** 2) ** 2 / reduced
    steps, H2 = [], []
    while len(steps) < 20000:
        # star at the origin, disc at d; the vertex at angle a touches along the unit vector u
        a, b = 0.0, random.uniform(-pi / 4, pi / 4)
        u = [cos(b), sin(b)]
        d = [corner + R * u[0], R * u[1]]
        if any((d[0] - corner * cos(k * pi / 2)) ** 2 + (d[1] - corner * sin(k * pi / 2)) ** 2 < R * R for k in (1, 3)):
            continue
        r = sqrt(d[0] ** 2 + d[1] ** 2)
        n = [x / r for x in d]
        T = E + m * M / r
        w = [random.gauss(0, 1) for _ in range(3)]
        s = sqrt(2 * T / sum(x * x for x in w))
        v, omega = [s * w[0] / sqrt(reduced), s * w[1] / sqrt(reduced)], s * w[2] / sqrt(I)
        # gap rate: u . (v - omega x corner); a reflection in the mass metric
        lever = -corner * u[1]
        rate, G = u[0] * v[0] + u[1] * v[1] + lever * omega, 1 / reduced + lever ** 2 / I
        y = -2 * rate / G
        after = [v[0] + y * u[0] / reduced, v[1] + y * u[1] / reduced]
        C = [V2(r, n, x) / 4 - force2(r) / 8 for x in (v, after)]
        K = [V2(r, n, x) / 12 - force2(r) / 24 for x in (v, after)]
        H2 += K
        alpha = random.random()
        steps.append(alpha ** 2 * C[0] - (1 - alpha) ** 2 * C[1] + K[1] - K[0])
    rms = sqrt(sum(x * x for x in steps) / len(steps))
    print(f"{'star-and-disc':18} energy.initial {E:.12f}, relative range <= "
          f"{h * h * (spread(H2) + 5 * rms * sqrt(N)) / abs(E):.2e} for {N} impacts")


def double_pendulum_walls(h=0.005, g=9.81, wall=1.12, N=120):
    """Chaotic; impact_energy = continuous keeps H in an impact, so that H + h^2 H2 makes a walk of steps h^2 [H2]."""
    def H(z):
        a, b, p, r = z
        c = cos(a - b)
        return (p * p + 2 * r * r - 2 * p * r * c) / (2 * (2 - c * c)) - g * (2 * cos(a) + cos(b))
    E, X, random, jumps, H2 = H([2.0, -1.5, 0.0, 0.0]), field(H), Random(1), [], []
    while len(jumps) < 20000:
        a = random.uniform(-pi, pi)
        x = wall - sin(a)
        if abs(x) > 1:
            continue
        b = asin(x) if random.random() < 0.5 else pi - asin(x)
        T, c = E - H([a, b, 0, 0]), cos(a - b)
        if T <= 0:
            continue
        angle = random.uniform(-pi, pi)
        w = [cos(angle), sin(angle)]
        s = sqrt(T / (w[0] ** 2 + w[1] ** 2 / 2 + w[0] * w[1] * c))
        v, n = [s * w[0], s * w[1]], [-cos(a), -cos(b)]
        p = [2 * v[0] + v[1] * c, v[1] + v[0] * c]
        Mn = [(n[0] - n[1] * c) / (2 - c * c), (2 * n[1] - n[0] * c) / (2 - c * c)]
        y = -2 * (n[0] * v[0] + n[1] * v[1]) / (n[0] * Mn[0] + n[1] * Mn[1])
        ends = [[a, b] + p, [a, b, p[0] + y * n[0], p[1] + y * n[1]]]
        assert abs(H(ends[1]) - E) < 1e-9
        K = [-second(H, z, X(z)) / 24 for z in ends]
        H2 += K
        jumps.append(K[1] - K[0])
    rms = sqrt(sum(x * x for x in jumps) / len(jumps))
    print(f"{'double-pendulum-walls':18} energy.initial {E:.12f}, relative range <= "
          f"{h * h * (spread(H2) + 5 * rms * sqrt(N)) / abs(E):.2e} for {N} impacts")


if __name__ == "__main__":
    bouncing_particle()
    wedge()
    ball_on_parabola()
    vibrating_floor()
    reentrant_corner()
    billiards()
    rigid_bodies()
    newtonian_gravity()
    two_discs()
    star_and_disc()
    double_pendulum_walls()
