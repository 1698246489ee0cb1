// SPDX-License-Identifier: MIT
#version 330 core
// Places one vertex of one ship and prepares its material.
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 paint;     // square root of the colour; how much of the hull's colour
layout(location = 3) in vec4 emission;  // square root of it
layout(location = 4) in vec4 surface;   // metallic, roughness

layout(location = 5) in vec4 row0;  // rotation and place, relative to the eye
layout(location = 6) in vec4 row1;
layout(location = 7) in vec4 row2;
layout(location = 8) in vec4 livery;  // colour of the hull; how much of it
layout(location = 9) in vec4 outline;  // colour of the rim; how much of it
layout(location = 10) in float glow;

out vec3 facing;
out vec3 toEye;
flat out vec3 diffuse;
flat out vec4 specular;  // reflectance, fourth power of the roughness
flat out vec4 shine;     // emission, glow
flat out vec4 rim;

void main() {
  vec4 p = vec4(position, 1.0);
  vec3 place = vec3(dot(row0, p), dot(row1, p), dot(row2, p));
  gl_Position = viewProjection * vec4(place, 1.0);
  facing = vec3(dot(row0.xyz, normal.xyz), dot(row1.xyz, normal.xyz), dot(row2.xyz, normal.xyz));
  toEye = -place;

  vec3 base = mix(paint.rgb * paint.rgb, livery.rgb, paint.a * livery.a);
  float metallic = surface.x;
  float alpha = max(surface.y * surface.y, 0.02);
  diffuse = base * (1.0 - 0.85 * metallic);
  specular = vec4(mix(vec3(0.05), base, metallic), alpha * alpha);
  shine = vec4(emission.rgb * emission.rgb * 1.6, glow);
  rim = outline;
}
