// SPDX-License-Identifier: MIT
#version 330 core
// One star.
#include "frame.glsl"

layout(location = 0) in vec3 direction;
layout(location = 1) in vec3 light;
layout(location = 2) in float size;

flat out vec3 shown;

void main() {
  vec4 p = viewProjection * vec4(direction * 100.0, 1.0);
  gl_Position = p.xyww;
  gl_PointSize = size * max(viewport.y * (1.0 / 900.0), misc.z);
  shown = light;
}
