// SPDX-License-Identifier: MIT
// What every shader may know of the frame. Points are given relative to the eye, in world axes.

layout(std140) uniform Frame {
  mat4 viewProjection;
  vec4 right;     // the eye's axes in the world
  vec4 up;
  vec4 forward;
  vec4 viewport;  // pixels, and one over them
  vec4 misc;      // size of a pixel at distance 1; simulated seconds; pixels for each of the window
  vec4 sun;       // directions towards the lights
  vec4 planet;
};
