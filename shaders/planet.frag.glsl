// SPDX-License-Identifier: MIT
#version 330 core
// A ball far away, lit by the sun, under a thin air.
#include "frame.glsl"
#include "display.glsl"

uniform sampler2D surface;

in vec2 on;
flat in vec3 across;
flat in vec3 upwards;
flat in vec3 towards;
out vec4 colour;

const float size = 0.88;  // of the ball in its square; the rest is air
const vec3 air = vec3(0.16, 0.42, 0.72);

void main() {
  float r = length(on);
  if (r > 1.0) discard;
  float inside = min(r / size, 1.0);
  float facing = sqrt(1.0 - inside * inside);
  vec2 q = on * (inside / max(r, 1e-4));
  vec3 n = q.x * across + q.y * upwards - facing * towards;
  float day = dot(n, sun.xyz);

  vec2 map = vec2(atan(n.z, n.x) * 0.15915494 + 0.5, asin(clamp(n.y, -1.0, 1.0)) * 0.31830989 + 0.5);
  vec3 ground = textureLod(surface, map, 0.0).rgb;
  ground *= ground;
  float lit = smoothstep(-0.12, 0.9, day);
  float haze = 1.0 - facing;
  vec3 light = ground * lit * 0.75 + air * (haze * haze * smoothstep(-0.35, 0.6, day)) * 0.45;

  // Beyond the limb the air thins out.
  float edge = clamp((r - size) / (1.0 - size), 0.0, 1.0);
  float thin = (1.0 - edge) * (1.0 - edge) * (1.0 - edge);
  float solid = 1.0 - smoothstep(size - 0.004, size + 0.004, r);
  vec3 glow = air * thin * smoothstep(-0.35, 0.6, day) * 0.30;
  colour = vec4(display(mix(glow, light, solid)), solid);
}
