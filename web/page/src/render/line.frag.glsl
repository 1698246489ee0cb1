// SPDX-License-Identifier: MIT
#version 330 core
// Soft at both sides.

in vec4 shown;
in float across;
out vec4 colour;

void main() { colour = vec4(shown.rgb, shown.a * clamp(2.0 - 2.0 * abs(across), 0.0, 1.0)); }
