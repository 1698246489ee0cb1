// SPDX-License-Identifier: MIT
/// Shapes on disk, and a list of what is known of each.
#pragma once

#include <engine/interference/still_scene.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// Bytes of a layout with its objects.
inline constexpr std::uintmax_t maxLayout = std::uintmax_t{64} << 20;

/// Says what is wrong with a shape that was read; empty if nothing is.
using ShapeCheck = std::function<std::string(const Shape&)>;

/// A folder with a shape for each model, named after the model, its mesh and all that the shape was
/// made by; one list says how much memory each needs. What cannot be read of either is made again,
/// and so is a file that holds the shape of another model.
class ShapeStore {
 public:
  static Result<ShapeStore> open(const std::filesystem::path& folder, const std::string& builder);

  /// The shape of a model, built and stored if it is not there or cannot be read; a .shape file as
  /// it is. Errors: see readStillScene().
  Result<StoredShape> take(const std::filesystem::path& model, BuildProgress* progress);
  /// Writes the list, after what is no list is set aside as "shapes-damaged.json", or with a number
  /// that no other has. Errors: Unreadable.
  [[nodiscard]] std::optional<Error> close();

 private:
  Result<Success> takeModel(const std::filesystem::path& model, BuildProgress& progress,
                            StoredShape& known);
  Result<Success> measure(StoredShape& known, const ShapeCheck& check = {});

  std::filesystem::path folder_;
  std::string builder_;
  nlohmann::json list_;
  bool changed_ = false;
  bool strange_ = false;  ///< the file of that name is no list of shapes
};

}  // namespace nearmiss::engine
