#!/usr/bin/env python3
"""Where the numbers of the [expect] tables of the scenarios soft-*.toml come from. Knows rigid bodies, not the program.

Momenta are kept to round-off, so that only their sizes are needed; what restitution a soft body has is a matter of waves. Two discs (soft-discs): a NumPy program of its
own (penalty, one disc and its image) has, at 1734 and 5400 triangles and two stiffnesses, e = .9678 to .9696 along the total impulse, .9349 to .9379 along the normal of the first touch (.937 stated)."""
from math import pi, sin, sqrt


def polygon(n, R):
    """Area of the regular polygon that a mesh makes of a circle."""
    return n / 2 * sin(2 * pi / n) * R * R


def discs():
    M, v = polygon(6 * 17, 1), 0.1
    print(f"{'soft-discs':20} energy {M * v * v:.6g}, e = .9687 (.9678 to .9696, see above)")


def ring():
    cell = 0.3 / 4
    n = 2 * round(pi * 0.85 / cell)
    M, v, g, drop = polygon(n, 1) - polygon(n, 0.7), 0.15, 0.05, 0.3
    print(f"{'soft-ring':20} energy {M * v * v / 2:.6g}, arrives at {sqrt(2 * drop / g):.6g}")


def billiard():
    M, v = polygon(36, 0.4), 0.15
    print(f"{'soft-billiard':20} energy {M * v * v / 2:.6g}")


def block():
    """Vibrations of a block that slides grow: ü = −M⁻¹(K + μ P)u, P = the vertical rows of K at the nodes on the floor, which friction puts on their horizontal ones, has complex eigenvalues. SciPy has
    for E = 2.5, ν = 1/4 and 16 × 4 cells growth rates of .065, .127, .246, .361, .579 for μ = .05, .1, .2, .3, .5, much the same on 32 × 8. A start away from the equilibrium (μ = .3, t = 15: e^5.4)
    feeds 2 % of the energy into vibrations that way, with any step; from the equilibrium, at μ = .1, it is .1 %."""
    M, v, mu, g, t = 1.0, 0.06, 0.1, 0.02, 24.0
    print(f"{'soft-block-slides':20} momentum {M * v:.6g}, changes by {-M * mu * g * t:.6g}, stops at {v / (mu * g):.6g}; "
          f"friction {-M * mu * g * (v * t - mu * g * t * t / 2):.6g}")


def beam():
    M, v = polygon(42, 0.4), 0.15
    print(f"{'soft-beam-hit':20} energy {M * v * v / 2:.6g}")


def boxes():
    M, g, t = 2 * 1 + 1.5 * 0.7 + 1 * 0.5, 0.01, 30
    print(f"{'soft-boxes-stacked':20} weight {M * g:.6g}, in {t}: {M * g * t:.6g}")


if __name__ == "__main__":
    discs(), ring(), billiard(), block(), beam(), boxes()
