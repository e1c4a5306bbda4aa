#!/usr/bin/env python3
"""Where the numbers of the scenarios with lasting contact and constraints come from: the reduced motion with one coordinate
along the curve y = f(x), integrated by Runge-Kutta steps so short that their error is below 1e-12; closed forms and reduced motions
of contact with friction that lasts. Knows the physics, not the program."""
from math import asin, cos, exp, hypot, pi, sin, sqrt


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


def chattering_ball(y=1.0, e=0.9, g=9.81, h=0.01):
    """Bounces shrink by e; they are over within a step if 2 c/g <= (1 - e) h."""
    c, t, n = sqrt(2 * g * y), sqrt(2 * y / g), 1
    zeno = t * (1 + e) / (1 - e)
    while 2 * e * c / g > (1 - e) * h:
        c, n = e * c, n + 1
        t += 2 * c / g
    print("chattering-ball:", n, "impacts, rests at", t, "limit", zeno, "left", zeno - t)


def rocking_block(a=0.1, b=0.4, tilt=0.15, g=9.81, h=0.005):
    """Rotation about a corner, 4/3 (a^2 + b^2) w' = -g (a cos q - b sin q); each landing keeps 1 - 3/2 sin^2 of atan(a/b)."""
    ratio = 1 - 1.5 * a * a / (a * a + b * b)
    rate = lambda q, w: (w, -0.75 * g * (a * cos(q) - b * sin(q)) / (a * a + b * b))
    t, q, w = until(rate, tilt, 0.0, lambda q, w: q)
    n, gone, first = 1, t, t
    while True:
        lift = 2 * a * -w * ratio                     # speed of the other corner, which comes back by gravity
        if 2 * lift <= (1 - ratio) * h * 2 * a * -rate(0, 0)[1]:
            break
        t, q, w = until(rate, 1e-300, -w * ratio, lambda q, w: q if w < 0 else 1.0)
        n, gone = n + 1, gone + t
    loss = g * (a * sin(tilt) + b * cos(tilt) - b)
    print("rocking-block: ratio", ratio, n, "landings, first", first, "rests at", gone, "energy lost", loss)


def runge(rate, y, s):
    add = lambda y, k, s: [a + s * b for a, b in zip(y, k)]
    a = rate(y)
    b = rate(add(y, a, s / 2))
    c = rate(add(y, b, s / 2))
    d = rate(add(y, c, s))
    return [u + s / 6 * (p + 2 * q + 2 * r + v) for u, p, q, r, v in zip(y, a, b, c, d)]


def go(rate, y, event, end, s=1e-4):
    """From t = 0 until event(y) <= 0 or the end: time and y."""
    t = 0.0
    while t < end - 1e-12:
        step = min(s, end - t)
        after = runge(rate, y, step)
        if event(after) <= 0:
            low, high = 0.0, step
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (low, middle) if event(runge(rate, y, middle)) <= 0 else (middle, high)
            return t + high, runge(rate, y, high)
        y, t = after, t + step
    return t, y


def ball_off_dome(R=1.0, r=0.2, mu=0.3, start=0.3, g=9.81, end=1.0):
    """Angle q from the top, spin w; k = 2/5. Rolls while k/(1 + k) g sin q <= mu (g cos q - L q'^2), then slides."""
    L, k = R + r, 0.4
    press = lambda y: g * cos(y[0]) - L * y[1] ** 2
    roll = lambda y: [y[1], g * sin(y[0]) / (1 + k) / L, -L / r * g * sin(y[0]) / (1 + k) / L]
    slide = lambda y: [y[1], (g * sin(y[0]) - mu * press(y)) / L, -mu * press(y) / (k * r)]
    t1, y = go(roll, [start, 0.0, 0.0], lambda y: mu * press(y) - k / (1 + k) * g * sin(y[0]), 10)
    t2, z = go(slide, y, press, 10)
    q, w = z[0], z[1]
    s = end - t1 - t2
    # the spin turns by the integral of w: rolling -L (q - start)/r, sliding by quadrature
    turned = lambda y0, n=20000: quadrature(slide, y0, t2, 2, n)
    x, y_ = L * sin(q) + L * w * cos(q) * s, L * cos(q) - L * w * sin(q) * s - g * s * s / 2
    print("ball-off-dome: slides at", t1, "q", y[0], "leaves at", t1 + t2, "q", q, "ends at", (x, y_,
          -L * (y[0] - start) / r + turned(y) + z[2] * s), "gap", hypot(x, y_) - L)


