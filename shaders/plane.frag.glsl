// SPDX-License-Identifier: MIT
#version 330 core

in vec2 texel;
uniform sampler2D picture;
out vec4 colour;

void main() { colour = texture(picture, texel); }
