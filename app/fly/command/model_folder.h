// SPDX-License-Identifier: MIT
/// The models in a folder, offered for the other ships.
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

namespace nearmiss::app::fly {

/// The models in a folder. A panel asks for them in every frame, while a film may fill the folder:
/// the list stays as it is as long as it is asked for.
class ModelFolder {
 public:
  static constexpr std::size_t maxOffered = 40, maxEntries = std::size_t{1} << 14;
  static constexpr double restSeconds = 1.0;

  explicit ModelFolder(std::filesystem::path folder = ".") : folder_(std::move(folder)) {}

  /// The first maxOffered models by name, of the first maxEntries files that the folder has; listed
  /// again after restSeconds in which nobody asked. `now` is in wall seconds.
  const std::vector<std::filesystem::path>& look(double now);
  /// The same as it was last looked at.
  [[nodiscard]] const std::vector<std::filesystem::path>& offered() const noexcept {
    return offered_;
  }

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> offered_;
  double askedAt_ = -2.0 * restSeconds;
};

}  // namespace nearmiss::app::fly
