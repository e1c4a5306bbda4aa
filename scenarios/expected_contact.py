#!/usr/bin/env python3
"""Where the numbers of the scenarios with lasting contact and constraints come from: the reduced motion with one coordinate
along the curve y = f(x), integrated by Runge-Kutta steps so short that their error is below 1e-12. Knows the physics, not the
program."""
from math import exp, pi, sqrt


def along(f1, f2, g):
    """(x, u = x')' on the curve with slope f1 and second derivative f2: (1 + f1^2) u' + f1 f2 u^2 + g f1 = 0."""
    return lambda x, u: (u, -f1(x) * (f2(x) * u * u + g) / (1 + f1(x) ** 2))


def rk4(rate, x, u, s):
    a, b = rate(x, u)
    c, d = rate(x + s / 2 * a, u + s / 2 * b)
    e, k = rate(x + s / 2 * c, u + s / 2 * d)
    m, n = rate(x + s * e, u + s * k)
    return x + s / 6 * (a + 2 * c + 2 * e + m), u + s / 6 * (b + 2 * d + 2 * k + n)


def until(rate, x, u, event, s=1e-4):
    """Time, x and u where event(x, u) falls through 0; bisection in the length of the last step."""
    t = 0.0
    while True:
        after = rk4(rate, x, u, s)
        if event(*after) <= 0:
            low, high = 0.0, s
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (low, middle) if event(*rk4(rate, x, u, middle)) <= 0 else (middle, high)
            return (t + high, *rk4(rate, x, u, high))
        (x, u), t = after, t + s


def ball_over_hill(g=9.81, v=5.2, duration=0.9):
    f, f1, f2 = lambda x: exp(-x * x), lambda x: -2 * x * exp(-x * x), lambda x: (4 * x * x - 2) * exp(-x * x)
    # the hill pushes with (g + f'' u^2)/(1 + f'^2) and can only push
    t, x, u = until(along(f1, f2, g), -2.0, v / sqrt(1 + f1(-2.0) ** 2), lambda x, u: g + f2(x) * u * u)
    s, y = duration - t, f(x)
    print("ball-over-hill: leaves at", t, (x, y), "ends at", (x + u * s, y + f1(x) * u * s - g * s * s / 2), "above",
          y + f1(x) * u * s - g * s * s / 2 - f(x + u * s))


def bead_on_wire(g=9.81, c=0.5, start=-1.0, stop=0.5, duration=20.0, h=0.01):
    rate = along(lambda x: 2 * c * x, lambda x: 2 * c, g)
    hit, x, u = until(rate, start, 0.0, lambda x, u: stop - x)
    print("bead-on-wire: first hit", hit, "again every", 2 * hit, "hits in all", int((duration - hit) / (2 * hit)) + 1)
    # a rough size: the discrete rule moves H by at most kappa, kappa = |force along the wire|^2 h^2/8, at each hit
    slope = 2 * c * stop
    force = g * slope / sqrt(1 + slope ** 2)
    print("  kappa along the wire", force ** 2 * h * h / 8, "speed at the stop", u * sqrt(1 + slope ** 2))
    end = (duration - hit) % (2 * hit)
    x, u = stop, -u
    n = int(end / 1e-4)
    for _ in range(n):
        x, u = rk4(rate, x, u, 1e-4)
    x, u = rk4(rate, x, u, end - n * 1e-4)
    print("  exact end", x, c * x * x)


def slot(width=0.0123, v=1.0, h=0.0007, duration=1.0):
    print("thin-slot: between", int(duration * v / width), "and", int(duration * v / (width - 2 * h * v)) + 1, "impacts")


ball_over_hill()
bead_on_wire()
slot()
