// SPDX-License-Identifier: MIT
#version 330 core
// The painted planet.

uniform sampler2D picture;

in vec2 on;
out vec4 colour;

void main() { colour = texture(picture, on * 0.5 + 0.5); }
