// SPDX-License-Identifier: MIT
#version 330 core
// Lets a little of the surface through.

flat in vec3 shown;
out vec4 colour;

void main() { colour = vec4(shown, 0.82); }
