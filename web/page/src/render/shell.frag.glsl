// SPDX-License-Identifier: MIT
#version 330 core
// A translucent ball where the ray meets it first; denser towards its silhouette.
#include "frame.glsl"

in vec3 ray;
flat in vec4 shape;
flat in vec4 base;
out vec4 colour;

void main() {
  vec3 along = normalize(ray);
  float middle = dot(along, shape.xyz);
  vec3 aside = shape.xyz - middle * along;
  float inside = shape.w * shape.w - dot(aside, aside);
  if (inside < 0.0) discard;
  vec3 hit = along * (middle - sqrt(inside));
  vec3 n = (hit - shape.xyz) / shape.w;
  vec4 place = viewProjection * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * place.z / place.w + 0.5;
  float facing = max(dot(n, -along), 0.0);
  float edge = 1.0 - facing;
  float light = 0.62 + 0.38 * max(dot(n, sun.xyz), 0.0);
  colour = vec4(base.rgb * light, base.a * (0.16 + 0.84 * edge * edge * edge));
}
