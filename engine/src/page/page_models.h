// SPDX-License-Identifier: MIT
/// The models of a page, in memory instead of in files.
#pragma once

#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <engine/session/session.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nearmiss::engine {

class PageModels {
 public:
  /// The models of this module.
  [[nodiscard]] static PageModels& all();

  /// Adds a shape from its bytes, or the text of a model with joints if `name` ends in ".toml". The
  /// name of a shape that keeps its file's frame begins with "own:". An equal entry is replaced.
  /// Errors: those of shapeFromBytes(); Unsupported if the shape has no sphere tree.
  Result<Success> add(const std::string& name, std::span<const std::byte> bytes);

  /// Null if there is none.
  [[nodiscard]] const std::string* textOf(std::string_view name) const noexcept;
  [[nodiscard]] bool hasShape(std::string_view name) const noexcept;
  /// The shape added first; null if there is none.
  [[nodiscard]] const Shape* shape(std::string_view name) const noexcept;

  /// Returns the shapes of a scene with the trees that it names, or with those of `flown`. Errors:
  /// those of modelFilesOf(); NotFound if a shape with such a tree was not added.
  [[nodiscard]] Result<std::shared_ptr<const ShapeSet>> shapesOf(
      const Scene& scene, std::span<const SessionShape> flown = {}) const;

 private:
  std::vector<std::pair<std::string, std::string>> texts_;
  std::vector<std::pair<std::string, Shape>> shapes_;
};

/// The sentence of nearmiss_page_error().
[[nodiscard]] std::string& pageError() noexcept;

/// The last part of a name.
[[nodiscard]] std::string_view fileName(std::string_view path) noexcept;

}  // namespace nearmiss::engine
