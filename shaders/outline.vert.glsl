// SPDX-License-Identifier: MIT
#version 330 core
// Swells a ship by a few pixels; only its back faces are drawn, so that a silhouette remains.
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 5) in vec4 row0;
layout(location = 6) in vec4 row1;
layout(location = 7) in vec4 row2;
layout(location = 9) in vec4 outline;
layout(location = 11) in vec4 smoothNormal;

flat out vec3 shown;

const float pixels = 2.5;

void main() {
  vec4 p = vec4(position, 1.0);
  vec3 n = smoothNormal.xyz;
  vec3 place = vec3(dot(row0, p), dot(row1, p), dot(row2, p));
  vec3 away = vec3(dot(row0.xyz, n), dot(row1.xyz, n), dot(row2.xyz, n));
  place += away * (pixels * misc.z * misc.x * max(dot(place, forward.xyz), 0.0));
  gl_Position = viewProjection * vec4(place, 1.0);
  shown = outline.rgb;
}
