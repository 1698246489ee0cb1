// SPDX-License-Identifier: MIT
/// Shapes on disk, and an index of their properties.
#pragma once

#include <engine/interference/still_scene.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// Maximum size of a layout file.
inline constexpr std::uintmax_t maxLayout = std::uintmax_t{64} << 20;

/// Returns what is wrong with a loaded shape; empty if nothing is.
using ShapeCheck = std::function<std::string(const Shape&)>;

/// A folder with one shape file per model, named by hashing the model, its mesh and the build
/// settings. An index lists the memory of each shape. Unreadable files, and files that hold another
/// model's shape, are built again.
class ShapeStore {
 public:
  static Result<ShapeStore> open(const std::filesystem::path& folder, const std::string& builder);

  /// Returns the shape of a model; builds and stores it if it is missing or unreadable. Uses .shape
  /// files directly. Errors: see readStillScene().
  Result<StoredShape> take(const std::filesystem::path& model, BuildProgress* progress);
  /// Writes the index. If the existing file is not an index, it is first renamed to
  /// "shapes-damaged.json" or, if that exists, to a numbered name. Errors: Unreadable.
  [[nodiscard]] std::optional<Error> close();

 private:
  Result<Success> addModel(const std::filesystem::path& model, BuildProgress& progress,
                           StoredShape& known);
  Result<Success> measure(StoredShape& known, const ShapeCheck& check = {});

  std::filesystem::path folder_;
  std::string builder_;
  nlohmann::json list_;
  bool changed_ = false;
  bool strange_ = false;  ///< the existing index file is not an index
};

}  // namespace nearmiss::engine
