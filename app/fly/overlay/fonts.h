// SPDX-License-Identifier: MIT
/// The typefaces of the overlay: DejaVu Sans where it is installed, ImGui's own font elsewhere.
#pragma once

struct ImFont;

namespace nearmiss::app {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* small = nullptr;
};

/// @pre an ImGui context is current. Sizes follow `scale`.
void loadFonts(float scale);
/// What loadFonts() found; the same font thrice where there is only the built-in one.
[[nodiscard]] Fonts fonts() noexcept;

}  // namespace nearmiss::app
