// SPDX-License-Identifier: MIT
#include "fly/overlay/fonts.h"

#include <imgui.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>

namespace nearmiss::app {
namespace {

constexpr float textSize = 15.0f, smallSize = 12.5f;

constexpr std::array folders{"/usr/share/fonts/truetype/dejavu/", "/usr/share/fonts/TTF/",
                             "/usr/share/fonts/dejavu-sans-fonts/", "/usr/share/fonts/dejavu/",
                             "/usr/local/share/fonts/"};

// Latin, Greek and Cyrillic, for the names that keyboards print
constexpr std::array<ImWchar, 9> ranges{0x20, 0x17f, 0x370, 0x3ff, 0x400, 0x45f, 0x2010, 0x2026, 0};

ImFont* load(const char* name, float size) {
  for (const char* folder : folders) {
    const std::string file = std::string(folder) + name;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) continue;
    return ImGui::GetIO().Fonts->AddFontFromFileTTF(file.c_str(), size, nullptr, ranges.data());
  }
  return nullptr;
}

}  // namespace

void loadFonts(float scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFont* regular = load("DejaVuSans.ttf", std::round(textSize * scale));
  if (!regular) {
    ImFontConfig config;
    config.SizePixels = std::round(13.0f * scale);
    regular = atlas.AddFontDefault(&config);
  }
  if (!load("DejaVuSans-Bold.ttf", std::round(textSize * scale))) return;
  load("DejaVuSans.ttf", std::round(smallSize * scale));
}

Fonts fonts() noexcept {
  const ImVector<ImFont*>& loaded = ImGui::GetIO().Fonts->Fonts;
  return {loaded[0], loaded.size() > 1 ? loaded[1] : loaded[0],
          loaded.size() > 2 ? loaded[2] : loaded[0]};
}

}  // namespace nearmiss::app
