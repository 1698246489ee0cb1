// SPDX-License-Identifier: MIT
#version 330 core
// A flame as a strip along its axis, turned to the eye.
#include "frame.glsl"

layout(location = 0) in vec3 from;
layout(location = 1) in vec3 along;
layout(location = 2) in vec2 shape;  // width in metres, strength

out vec2 on;  // across from -1 to 1, along from 0 at the nozzle to 1
flat out float strength;

void main() {
  on = vec2((gl_VertexID & 1) * 2 - 1, float(gl_VertexID >> 1) * 1.06 - 0.06);
  vec3 side = cross(along, from + 0.3 * along);
  side *= inversesqrt(max(dot(side, side), 1e-12));
  vec3 p = from + on.y * along + on.x * shape.x * side;
  gl_Position = viewProjection * vec4(p, 1.0);
  strength = shape.y;
}
