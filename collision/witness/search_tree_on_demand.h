// SPDX-License-Identifier: MIT
/// A search tree that nobody pays for before a search needs it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "witness/search_tree.h"

namespace nearmiss {

/// Any thread may ask; the first one makes it while others wait.
class SearchTreeOnDemand {
 public:
  SearchTreeOnDemand(std::shared_ptr<const Polyhedron> polyhedron,
                     std::shared_ptr<const SphereTree> tree) noexcept
      : polyhedron_(std::move(polyhedron)), sphereTree_(std::move(tree)) {}

  [[nodiscard]] const SearchTree& get() {
    std::call_once(made_, [this] { tree_.emplace(*polyhedron_, *sphereTree_); });
    return *tree_;
  }

 private:
  std::shared_ptr<const Polyhedron> polyhedron_;
  std::shared_ptr<const SphereTree> sphereTree_;
  std::once_flag made_;
  std::optional<SearchTree> tree_;
};

}  // namespace nearmiss
