// SPDX-License-Identifier: MIT
#include "fly/command/model_folder.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace nearmiss::app::fly {

const std::vector<std::filesystem::path>& ModelFolder::look(double now) {
  constexpr std::array<std::string_view, 6> endings{".glb", ".gltf", ".obj",
                                                    ".stl", ".ply",  ".off"};
  const bool again = now < askedAt_ + restSeconds;
  askedAt_ = now;
  if (again) return offered_;
  offered_.clear();
  std::size_t entries = 0;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder_, failed), end;
       !failed && entry != end && entries < maxEntries; entry.increment(failed), ++entries)
    if (std::ranges::find(endings, entry->path().extension().native()) != endings.end())
      offered_.push_back(entry->path());
  const std::size_t count = std::min(offered_.size(), maxOffered);
  std::ranges::partial_sort(offered_, offered_.begin() + static_cast<std::ptrdiff_t>(count));
  offered_.resize(count);
  return offered_;
}

}  // namespace nearmiss::app::fly
