#!/usr/bin/env python3
"""Where the numbers of the [expect] tables of the problems with [optimize] come from. Knows the physics, not the program.

Bounces and cart: between impacts each coordinate is a double integrator whose force is constant in each interval, so the cheapest
control from one state to another is a linear problem of least norm (the midpoint rule is exact for constant forces). What remains is
the least over times and speeds of impact, found here by Newton's method with differences.

Air hockey: with |ux|, |uy| <= 1 the way x = 1 from rest takes at least sqrt(2), and so does the way to the wall at 1/2 and back to 0
(1 at full force, then s + s^2/2 = 1/2). Both are met by full force all the time: T = sqrt(2), and the impact is at 1."""
from math import sqrt

G = 9.81


def least(steps, start, end, mass=1.0, gravity=0.0):
    """The least sum h u^2/2 from start to end = (place or None, speed); u/mass - gravity is constant in each step."""
    T, passed, rows = sum(steps), 0.0, []
    for h in steps:
        passed += h
        rows.append((h * (T - passed + h / 2) / mass, h / mass))  # what u does to place and speed at the end
    free = (start[0] + start[1] * T - gravity * T * T / 2, start[1] - gravity * T)
    if end[0] is None:
        need = end[1] - free[1]
        return need**2 / sum(r[1] ** 2 / h for r, h in zip(rows, steps)) / 2
    a, b, c = (sum(r[i] * r[j] / h for r, h in zip(rows, steps)) for i, j in ((0, 0), (0, 1), (1, 1)))
    p, v = end[0] - free[0], end[1] - free[1]
    return (c * p * p - 2 * b * p * v + a * v * v) / (a * c - b * b) / 2  # need^T A^-1 need / 2


def lowest(f, z):
    """Newton's method for a minimum of one or two variables, with central differences."""
    d = 1e-4
    for _ in range(60):
        moved = lambda *by: f([x + d * b for x, b in zip(z, by)])
        if len(z) == 1:
            z = [z[0] - d * (moved(1) - moved(-1)) / 2 / (moved(1) - 2 * moved(0) + moved(-1))]
            continue
        g = [(moved(1, 0) - moved(-1, 0)) / 2, (moved(0, 1) - moved(0, -1)) / 2]
        xx, yy = (moved(*i) - 2 * moved(0, 0) + moved(*j) for i, j in (((1, 0), (-1, 0)), ((0, 1), (0, -1))))
        xy = (moved(1, 1) - moved(1, -1) - moved(-1, 1) + moved(-1, -1)) / 4
        det = xx * yy - xy * xy
        z = [z[0] - d * (yy * g[0] - xy * g[1]) / det, z[1] - d * (xx * g[1] - xy * g[0]) / det]
    return f(z), z


def bounce(e, n, T=1.2):
    def cost(z):
        t, w = z
        a, b = [t / n] * n, [(T - t) / n] * n
        return (least(a + b, (0, 0), (1, 0)) + least(a, (1, 0), (0, -w), gravity=G)
                + least(b, (0, e * w), (1, 0), gravity=G))
    return lowest(cost, [0.58, 4.0])


def cart(n, T=3.0, M=2.0, m=1.0, e=0.9, wall=0.8):
    """Cart to .3 beside the ball at .5 (half widths .2 together), ball to the wall at 2 and back to 1 at T."""
    def events(t):
        # 1.5/w + 1/(wall w) = T - t: the ball's way to the wall and back
        w = (1.5 + 1 / wall) / (T - t)
        V = w * (M + m) / (M * (1 + e))
        return w, V, t + 1.5 / w

    def cost(z):
        w, V, t2 = events(z[0])
        a, b, c = [z[0] / n] * n, [(t2 - z[0]) / n] * n, [(T - t2) / n] * n
        return least(a, (0, 0), (0.3, V), M) + least(b + c, (0.3, V - m * w / M), (None, 0), M)
    best, z = lowest(cost, [0.6])
    return best, z[0], events(z[0])[2]


if __name__ == "__main__":
    for n in (4, 8, 16):
        print("e = 1, intervals 2 x", n, *bounce(1, n))
    print("bounce-to-a-target: cost, [time, speed]", *bounce(1, 16))
    print("bounce-with-loss:   cost, [time, speed]", *bounce(0.8, 16))
    print("cart-and-ball:      cost, times", *cart(16))
    print("air-hockey: T =", sqrt(2))
