// SPDX-License-Identifier: MIT
#version 330 core

in vec2 on;
flat in vec3 shown;
out vec4 colour;

void main() {
  float fade = max(1.0 - dot(on, on), 0.0);
  colour = vec4(shown * (fade * fade * fade), 1.0);
}