def quadrature(rate, y, end, part, n):
    """Integral of y[part] over the motion, by Simpson's rule over Runge-Kutta steps."""
    h, total = end / n, 0.0
    for _ in range(n):
        half = runge(rate, y, h / 2)
        whole = runge(rate, half, h / 2)
        total += h / 6 * (y[part] + 4 * half[part] + whole[part])
        y = whole
    return total


def stack_of_blocks(A=0.05, omega=4.0, g=9.81, end=5.0):
    """All of it moves with the table, A (1 - cos wt), while A w^2 < mu g and nothing tips; the table works A^2 w^2/2 m sin^2."""
    v = A * omega * sin(omega * end)
    print("stack-of-blocks: shift", A * (1 - cos(omega * end)), "speed", v, "largest acceleration/g", A * omega ** 2 / g,
          "energy gained", 3 * v * v / 2)


def box_over_edge(a=0.3, b=0.2, mu=0.2, x=-0.25, v=1.2, g=9.81, end=0.75):
    """Slides flat until x = -mu b, where the pressure has moved to the edge; tips over it, sliding, until it is off."""
    J = (a * a + b * b) / 3
    t1 = (v - sqrt(v * v - 2 * mu * g * (-mu * b - x))) / (mu * g)
    y = [-mu * b, b, 0.0, v - mu * g * t1, 0.0, 0.0]

    slip = lambda y: (y[3] + y[5] * y[1]) * cos(y[2]) + (y[4] - y[5] * y[0]) * sin(y[2])

    def force(y, side):
        """Pressure for c'' = 0, c = x sin q - y cos q + b, with friction against the slip along the bottom."""
        x, h, q, u, w, p = y
        n, t = (-sin(q), cos(q)), (cos(q), sin(q))
        f = (n[0] - side * mu * t[0], n[1] - side * mu * t[1])     # at (-x, -h) from the centre
        unit = (f[0], f[1], (-x * f[1] + h * f[0]) / J)
        grad = (sin(q), -cos(q), x * cos(q) + h * sin(q))
        bent = 2 * p * (u * cos(q) + w * sin(q)) + p * p * (-x * sin(q) + h * cos(q))
        return -(g * cos(q) + bent) / sum(i * j for i, j in zip(grad, unit)), unit

    def slides(side):
        def rate(y):
            N, unit = force(y, side)
            return [y[3], y[4], y[5], N * unit[0], N * unit[1] - g, N * unit[2]]
        return rate

    def turns(y):
        """About the edge: acceleration of the centre, of the angle."""
        x, h, q, u, w, p = y
        k = -g * x / (J + x * x + h * h)
        return [u, w, p, -k * h - p * p * x, k * x - p * p * h, k]

    def friction(y):
        """Along and across the bottom, while it sticks."""
        a = turns(y)
        return a[3] * cos(y[2]) + (a[4] + g) * sin(y[2]), -a[3] * sin(y[2]) + (a[4] + g) * cos(y[2])

    t2, y = go(slides(1), y, slip, 10)
    t3, y = go(turns, y, lambda y: mu * friction(y)[1] - abs(friction(y)[0]), 10)
    side = -1 if friction(y)[0] > 0 else 1
    t4, z = go(slides(side), y, lambda y: force(y, side)[0], 10)
    edge = -z[0] * cos(z[2]) - z[1] * sin(z[2])
    assert side * slip(z) > 0 and edge > -a
    s = end - t1 - t2 - t3 - t4
    print("box-over-edge: tips at", t1, "sticks at", t1 + t2, "slides at", t1 + t2 + t3, "is off at", t1 + t2 + t3 + t4,
          "ends at", (z[0] + z[3] * s, z[1] + z[4] * s - g * s * s / 2, z[2] + z[5] * s), "edge at", edge, "of", -a)


