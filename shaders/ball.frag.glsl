// SPDX-License-Identifier: MIT
#version 330 core
// A solid ball where the ray through this pixel meets it first: round at every size.
#include "frame.glsl"
#include "display.glsl"

in vec3 ray;
flat in vec4 shape;  // centre, radius
flat in vec3 base;
out vec4 colour;

const vec3 sunLight = vec3(0.95, 0.93, 0.88);
const vec3 skyFill = vec3(0.26, 0.29, 0.34);
const vec3 groundFill = vec3(0.07, 0.07, 0.08);

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

  float key = max(dot(n, sun.xyz), 0.0);
  float facing = max(dot(n, -along), 0.0);
  float lobe = max(dot(n, normalize(sun.xyz - along)), 0.0);
  vec3 fill = mix(groundFill, skyFill, 0.5 + 0.5 * n.y);
  // Dark towards the silhouette, so that neighbours stand apart
  float rim = 0.35 + 0.65 * smoothstep(0.0, 0.55, facing);
  vec3 light = base * (sunLight * key + fill) * rim + 0.10 * pow(lobe, 40.0) * key;
  colour = vec4(display(light), 1.0);
}
