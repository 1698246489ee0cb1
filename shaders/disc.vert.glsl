// SPDX-License-Identifier: MIT
#version 330 core
// A square on the sky, about a direction.
#include "frame.glsl"

uniform vec4 place;  // direction, tangent of half its angle

out vec2 on;

void main() {
  on = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID >> 1) * 2 - 1);
  vec3 across = normalize(cross(vec3(0.0, 1.0, 0.0), place.xyz));
  vec3 upwards = cross(place.xyz, across);
  vec3 d = place.xyz + place.w * (on.x * across + on.y * upwards);
  vec4 p = viewProjection * vec4(d * 100.0, 1.0);
  gl_Position = p.xyww;
}
