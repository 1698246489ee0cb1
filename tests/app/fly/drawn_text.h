// SPDX-License-Identifier: MIT
/// What is written on the screen, read from ImGui's lists of triangles: no window and no driver.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fly/overlay/ink.h"
#include "fly/overlay/layout.h"

namespace nearmiss::app::fly {

/// ImGui with the program's fonts, and nothing that draws.
class DrawnText {
 public:
  DrawnText(float width, float height, float scale) : context_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {width, height};
    io.DeltaTime = 1.0f / 60.0f;
    loadFonts(scale);
    io.Fonts->Build();
    for (const ImFont* font : io.Fonts->Fonts)
      for (const ImFontGlyph& glyph : font->Glyphs)
        places_.emplace(std::pair(glyph.U0, glyph.V0), static_cast<unsigned>(glyph.Codepoint));
    ImGui::NewFrame();
  }
  DrawnText(const DrawnText&) = delete;
  DrawnText& operator=(const DrawnText&) = delete;
  ~DrawnText() {
    ImGui::EndFrame();
    ImGui::DestroyContext(context_);
  }

  /// A letter where it was drawn.
  struct Letter {
    Rect rect;
    unsigned character = 0;
  };

  /// In the order of drawing.
  [[nodiscard]] std::vector<Rect> letters() const {
    std::vector<Rect> found;
    for (const Letter& letter : drawn()) found.push_back(letter.rect);
    return found;
  }
  /// Forgets what was drawn.
  void next() {
    ImGui::EndFrame();
    ImGui::NewFrame();
  }
  /// What is written within `area`, without its blanks; "u" for µ, "x" for ×, else what is not
  /// ASCII as '?'.
  [[nodiscard]] static std::string textIn(const Rect& area, const std::vector<Letter>& letters) {
    std::string text;
    for (const Letter& letter : letters) {
      const float x = letter.rect.x + 0.5f * letter.rect.width;
      const float y = letter.rect.y + 0.5f * letter.rect.height;
      if (x < area.x || x > area.right() || y < area.y || y > area.bottom()) continue;
      if (letter.character == ' ') continue;
      text += letter.character < 128     ? static_cast<char>(letter.character)
              : letter.character == 0xb5 ? 'u'
              : letter.character == 0xd7 ? 'x'
                                         : '?';
    }
    return text;
  }
  /// All that was written, without its blanks; what is not ASCII as '?'.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Letter& letter : drawn())
      if (letter.character != ' ')
        text += letter.character < 128 ? static_cast<char>(letter.character) : '?';
    return text;
  }

  /// A bar, box, line or triangle, by the box around it.
  struct Shape {
    Rect rect;
    unsigned colour = 0;  ///< as of Ink::colour(), without alpha
  };
  /// All shapes that are not letters, in the order of drawing.
  [[nodiscard]] std::vector<Shape> shapes() const {
    const ImDrawList& list = *ImGui::GetBackgroundDrawList();
    std::vector<Shape> found;
    // Two shapes share no vertices
    int end = -1;
    for (int i = 0; i + 2 < list.IdxBuffer.Size; i += 3) {
      const ImDrawIdx* at = &list.IdxBuffer[i];
      const ImDrawVert& first = list.VtxBuffer[at[0]];
      if (places_.contains({first.uv.x, first.uv.y})) {
        i += 3;
        continue;
      }
      if (std::min({at[0], at[1], at[2]}) > end)
        found.push_back({{first.pos.x, first.pos.y, 0.0f, 0.0f}, first.col & 0xffffffu});
      Rect& rect = found.back().rect;
      for (int corner = 0; corner < 3; ++corner) {
        const ImVec2& pos = list.VtxBuffer[at[corner]].pos;
        const float right = std::max(rect.right(), pos.x), bottom = std::max(rect.bottom(), pos.y);
        rect.x = std::min(rect.x, pos.x);
        rect.y = std::min(rect.y, pos.y);
        rect.width = right - rect.x;
        rect.height = bottom - rect.y;
        end = std::max<int>(end, at[corner]);
      }
    }
    return found;
  }
  /// The shapes of that colour.
  [[nodiscard]] std::vector<Rect> shapes(Rgb colour) const {
    std::vector<Rect> found;
    for (const Shape& shape : shapes())
      if (shape.colour == (Ink::colour(colour) & 0xffffffu)) found.push_back(shape.rect);
    return found;
  }

  /// In the order of drawing.
  [[nodiscard]] std::vector<Letter> drawn() const {
    const ImDrawList& list = *ImGui::GetBackgroundDrawList();
    std::vector<Letter> found;
    for (int i = 0; i + 5 < list.IdxBuffer.Size;) {
      // ImGui draws a letter as the triangles 0 1 2 and 0 2 3 of four corners
      const ImDrawIdx* at = &list.IdxBuffer[i];
      const ImDrawVert& first = list.VtxBuffer[at[0]];
      const bool quad = at[1] == at[0] + 1 && at[2] == at[0] + 2 && at[3] == at[0] &&
                        at[4] == at[2] && at[5] == at[0] + 3;
      const auto glyph = places_.find({first.uv.x, first.uv.y});
      if (!quad || glyph == places_.end()) {
        i += 3;
        continue;
      }
      const ImDrawVert& last = list.VtxBuffer[at[2]];
      found.push_back(
          {{first.pos.x, first.pos.y, last.pos.x - first.pos.x, last.pos.y - first.pos.y},
           glyph->second});
      i += 6;
    }
    return found;
  }

 private:
  ImGuiContext* context_;
  /// Characters by the places of their glyphs in the picture of the fonts.
  std::map<std::pair<float, float>, unsigned> places_;
};

}  // namespace nearmiss::app::fly
