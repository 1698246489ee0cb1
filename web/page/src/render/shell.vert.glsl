// SPDX-License-Identifier: MIT
#version 330 core
// A square that faces the eye and holds the silhouette of a translucent ball.
#include "frame.glsl"

in vec2 corner;
in vec4 ball;  // centre, radius
in vec4 paint;  // colour, alpha

out vec3 ray;
flat out vec4 shape;
flat out vec4 base;

void main() {
  // The eye touches the ball along a circle nearer than its centre: at (1 - r^2/d^2) of the way.
  float d2 = dot(ball.xyz, ball.xyz);
  float share = max(1.0 - ball.w * ball.w / d2, 0.0);
  float radius = ball.w * sqrt(share);
  vec3 towards = ball.xyz * inversesqrt(d2);
  vec3 u = normalize(cross(towards, abs(towards.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
  vec3 v = cross(u, towards);
  ray = ball.xyz * share + radius * (corner.x * u + corner.y * v);
  gl_Position = share > 0.0 ? viewProjection * vec4(ray, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  shape = ball;
  base = paint;
}
