// SPDX-License-Identifier: MIT
#version 330 core
// A line of an even width in pixels, as a strip of two triangles.
#include "frame.glsl"

layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 light;

flat out vec4 shown;
out float side;

const float halfWidth = 1.3;  // pixels, of which the last fades
const float nearest = 0.06;

void main() {
  // Cut what is behind the eye, or the direction on the screen is wrong.
  vec3 a = from, b = to;
  float da = dot(a, forward.xyz), db = dot(b, forward.xyz);
  if (da < nearest && db > nearest) a = mix(a, b, (nearest - da) / (db - da));
  if (db < nearest && da > nearest) b = mix(b, a, (nearest - db) / (da - db));
  vec4 ca = viewProjection * vec4(a, 1.0), cb = viewProjection * vec4(b, 1.0);
  vec2 along = (cb.xy / cb.w - ca.xy / ca.w) * viewport.xy;
  float length2 = dot(along, along);
  vec2 normal = length2 > 1e-6 ? vec2(-along.y, along.x) * inversesqrt(length2) : vec2(1.0, 0.0);
  vec4 p = (gl_VertexID & 1) == 0 ? ca : cb;
  side = (gl_VertexID >> 1) == 0 ? -halfWidth : halfWidth;
  p.xy += normal * side * misc.z * 2.0 * viewport.zw * p.w;
  if (da < nearest && db < nearest) p = vec4(2.0, 2.0, 2.0, 1.0);
  gl_Position = p;
  shown = light;
}
