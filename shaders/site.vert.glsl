// SPDX-License-Identifier: MIT
#version 330 core
// The distance from a segment as depth: two ramps along it, and a fan of the cone about each end.

layout(location = 0) in vec2 offset;  // along and across the segment, of the reach
layout(location = 1) in vec2 end;     // which end, and the depth here
layout(location = 2) in vec4 segment;  // both ends, square of the picture from -1 to 1
layout(location = 3) in vec3 name;

uniform float reach;  // in that square

flat out vec3 shown;

void main() {
  vec2 between = segment.zw - segment.xy;
  float length2 = dot(between, between);
  vec2 along = length2 > 0.0 ? between * inversesqrt(length2) : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  vec2 base = end.x < 0.5 ? segment.xy : segment.zw;
  gl_Position = vec4(base + reach * (offset.x * along + offset.y * across), 2.0 * end.y - 1.0, 1.0);
  shown = name;
}
