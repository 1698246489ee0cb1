// SPDX-License-Identifier: MIT
#version 330 core
// Key light from the sun, fill from the planet and the band of stars, a cool rim.
#include "frame.glsl"
#include "display.glsl"

in vec3 facing;  // its length is the share of the surroundings that shines here
in vec3 toEye;
in vec2 onHull;  // place in the hull's picture
flat in vec4 base;
flat in vec4 contact;
flat in vec3 rim;
flat in vec3 material;

out vec4 colour;

uniform sampler2D hull;  // how light the paint is; 0.8 leaves it as it is

const vec3 sunLight = vec3(1.50, 1.42, 1.28);
const vec3 skyFill = vec3(0.17, 0.22, 0.32);
const vec3 darkFill = vec3(0.045, 0.04, 0.06);
const vec3 planetFill = vec3(0.16, 0.27, 0.36);
const vec3 rimLight = vec3(0.16, 0.30, 0.52);
const vec3 cream = vec3(1.0, 0.941, 0.753);

void main() {
  float square = max(dot(facing, facing), 1e-6);
  float inverse = inversesqrt(square);
  float open = square * inverse;
  vec3 n = facing * (gl_FrontFacing ? inverse : -inverse);
  vec3 v = normalize(toEye);
  float nl = dot(n, sun.xyz);
  float nv = dot(n, v);
  float key = max(nl, 0.0);
  float edge = 1.0 - max(nv, 0.0);

  // The half vector's lobe without a second square root: |l + v|^2 = 2 + 2 l.v
  float nh = nl + nv;
  float lobe = max(nh, 0.0) * nh / max(2.0 + 2.0 * dot(sun.xyz, v), 0.01);
  float d = lobe * (material.y - 1.0) + 1.0;
  float highlight = min(0.25 * material.y / (d * d), 12.0) * key;

  // Fill from above and from the planet; the mirrored ray sees the same surroundings.
  vec3 fill = mix(darkFill, skyFill, 0.5 + 0.5 * n.y) + planetFill * max(dot(n, planet.xyz), 0.0);
  // The own ship is also lit from the eye, and its rim is brighter, so that its shape shows on every side.
  float own = contact.w < 0.0 ? 1.0 : 0.0;
  fill += 0.3 * own * (1.0 - edge);
  vec3 r = 2.0 * nv * n - v;
  float horizon = 1.0 - abs(r.y);
  vec3 mirrored = mix(darkFill, skyFill, 0.5 + 0.5 * r.y) + planetFill * max(dot(r, planet.xyz), 0.0) +
                  vec3(0.20, 0.21, 0.24) * horizon * horizon * horizon;

  float fresnel = edge * edge * edge;
  // A recess sees little of its surroundings; even what the sun reaches there is a little darker.
  vec3 matt = sunLight * (key * (0.55 + 0.45 * open)) + open * fill;
  vec3 gloss = sunLight * highlight + 1.6 * open * mirrored;
  vec3 paint = 1.25 * texture(hull, onHull).r * base.rgb;
  vec3 light = paint * (matt * (1.0 - 0.85 * material.x) + gloss * material.x + material.z) +
               gloss * (0.05 - 0.05 * material.x) +
               rimLight * (open * fresnel * (0.35 + 1.6 * own + 0.65 * max(n.y, 0.0)));

  // Who has just collided glows in its pair's colour at its rim, and a little where it was hit; its
  // shape and paint still show.
  vec3 lit = mix(cream, rim, min(2.0 * fresnel, 1.0)) * (0.66 + 0.27 * key + 0.07 * fresnel);
  vec3 away = toEye + contact.xyz;
  float heat = 0.4 * max(1.0 - dot(away, away) * abs(contact.w), 0.0) + fresnel;
  // Below 0, ships are darker
  light *= 1.0 + min(base.w, 0.0);
  colour = vec4(mix(display(light), lit, max(base.w, 0.0) * min(heat, 1.0)), 1.0);
}
