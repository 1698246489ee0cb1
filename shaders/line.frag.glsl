// SPDX-License-Identifier: MIT
#version 330 core
// Fades over the outermost pixel; wide lines are soft.

flat in vec4 shown;
flat in float edge;
in float side;
out vec4 colour;

void main() {
  float fade = clamp((edge - abs(side)) / max(1.0, 0.8 * edge), 0.0, 1.0);
  colour = vec4(shown.rgb, shown.a * fade);
}
