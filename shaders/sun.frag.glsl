// SPDX-License-Identifier: MIT
#version 330 core
// The sun: a small disc, a corona, two faint streaks.

in vec2 on;
out vec4 colour;

void main() {
  float r2 = dot(on, on);
  if (r2 > 1.0) discard;
  float fade = (1.0 - r2) * (1.0 - r2);
  float corona = 0.010 / (r2 + 0.010) + 0.11 * fade;
  vec2 a = abs(on);
  float streak = 0.05 * fade / (1.0 + 900.0 * a.y * a.y) + 0.03 * fade / (1.0 + 900.0 * a.x * a.x);
  float core = 1.0 - smoothstep(0.0022, 0.0032, r2);
  colour = vec4(vec3(1.0, 0.90, 0.72) * (corona * fade + 2.5 * streak) + core, 1.0);
}
