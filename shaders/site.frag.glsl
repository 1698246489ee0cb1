// SPDX-License-Identifier: MIT
#version 330 core
// Which site it is; depth decides between them.

flat in vec3 shown;
out vec4 colour;

void main() { colour = vec4(shown, 1.0); }
