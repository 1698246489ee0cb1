// SPDX-License-Identifier: MIT
#version 330 core
// The silhouette of a ball as a narrow band that faces the eye.
#include "frame.glsl"

layout(location = 0) in vec3 corner;  // on the unit circle; 1 on the outer edge
layout(location = 1) in vec4 ball;    // centre, radius
layout(location = 2) in vec4 light;

uniform float strength;

out vec2 on;
flat out float pixels;  // the radius in pixels
flat out vec4 shown;

const float halfWidth = 1.5;  // pixels
const float slack = 1.0824;  // 1 / cos(pi / 8): the sides of the band must not cut the circle

void main() {
  // The eye touches the ball along a circle nearer than its centre: at (1 - r^2/d^2) of the way.
  float d2 = dot(ball.xyz, ball.xyz);
  float share = max(1.0 - ball.w * ball.w / d2, 0.0);
  vec3 centre = ball.xyz * share;
  float radius = ball.w * sqrt(share);
  vec3 towards = ball.xyz * inversesqrt(d2);
  vec3 u = normalize(cross(towards, abs(towards.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
  vec3 v = cross(u, towards);
  pixels = radius / max(misc.z * misc.x * dot(centre, forward.xyz), 1e-5);
  float margin = halfWidth / max(pixels, 1e-3);
  on = corner.xy * (corner.z > 0.5 ? (1.0 + margin) * slack : max(1.0 - margin, 0.0));
  vec3 p = centre + radius * (on.x * u + on.y * v);
  gl_Position = share > 0.0 ? viewProjection * vec4(p, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  // Rings of a few pixels would fill up the ship that they stand around
  shown = vec4(light.rgb, light.a * strength * clamp(pixels / 10.0, 0.15, 1.0));
}
