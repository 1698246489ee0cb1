// SPDX-License-Identifier: MIT
#version 330 core
// A plain colour, as it is shown.

in vec3 shown;
out vec4 colour;

void main() { colour = vec4(shown, 1.0); }
