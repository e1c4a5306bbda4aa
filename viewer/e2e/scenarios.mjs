// Scenarios of the tests, written to files.
export const hostileTitle = `</script><script>window.hacked = 1</script> <img src=x onerror="window.hacked=2"> & "quotes" 'single' \\u003c --> \u202bשלום עולם\u202c ${'very-long-'.repeat(40)}`;

const quoted = (text) => JSON.stringify(text); // a TOML basic string takes the same escapes

// A ball dropped on a floor: bounces of equal height, 2 v/g apart with v = sqrt(2 g height).
export const ball = (title, { view = true, duration = 10 } = {}) => `
title = ${quoted(title)}
reference = ${quoted('<b>Newton</b> 1687')}
[system]
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - g*y"
parameters = { g = 9.81 }
[[system.contact]]
name = "<i>floor</i>"
gap = "y"
[[system.symmetry]]
name = "horizontal <u>momentum</u>"
generator = ["1", "0"]
[initial]
position = [0.0, 1.0]
velocity = [0.5, 0.0]
[integrator]
method = "variational-collision"
discretization = "trapezoidal"
step = 0.01
[run]
duration = ${duration.toFixed(1)}
` + (view ? `
[[view.shape]]
kind = "circle"
at = ["x", "y + 0.05"]
radius = 0.05
label = "<em>ball</em>"
[[view.shape]]
kind = "plane"
at = ["0", "0"]
normal = ["0", "1"]
` : '');

export const trail = `
[[view.shape]]
kind = "trail"
at = ["x", "y + 0.05"]
`;

// Sections of the ball.
export const withSections = `
[[output.section]]
name = "<i>hits</i>"
impact = true
side = "after"
quantities = ["x", "y'"]
[[output.section]]
name = "apex"
crosses = "y'"
direction = "down"
quantities = ["y", "t"]
`;

// Without [view]: a pendulum and a wall at theta = -asin(0.3), or two coordinates with a forbidden half-plane b > 0.7.
export const withoutView = (two) => `
title = "No view"
[system]
coordinates = [${two ? '"a", "b"' : '"theta"'}]
lagrangian = "${two ? "(a'^2 + b'^2)/2 - 2*a^2 - b^2" : "theta'^2/2 + 9.81*cos(theta)"}"
[[system.contact]]
name = "wall"
gap = "${two ? '0.7 - b' : 'sin(theta) + 0.3'}"
[initial]
position = [${two ? '1.0, 0.0' : '1.0'}]
velocity = [${two ? '0.0, 2.0' : '0.0'}]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 10.0
`;

// First impact after sqrt(2 height/g), then one every 2 sqrt(2 height/g).
export const ballImpacts = (duration) => Math.floor((duration / Math.sqrt(2 / 9.81) + 1) / 2);
