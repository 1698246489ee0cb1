// SPDX-License-Identifier: MIT
#version 330 core
// A corner of a marked triangle.
#include "frame.glsl"

layout(location = 0) in vec3 place;
layout(location = 1) in vec3 light;

flat out vec3 shown;

void main() {
  gl_Position = viewProjection * vec4(place, 1.0);
  shown = light;
}
