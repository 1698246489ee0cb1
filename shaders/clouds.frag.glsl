// SPDX-License-Identifier: MIT
#version 330 core
// Dark gradients, dithered so that they show no steps.

in vec3 shown;
out vec4 colour;

void main() {
  float grain = fract(dot(gl_FragCoord.xy, vec2(0.75487767, 0.56984029)));
  colour = vec4(shown + (grain - 0.5) * (1.0 / 255.0), 1.0);
}
