// SPDX-License-Identifier: MIT
#include "fly/command/model_folder.h"

#include <nearmiss/advanced/mesh_file.h>

#include <algorithm>
#include <system_error>

namespace nearmiss::app::fly {
namespace {

bool isModel(const std::filesystem::path& file) {
  return isMeshFile(file) || file.extension() == ".glb" || file.extension() == ".gltf";
}

}  // namespace

const std::vector<std::filesystem::path>& ModelFolder::look(double now) {
  const bool again = now < lastLook_ + restSeconds;
  lastLook_ = now;
  if (again) return offered_;
  offered_.clear();
  std::size_t entries = 0;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder_, failed), end;
       !failed && entry != end && entries < maxEntries; entry.increment(failed), ++entries)
    if (isModel(entry->path())) offered_.push_back(entry->path());
  const std::size_t count = std::min(offered_.size(), maxOffered);
  std::ranges::partial_sort(offered_, offered_.begin() + static_cast<std::ptrdiff_t>(count));
  offered_.resize(count);
  return offered_;
}

}  // namespace nearmiss::app::fly
