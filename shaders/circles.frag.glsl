// SPDX-License-Identifier: MIT
#version 330 core

in vec4 shown;
out vec4 colour;

void main() { colour = shown; }
