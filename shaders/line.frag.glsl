// SPDX-License-Identifier: MIT
#version 330 core
// Fades over the outermost pixel.

flat in vec4 shown;
in float side;
out vec4 colour;

void main() { colour = vec4(shown.rgb, shown.a * clamp(1.3 - abs(side), 0.0, 1.0)); }