def ball_in_bowl(R=1.0, r=0.1, mu=0.1, start=1.2, g=9.81, end=3.0):
    """Angle q from the lowest point, spin w (left-handed slip u = L q' + r w); slides until u = 0, rolls while it can."""
    L, k = R - r, 0.4
    press = lambda y: g * cos(y[0]) + L * y[1] ** 2
    slip = lambda y: L * y[1] + r * y[2]
    roll = lambda y: [y[1], -g * sin(y[0]) / (1 + k) / L, g * sin(y[0]) / (1 + k) / r]
    spare = lambda y: mu * press(y) - abs(k / (1 + k) * g * sin(y[0]))
    t, y, rolls, story = 0.0, [start, 0.0, 0.0], False, []
    side = -1.0                                            # it begins to slide down
    while t < end - 1e-12:
        slide = lambda y: [y[1], (-g * sin(y[0]) - side * mu * press(y)) / L, -side * mu * press(y) / (k * r)]
        if rolls:
            dt, y = go(roll, y, spare, end - t)
        else:
            dt, y = go(slide, y, lambda z: side * slip(z), end - t)
        t += dt
        if t < end - 1e-12:
            rolls = not rolls and spare(y) > 0
            side = -1.0 if y[0] > 0 else 1.0              # where it cannot roll it slides down
            story.append((round(t, 6), "rolls" if rolls else "slides"))
            assert len(story) < 50
    energy = (L * y[1]) ** 2 / 2 + k * (r * y[2]) ** 2 / 2 - g * L * cos(y[0])
    print("ball-in-bowl:", story, "ends at", (L * sin(y[0]), -L * cos(y[0])), "velocity",
          (L * y[1] * cos(y[0]), L * y[1] * sin(y[0]), y[2]), "energy", energy, "lost", energy + g * L * cos(start))


def coin_on_table(gamma=1.2, f=5.0, e=0.3, g=9.81, h=0.001, end=2.07):
    """On the table until sin wt = 1/gamma, thrown, bounces with e until it is at rest again: the same each period."""
    w = 2 * pi * f
    A = gamma * g / w ** 2
    Y, V = lambda t: A * sin(w * t), lambda t: A * w * cos(w * t)
    t = asin(1 / gamma) / w
    lifted, hits, y, v = t, 0, Y(t), V(t)
    while True:
        gap = lambda s: y + v * (s - t) - g * (s - t) ** 2 / 2 - Y(s)
        low = t + (0.005 if hits == 0 else 1e-6)           # at first it leaves like a cube
        while gap(low + 1e-5) > 0:
            low += 1e-5
        high = low + 1e-5
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if gap(middle) > 0 else (low, middle)
        c = v - g * (low - t) - V(low)
        y, v, t, hits = Y(low), V(low) - e * c, low, hits + 1
        if -2 * e * c / (g - gamma * g * sin(w * t)) <= (1 - e) * h:
            break
    print("coin-on-vibrating-table: lifts at", lifted, "phase", asin(1 / gamma), "rests again after", hits, "impacts at", t,
          "of a period", 1 / f, "episodes", int((end - lifted) * f) + 2, "impacts", hits * (int((end - lifted) * f) + 1),
          "height at the end", Y(end), "speed", V(end))


def poured_discs(g=9.81, n=15):
    r, m = [0.05, 0.07, 0.06] * 5, [0.25, 0.49, 0.36] * 5
    y = [0.12, 0.27, 0.22, 0.17, 0.12, 0.42, 0.57, 0.52, 0.47, 0.42, 0.72, 0.87, 0.82, 0.77, 0.72]
    v = [0.5 * sin(7 * (i + 1)) for i in range(n)]
    print("poured-discs: energy", sum(m[i] * (g * y[i] + v[i] ** 2 / 2) for i in range(n)), "all on the floor",
          sum(m[i] * g * r[i] for i in range(n)))


ball_over_hill()
bead_on_wire()
slot()
chattering_ball()
rocking_block()
ball_off_dome()
stack_of_blocks()
box_over_edge()
ball_in_bowl()
coin_on_table()
poured_discs()
