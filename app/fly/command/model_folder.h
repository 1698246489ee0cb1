// SPDX-License-Identifier: MIT
/// Lists the models of a folder, offered for the other ships.
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

namespace nearmiss::app::fly {

/// The models in a folder. The panel reads the list in every frame, possibly while a film fills the
/// folder, so the list does not change while it is in use.
class ModelFolder {
 public:
  static constexpr std::size_t maxOffered = 40, maxEntries = std::size_t{1} << 14;
  static constexpr double restSeconds = 1.0;

  explicit ModelFolder(std::filesystem::path folder = ".") : folder_(std::move(folder)) {}

  /// Returns the first maxOffered models by name among the first maxEntries files. Lists the folder
  /// again after restSeconds without a call. `now` is in wall seconds.
  const std::vector<std::filesystem::path>& look(double now);
  /// Returns the last list.
  [[nodiscard]] const std::vector<std::filesystem::path>& offered() const noexcept {
    return offered_;
  }

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> offered_;
  double lastLook_ = -2.0 * restSeconds;
};

}  // namespace nearmiss::app::fly
