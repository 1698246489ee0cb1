// SPDX-License-Identifier: MIT
#version 330 core
// Motes are soft and round, streaks plain.

uniform float roundness;  // 1: of points

in vec3 shown;
out vec4 colour;

void main() {
  vec2 on = roundness * (2.0 * gl_PointCoord - 1.0);
  colour = vec4(shown * max(1.0 - dot(on, on), 0.0), 1.0);
}
