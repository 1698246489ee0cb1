// SPDX-License-Identifier: MIT
#version 330 core
// Three great circles of a ball; the far half is fainter.
#include "frame.glsl"

layout(location = 0) in vec3 direction;
layout(location = 1) in vec4 ball;  // centre, radius
layout(location = 2) in vec4 light;

out vec4 shown;

void main() {
  gl_Position = viewProjection * vec4(ball.xyz + ball.w * direction, 1.0);
  float away = dot(direction, ball.xyz);
  float far = clamp(8.0 * away * inversesqrt(dot(ball.xyz, ball.xyz)) + 0.5, 0.0, 1.0);
  shown = vec4(light.rgb, light.a * (0.85 - 0.5 * far));
}
