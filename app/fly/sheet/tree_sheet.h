// SPDX-License-Identifier: MIT
/// A picture of a model and the levels of its sphere trees, after the figures of the papers [H96
/// Figs. 1, 4, 11 to 13]: one row per tree, a common scale, coloured by tightness.
#pragma once

#include <engine/model/draw_mesh.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fly/gfx/renderer.h"
#include "fly/host/window.h"

namespace nearmiss::app::fly {

/// One tree of the model.
struct SheetRow {
  std::string builder, summary;  ///< as in the catalogue
  const SphereTree* tree = nullptr;
  double buildSeconds = 0.0;
};

struct SheetContents {
  std::string model;
  std::size_t triangles = 0;
  double radius = 1.0;  ///< metres, of the model around its origin
  const engine::DrawMesh* object = nullptr;
  std::span<const SheetRow> rows;
};

/// 8-bit RGB, top row first.
struct SheetPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

class TreeSheet {
 public:
  static constexpr int levels = 3;
  /// Creates an off-screen context; no display is needed. Errors: Unsupported and NotFound, with a
  /// sentence for the user.
  static Result<TreeSheet> open();
  /// Errors: Unsupported (more rows than the driver can draw).
  Result<SheetPicture> draw(const SheetContents& contents);

 private:
  TreeSheet(Window window, Renderer renderer);
  Window window_;
  Renderer renderer_;
};

}  // namespace nearmiss::app::fly
