// SPDX-License-Identifier: MIT
#version 330 core
// The backdrop, behind all else.
#include "frame.glsl"

layout(location = 0) in vec3 direction;
layout(location = 1) in vec4 light;

out vec3 shown;

void main() {
  vec4 p = viewProjection * vec4(direction * 100.0, 1.0);
  gl_Position = p.xyww;
  shown = light.rgb;
}
