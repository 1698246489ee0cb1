// SPDX-License-Identifier: MIT
#version 330 core
// The end of the arena: clearer where the eye comes near.
#include "frame.glsl"

layout(location = 0) in vec3 direction;

uniform vec4 place;  // centre, radius

out float light;

void main() {
  vec3 p = place.xyz + place.w * direction;
  gl_Position = viewProjection * vec4(p, 1.0);
  float near = 0.30 * place.w / (length(p) + 0.05 * place.w);
  light = 0.07 + 0.34 * min(near * near, 1.5);
}
