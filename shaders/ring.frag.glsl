// SPDX-License-Identifier: MIT
#version 330 core
// A line of one and a half pixels.

in vec2 on;
flat in float pixels;
flat in vec4 shown;
out vec4 colour;

void main() {
  float away = abs(length(on) - 1.0) * pixels;
  colour = vec4(shown.rgb, shown.a * clamp(1.25 - away, 0.0, 1.0));
}
