// SPDX-License-Identifier: MIT
#version 330 core
// Places one vertex of one ship and prepares its material.
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 paint;     // square root of the colour; how much of the hull's colour
layout(location = 3) in vec4 surface;   // metallic, roughness, square root of emission over colour, open sky
layout(location = 4) in vec2 hullPlace;  // in the hull's picture

layout(location = 5) in vec4 row0;  // rotation and place, relative to the eye
layout(location = 6) in vec4 row1;
layout(location = 7) in vec4 row2;
layout(location = 8) in vec4 livery;  // colour of the hull; how much of it
layout(location = 9) in vec4 outline;
layout(location = 10) in float glow;
layout(location = 12) in vec4 hit;

// As few as can be: on a software driver each costs every vertex and every triangle.
out vec3 facing;  // its length is the share of the surroundings that shines here
out vec3 toEye;
out vec2 onHull;  // place in the hull's picture
flat out vec4 base;      // colour, glow
flat out vec4 contact;   // where it was hit, relative to the eye; one over the squared reach, below 0: the own ship
flat out vec3 rim;       // its colour while the ship glows
flat out vec3 material;  // metallic, fourth power of the roughness, emission over colour

void main() {
  vec4 p = vec4(position, 1.0);
  vec3 place = vec3(dot(row0, p), dot(row1, p), dot(row2, p));
  gl_Position = viewProjection * vec4(place, 1.0);
  facing = vec3(dot(row0.xyz, normal.xyz), dot(row1.xyz, normal.xyz), dot(row2.xyz, normal.xyz));
  facing *= surface.w * inversesqrt(max(dot(facing, facing), 1e-6));
  toEye = -place;
  onHull = hullPlace;
  contact = hit;
  rim = outline.rgb;
  base = vec4(mix(paint.rgb * paint.rgb, livery.rgb, paint.a * livery.a), glow);
  float alpha = max(surface.y * surface.y, 0.02);
  material = vec3(surface.x, alpha * alpha, 4.0 * surface.z * surface.z);
}
