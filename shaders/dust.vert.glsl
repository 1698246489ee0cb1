// SPDX-License-Identifier: MIT
#version 330 core
// A mote at rest in a box that repeats around the eye. Its streak ends where the eye saw it before.
#include "frame.glsl"

layout(location = 0) in vec4 mote;  // place in the box, size; below 0 at the end of its streak

uniform vec4 box;       // the box's own place, its size in metres
uniform mat4 pastView;  // as viewProjection
uniform vec3 moved;     // what the eye has moved by since, metres

out vec3 shown;

void main() {
  vec3 p = (fract(mote.xyz + box.xyz) - 0.5) * box.w;
  bool past = mote.w < 0.0;
  gl_Position = past ? pastView * vec4(p + moved, 1.0) : viewProjection * vec4(p, 1.0);
  float distance = length(p);
  float reach = 0.5 * box.w;
  float fade = clamp(1.0 - distance / reach, 0.0, 1.0) * clamp(2.0 * distance - 0.6, 0.0, 1.0);
  gl_PointSize = clamp((0.009 + 0.014 * mote.w) / (misc.x * distance), 2.0 * misc.z, 5.0 * misc.z);
  // A streak fades towards its end
  shown = vec3(0.60, 0.66, 0.76) * (past ? 0.0 : fade * (0.4 + 0.6 * mote.w));
}
