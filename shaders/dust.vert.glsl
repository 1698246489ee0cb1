// SPDX-License-Identifier: MIT
#version 330 core
// A mote at rest in a box that repeats around the eye.
#include "frame.glsl"

layout(location = 0) in vec4 mote;  // place in the box, size

uniform vec4 box;  // the box's own place, its size in metres

flat out vec3 shown;

void main() {
  vec3 p = (fract(mote.xyz + box.xyz) - 0.5) * box.w;
  gl_Position = viewProjection * vec4(p, 1.0);
  float distance = length(p);
  float reach = 0.5 * box.w;
  float fade = clamp(1.0 - distance / reach, 0.0, 1.0) * clamp(2.0 * distance - 0.6, 0.0, 1.0);
  gl_PointSize = clamp((0.006 + 0.010 * mote.w) / (misc.x * distance), 1.0, 4.0);
  shown = vec3(0.42, 0.47, 0.55) * (fade * (0.4 + 0.6 * mote.w));
}
