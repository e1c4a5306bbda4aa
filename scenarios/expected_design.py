#!/usr/bin/env python3
"""Where the numbers of the [expect] tables of the problems with [shoot] come from. Knows the physics, not the program.

Flights are closed forms (linear gravity, straight lines) or fine Runge-Kutta solutions (drag, friction); impacts are met
by root finding; the problems are solved again here by Newton's method with differences of these flights."""
from cmath import cos as ccos, sin as csin
from math import atan2, cos, hypot, pi, sin, sqrt


def solve(A, b):
    """Gauss elimination with pivoting."""
    n, A = len(b), [list(r) + [x] for r, x in zip(A, b)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(A[i][k]))
        A[k], A[p] = A[p], A[k]
        for i in range(k + 1, n):
            f = A[i][k] / A[k][k]
            A[i] = [a - f * c for a, c in zip(A[i], A[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (A[k][n] - sum(A[k][j] * x[j] for j in range(k + 1, n))) / A[k][k]
    return x


def shoot(residual, u, steps=12, delta=1e-6):
    """Newton's method with central differences; delta is a part of the unknown."""
    for _ in range(steps):
        r, J = residual(u), []
        for j in range(len(u)):
            d = delta * max(1, abs(u[j]))
            up, down = list(u), list(u)
            up[j] += d
            down[j] -= d
            J.append([(a - b) / (2 * d) for a, b in zip(residual(up), residual(down))])
        u = [x - y for x, y in zip(u, solve([list(row) for row in zip(*J)], r))]
    return u


def circle():
    """Floor, then wall, under gravity: two mirror images of one parabola, in closed form."""
    g, r, wall = 9.81, 0.25, 2.0

    def residual(u):
        vx, vy, T = u
        t = (vy + sqrt(vy * vy + 2 * g * (1 - r))) / g
        y, w = r + (g * t - vy) * (T - t) - g * (T - t) ** 2 / 2, (g * t - vy) - g * (T - t)
        x = 2 * (wall - r) - vx * T
        a = 4 * pi / 3
        return [x - 0.4, y - 0.8, -vx * sin(a) - w * cos(a)]

    print("circle-to-a-point: velocity.x, velocity.y, duration", *("%.12f" % x for x in shoot(residual, [2, 3, 1.5])))


def ellipse():
    """The body touches where its support function h(theta) = sqrt((a sin)^2 + (b cos)^2) ends; the instants by bisection
    of the exact flights, the impulse along (0, 1, h') or (-1, 0, -k'), k the horizontal support function."""
    g, a, b, wall, m = 9.81, 0.3, 0.2, 2.0, 1.0
    I = m * (a * a + b * b) / 4
    low = lambda th: sqrt((a * sin(th)) ** 2 + (b * cos(th)) ** 2)
    low_ = lambda th: (a * a - b * b) * sin(th) * cos(th) / low(th)
    wide = lambda th: sqrt((a * cos(th)) ** 2 + (b * sin(th)) ** 2)
    wide_ = lambda th: -(a * a - b * b) * sin(th) * cos(th) / wide(th)

    def at(q, v, t):
        return [q[0] + v[0] * t, q[1] + v[1] * t - g * t * t / 2, q[2] + v[2] * t], [v[0], v[1] - g * t, v[2]]

    gaps = [(lambda q: q[1] - low(q[2]), lambda q: (0, 1, -low_(q[2]))),
            (lambda q: wall - q[0] - wide(q[2]), lambda q: (-1, 0, -wide_(q[2])))]

    def residual(u):
        q, v, T = [0.0, 1.0, 0.0], [u[0], u[1], u[2]], u[3]
        for gap, normal in gaps:
            s = 1e-3
            while gap(at(q, v, s)[0]) > 0 and s < 3:
                s += 1e-3
            lo, hi = s - 1e-3, s
            for _ in range(80):
                mid = (lo + hi) / 2
                lo, hi = (mid, hi) if gap(at(q, v, mid)[0]) > 0 else (lo, mid)
            q, v = at(q, v, hi)
            T -= hi
            n = normal(q)
            w = [n[0] / m, n[1] / m, n[2] / I]
            c = sum(x * y for x, y in zip(n, v)) / sum(x * y for x, y in zip(n, w))
            v = [x - 2 * c * y for x, y in zip(v, w)]
        q, v = at(q, v, T)
        d = 4 * pi / 3
        return [q[0] - 0.4, q[1] - 0.8, v[0] * sin(d) - v[1] * cos(d), q[2] + 2]

    u = shoot(residual, [2, 3, 2, 1.66], 20)
    print("ellipse-to-a-point: velocity.x, velocity.y, velocity.theta, duration", *("%.10f" % x for x in u),
          "residual %.1e" % max(map(abs, residual(u))))


def trick_shot():
    """Straight lines and mirrors: right, top, left. The image of the pocket in the three cushions is aimed at."""
    W, H, r, speed = 2.0, 1.0, 0.03, 1.5
    x0, y0, xp, yp = 0.5, 0.3, 1.6, 0.1
    # x: over right and left, y: over top
    X = 2 * (W - r) - (2 * r - xp)  # image of xp in left, then in right
    Y = 2 * (H - r) - yp
    dx, dy = X - x0, Y - y0
    print("billiard-trick-shot: angle %.12f duration %.12f" % (atan2(dy, dx), hypot(dx, dy) / speed))
    t = [(W - r - x0) / dx, (H - r - y0) / dy, (2 * (W - r) - r - x0) / dx]
    print("  order of the cushions:", t == sorted(t), t)


def driven_ball():
    """One bounce a period: the ball meets the table at its phase a with Aw cos(a) = (gT/2)(1-e)/(1+e). The multipliers are
    those of two flights and the impact between them, differentiated by complex steps."""
    g, T, e = 9.81, 0.5, 0.5
    for gamma in (1.3, 1.52682):
        w = 2 * pi / T
        A = gamma * g / w ** 2
        ca = g * T / 2 * (1 - e) / (1 + e) / (A * w)
        phases = [atan2(sqrt(1 - ca * ca), ca)]
        for a in phases:
            t0 = a / w  # of the impact
            y, v = A * sin(a), g * T / 2  # just after it
            s = T - t0  # to the end of the period
            start = (y + v * s - g * s * s / 2, v - g * s)

            def period(y, v):
                t = t0
                for _ in range(60):  # the instant of the impact, by Newton's method, in complex numbers
                    f = y + v * t - g * t * t / 2 - A * csin(w * t)
                    t = t - f / (v - g * t - A * w * ccos(w * t))
                c = v - g * t - A * w * ccos(w * t)
                yy, vv, s = A * csin(w * t), A * w * ccos(w * t) - e * c, T - t
                return yy + vv * s - g * s * s / 2, vv - g * s

            d = 1e-30
            M = [[period(start[0] + 1j * d * (j == 0), start[1] + 1j * d * (j == 1))[i].imag / d for j in (0, 1)]
                 for i in (0, 1)]
            tr, det = M[0][0] + M[1][1], M[0][0] * M[1][1] - M[0][1] * M[1][0]
            disc = tr * tr / 4 - det
            root = sqrt(abs(disc))
            print("driven-ball-orbit: gamma %g position %.12f velocity %.12f closes to %.1e" %
                  (gamma, *start, max(abs(x - y) for x, y in zip(period(*start), start))))
            print("  multipliers", ["%.10f" % (tr / 2 + root), "%.10f" % (tr / 2 - root)] if disc > 0 else
                  ["%.10f" % (tr / 2), "+-%.10fi" % root], "product %.12f" % det)


def juggling():
    """From the middle of the upper arc the ball comes to the right paddle after T/4 and is sent back along its path: its
    velocity is along the normal there, and V = |v|(1-e)/(1+e) is the speed of the paddle."""
    g, T, e, d, lift = 9.81, 1.0, 0.8, 1.0, 0.12
    w = 2 * pi / T
    vx, u = d / (T / 4), g * T / 4
    V = hypot(vx, u) * (1 - e) / (1 + e)
    phase = atan2(sqrt(1 - (V / (lift * w)) ** 2), V / (lift * w))
    nx, ny = vx / hypot(vx, u), u / hypot(vx, u)
    # at the impact: x = d, y = 0, displacement lift*sin(phase)
    offset = -nx * d - lift * sin(phase)  # gap = -nx x + ny y - offset - lift sin(...)
    print("juggling: normal (%.12f, %.12f) V %.12f phase %.12f offset %.12f" % (nx, ny, V, phase, offset))
    start = (0.0, g * (T / 4) ** 2 / 2, vx, 0.0)

    def period(x, y, vx, vy):
        t = 0
        for side in (1, -1):
            ps = phase - w * (T / 4 if side > 0 else 3 * T / 4)
            s = T / 4 if side > 0 else T / 2
            for _ in range(60):
                f = -side * nx * (x + vx * s) + ny * (y + vy * s - g * s * s / 2) - offset - lift * csin(w * (t + s) + ps)
                c = -side * nx * vx + ny * (vy - g * s) - lift * w * ccos(w * (t + s) + ps)
                s = s - f / c
            x, y, vy, t = x + vx * s, y + vy * s - g * s * s / 2, vy - g * s, t + s
            c = -side * nx * vx + ny * vy - lift * w * ccos(w * t + ps)
            vx, vy = vx + side * nx * (1 + e) * c, vy - ny * (1 + e) * c
        s = T - t
        return x + vx * s, y + vy * s - g * s * s / 2, vx, vy - g * s

    h = 1e-30
    M = [[period(*(z + 1j * h * (k == j) for k, z in enumerate(start)))[i].imag / h for j in range(4)] for i in range(4)]
    print("  start", ["%.12f" % z for z in start], "closes to %.1e" % max(abs(a - b) for a, b in zip(period(*start), start)))
    # characteristic polynomial by Faddeev and LeVerrier, its roots by Durand and Kerner
    I = [[float(i == j) for j in range(4)] for i in range(4)]
    mul = lambda A, B: [[sum(A[i][k] * B[k][j] for k in range(4)) for j in range(4)] for i in range(4)]
    N, coefficients = I, [1.0]
    for k in range(1, 5):
        P = mul(M, N)
        coefficients.append(-sum(P[i][i] for i in range(4)) / k)
        N = [[P[i][j] + coefficients[-1] * I[i][j] for j in range(4)] for i in range(4)]
    z = [(0.4 + 0.9j) ** k for k in range(4)]
    for _ in range(500):
        for k in range(4):
            p = 0
            for c in coefficients:
                p = p * z[k] + c
            q = 1
            for j in range(4):
                if j != k:
                    q *= z[k] - z[j]
            z[k] -= p / q
    print("  multipliers", sorted(["%.9f%+.9fi (%.9f)" % (x.real, x.imag, abs(x)) for x in z]), "product %.12f" % coefficients[4])


def rk4(f, y, h):
    k1 = f(y)
    k2 = f([a + h / 2 * b for a, b in zip(y, k1)])
    k3 = f([a + h / 2 * b for a, b in zip(y, k2)])
    k4 = f([a + h * b for a, b in zip(y, k3)])
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


def to_event(f, y, gap, h=2e-4):
    """The state at the first zero of the gap, and the time to it."""
    t = 0.0
    while True:
        z = rk4(f, y, h)
        if gap(z) <= 0:
            lo, hi = 0.0, h
            for _ in range(60):
                mid = (lo + hi) / 2
                lo, hi = (mid, hi) if gap(rk4(f, y, mid)) > 0 else (lo, mid)
            return rk4(f, y, hi), t + hi
        y, t = z, t + h
        if t > 20:
            raise ValueError("no event")


def fly(f, y, T, h=2e-4):
    n = max(1, round(T / h))
    for _ in range(n):
        y = rk4(f, y, T / n)
    return y


def putt():
    """Rolling friction mu m g against the motion on a tilted green, and a board that returns e of the normal speed."""
    g, mu, tx, ty, e, r, creep = 9.81, 0.06, 0.02, -0.01, 0.7, 0.02, 0.001

    def f(y):
        s = hypot(y[2], y[3], creep)
        return [y[2], y[3], -g * tx - mu * g * y[2] / s, -g * ty - mu * g * y[3] / s]

    def residual(u):
        y, t = to_event(f, [0.0, 0.0, u[0], u[1]], lambda y: 1.5 - r - y[1])
        y[3] *= -e
        y = fly(f, y, u[2] - t)
        return [y[0] - 2.0, y[1] - 0.6, y[2] ** 2 + y[3] ** 2 - 0.09]

    u = shoot(residual, [1.7, 2.3, 1.9], 12, 1e-5)
    print("golf-putt: velocity.x, velocity.y, duration", *("%.8f" % x for x in u), "residual %.1e" % max(map(abs, residual(u))))


def bank_shot():
    """Quadratic drag, lift by spin, and the board: a disc that slips or grips (Routh in the plane, e and mu)."""
    from expected_laws import coulomb

    m, r, g, c, k, e, mu = 0.62, 0.12, 9.81, 0.013, 0.012, 0.75, 0.5
    I = 2 / 3 * m * r * r
    board = 4.0

    def f(y):
        s = hypot(y[3], y[4])
        return [y[3], y[4], y[5], (-c * s * y[3] - k * y[5] * y[4]) / m, -g + (-c * s * y[4] + k * y[5] * y[3]) / m, 0.0]

    def residual(u):
        y, t = to_event(f, [0.0, 2.0, 0.0, u[0], u[1], 8.0], lambda y: board - r - y[0])
        height = y[1]
        # n = (-1, 0, 0), t = (0, 1, r)
        P, Q = coulomb((1 / m, 0.0, 1 / m + r * r / I), (-y[3], y[4] + r * y[5]), e, mu)
        y[3] -= P / m
        y[4] += Q / m
        y[5] += Q * r / I
        y = fly(f, y, u[2] - t)
        return [y[0] - 3.6, y[1] - 3.05, height - 3.5]

    u = shoot(residual, [4.5, 6.0, 1.1], 12, 1e-5)
    print("basketball-bank-shot: velocity.x, velocity.y, duration", *("%.8f" % x for x in u),
          "residual %.1e" % max(map(abs, residual(u))))


if __name__ == "__main__":
    circle()
    ellipse()
    trick_shot()
    driven_ball()
    juggling()
    putt()
    bank_shot()
