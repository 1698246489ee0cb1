// SPDX-License-Identifier: MIT
#version 330 core
// White-hot core, blue mantle, a few shock diamonds.

in vec2 on;
flat in float strength;
out vec4 colour;

void main() {
  float y = max(on.y, 0.0);
  float left = 1.0 - y;
  float x = on.x / (0.30 + 0.70 * left);
  float mantle = max(1.0 - x * x, 0.0);
  float start = clamp(on.y * 16.0 + 1.0, 0.0, 1.0);
  float wave = abs(fract(y * 5.0) - 0.5) * 2.0;
  float core = max(1.0 - 7.0 * x * x, 0.0) * left * (0.55 + 0.75 * wave * wave * left);
  float fade = mantle * mantle * left * left * start * strength;
  colour = vec4(vec3(0.16, 0.40, 1.0) * fade + vec3(0.75, 0.88, 1.0) * (core * left * start * strength), 1.0);
}
