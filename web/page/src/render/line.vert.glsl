// SPDX-License-Identifier: MIT
#version 330 core
// A line as a strip of pixels.
#include "frame.glsl"

in vec2 end;     // 0 or 1 along; -1 or 1 across
in vec4 from;    // place, width in pixels
in vec4 to;      // place, alpha at this end
in vec4 light;  // colour, alpha at the other end

out vec4 shown;
out float across;

void main() {
  vec4 a = viewProjection * vec4(from.xyz, 1.0), b = viewProjection * vec4(to.xyz, 1.0);
  // Cut off what lies behind the eye
  float near = 0.01;
  if (a.w < near && b.w < near) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));
  vec2 way = (b.xy / b.w - a.xy / a.w) * viewport.xy;
  vec2 side = normalize(vec2(-way.y, way.x) + vec2(1e-6, 0.0));
  vec4 p = end.x < 0.5 ? a : b;
  p.xy += side * end.y * (from.w * misc.z + 1.0) * viewport.zw * p.w;
  gl_Position = p;
  shown = vec4(light.rgb, end.x < 0.5 ? light.a : to.w);
  across = end.y;
}
