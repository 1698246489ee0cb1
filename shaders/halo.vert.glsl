// SPDX-License-Identifier: MIT
#version 330 core
// A soft round light that faces the eye.
#include "frame.glsl"

layout(location = 0) in vec4 ball;  // centre, radius
layout(location = 1) in vec3 light;

out vec2 on;
flat out vec3 shown;

void main() {
  on = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID >> 1) * 2 - 1);
  vec3 p = ball.xyz + ball.w * (on.x * right.xyz + on.y * up.xyz);
  gl_Position = viewProjection * vec4(p, 1.0);
  shown = light;
}
