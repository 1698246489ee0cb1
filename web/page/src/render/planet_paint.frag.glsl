// SPDX-License-Identifier: MIT
// The planet as a picture with premultiplied alpha: the same ground, air and light as in the window.
precision highp float;
precision highp int;

uniform vec3 sun;
uniform vec3 towards;
in vec2 on;
out vec4 colour;

const float rim = 0.90;
const vec3 air = vec3(0.16, 0.42, 0.72);
const vec3 night = vec3(0.0015, 0.002, 0.0035);

float lattice(ivec3 p) {
  uint h = 0x9b1a2u ^ (uint(p.x) * 0x8da6b343u) ^ (uint(p.y) * 0xd8163841u) ^ (uint(p.z) * 0xcb1ab31fu);
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  h ^= h >> 15;
  return float(h >> 8) / 16777216.0;
}

float noise(vec3 p) {
  vec3 base = floor(p), f = p - base;
  vec3 s = f * f * (3.0 - 2.0 * f);
  ivec3 i = ivec3(base);
  float layers[2];
  for (int k = 0; k < 2; ++k) {
    float near = mix(lattice(i + ivec3(0, 0, k)), lattice(i + ivec3(1, 0, k)), s.x);
    float far = mix(lattice(i + ivec3(0, 1, k)), lattice(i + ivec3(1, 1, k)), s.x);
    layers[k] = mix(near, far, s.y);
  }
  return mix(layers[0], layers[1], s.z);
}

float fractal(vec3 p, int octaves) {
  float sum = 0.0, weight = 0.5, total = 0.0;
  for (int i = 0; i < octaves; ++i) {
    sum += weight * noise(p);
    total += weight;
    weight *= 0.5;
    p = 2.03 * p + vec3(17.1, 9.2, 31.7);
  }
  return sum / total;
}

vec3 ground(vec3 d) {
  float eddy = fractal(2.5 * d, 4) - 0.5;
  float fine = fractal(vec3(5.0, 16.0, 5.0) * d + 4.0 * eddy, 4);
  float bands = 0.5 + 0.5 * sin(11.0 * (d.y + 0.35 * eddy) + 5.0 * (fine - 0.5));
  float cloud = smoothstep(0.45, 0.75, fractal(3.5 * d + 9.0 + eddy, 5));
  vec3 sea = mix(vec3(0.020, 0.065, 0.125), vec3(0.09, 0.23, 0.28), 0.65 * bands + 0.35 * fine);
  return mix(sea, vec3(0.42, 0.50, 0.54), 0.55 * cloud);
}

void main() {
  float r = length(on);
  colour = vec4(0.0);
  if (r >= 1.0) return;
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), towards)), up = cross(towards, right);
  float inside = min(r / rim, 1.0), facing = sqrt(1.0 - inside * inside);
  float scale = r > 0.0 ? inside / r : 0.0;
  vec3 n = scale * (on.x * right + on.y * up) - facing * towards;
  float day = dot(n, sun);
  float lit = smoothstep(-0.12, 0.95, day), dusk = smoothstep(-0.35, 0.6, day);
  float thin = 1.0 - clamp((r - rim) / (1.0 - rim), 0.0, 1.0);
  float haze = 1.0 - facing;
  float pixel = 2.0 / 512.0;
  float solid = 1.0 - smoothstep(rim - pixel, rim + pixel, r);
  vec3 glow = air * (0.26 * thin * thin * thin * dusk);
  vec3 body = (0.46 * lit + 0.012) * ground(n) + night + air * (0.34 * haze * haze * dusk);
  vec3 light = mix(glow, body, solid);
  colour = vec4(1.019 * light / (light + 0.155), solid);
}
