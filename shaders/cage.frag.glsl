// SPDX-License-Identifier: MIT
#version 330 core

in float light;
out vec4 colour;

void main() { colour = vec4(0.42, 0.62, 0.85, light); }
