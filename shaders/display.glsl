// SPDX-License-Identifier: MIT
// From linear light to what is shown.

// Tone curve and gamma in one division.
vec3 display(vec3 light) { return 1.019 * light / (light + 0.155); }
