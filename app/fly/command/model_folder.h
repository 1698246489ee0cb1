// SPDX-License-Identifier: MIT
/// The models in a folder, offered for the other ships.
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

namespace nearmiss::app::fly {

/// Who draws a list asks for it in every picture, and films may fill the folder meanwhile: while
/// it is asked for again and again it stays as it was listed.
class ModelFolder {
 public:
  static constexpr std::size_t maxOffered = 40, maxEntries = std::size_t{1} << 14;
  static constexpr double restSeconds = 1.0;

  explicit ModelFolder(std::filesystem::path folder = ".") : folder_(std::move(folder)) {}

  /// The first maxOffered models by name, of the first maxEntries files that the folder has; listed
  /// again where nobody has asked for restSeconds. `now` is in wall seconds.
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
