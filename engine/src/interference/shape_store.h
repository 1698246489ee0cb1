// SPDX-License-Identifier: MIT
/// Shapes on disk, and a list of what is known of each.
#pragma once

#include <engine/interference/still_scene.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/result.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// A layout with its objects may be so large.
inline constexpr std::uintmax_t maxLayout = std::uintmax_t{64} << 20;

/// A folder with a shape for each model, named after the model and everything that it was made by;
/// one list says how much memory each needs. A list that cannot be read is rebuilt.
class ShapeStore {
 public:
  static Result<ShapeStore> open(const std::filesystem::path& folder, const std::string& builder);

  /// The shape of a model, built and stored if it is not there. Errors: see readStillScene().
  Result<StoredShape> take(const std::filesystem::path& model, BuildProgress* progress);
  /// Writes the list. Errors: Unreadable.
  [[nodiscard]] std::optional<Error> close();

 private:
  Result<std::filesystem::path> stored(const std::filesystem::path& model, BuildProgress* progress,
                                       std::vector<std::string>& notes);

  std::filesystem::path folder_;
  std::string builder_;
  nlohmann::json list_;
  bool changed_ = false;
};

}  // namespace nearmiss::engine
