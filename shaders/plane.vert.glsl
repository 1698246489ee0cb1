// SPDX-License-Identifier: MIT
#version 330 core
// A picture on a plane in the world.
#include "frame.glsl"

layout(location = 0) in vec3 place;
layout(location = 1) in vec2 at;

out vec2 texel;

void main() {
  gl_Position = viewProjection * vec4(place, 1.0);
  texel = at;
}
