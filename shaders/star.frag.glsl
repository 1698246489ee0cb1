// SPDX-License-Identifier: MIT
#version 330 core
// Soft and round.

flat in vec3 shown;
out vec4 colour;

void main() {
  vec2 on = 2.0 * gl_PointCoord - 1.0;
  float fade = max(1.0 - dot(on, on), 0.0);
  colour = vec4(shown * fade, 1.0);
}
