// SPDX-License-Identifier: MIT
/// Sets of shapes that are built of two generated models, with a cache of their own.
#pragma once

#include <nearmiss/advanced/bsp_tree.h>

#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/files.h"
#include "support/meshes.h"
#include "support/same_tree.h"

namespace nearmiss::engine {

class Shapes : public testing::Test {
 protected:
  Shapes() {
    files_ = {
        nearmiss::test::writeText(folder_ / "torus.obj", nearmiss::test::asObj(test::torus(8, 6))),
        nearmiss::test::writeText(folder_ / "star.obj",
                                  nearmiss::test::asObj(test::spikyStar(3, 6, 8)))};
    options_.cacheFolder = folder_ / "cache";
    options_.treeBuilder = "octree";  // the quickest
    options_.tree.levels = 2;
  }

  /// A torus flown among nine stars in a narrow arena, so that they meet often.
  Scene crowdedScene() const {
    Scene scene;
    scene.playerModel = files_[0].string();
    scene.drones = {{.model = files_[1].string(), .count = 9}};
    scene.arena.radius = 3.5;
    scene.tree = "octree";
    return scene;
  }

  std::shared_ptr<const ShapeSet> build() const {
    auto set = buildShapeSet(files_, options_);
    EXPECT_TRUE(set) << set.error().message;
    return set ? *set : nullptr;
  }

  /// The cache files whose names end so.
  std::vector<std::filesystem::path> cached(const std::string& ending) const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(options_.cacheFolder))
      if (entry.path().extension() == ending) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }

  static bool sameTrees(const ShapeSet& a, const ShapeSet& b) {
    for (std::uint32_t i = 0; i < a.shapes().size(); ++i) {
      const std::uint32_t id{i};
      if (!nearmiss::test::same(a.sphereTree(id).data(), b.sphereTree(id).data())) return false;
      const BspTree *planesA = a.collision()[id].bspTree(), *planesB = b.collision()[id].bspTree();
      if (!planesA || !planesB || planesA->nodes().size() != planesB->nodes().size()) return false;
    }
    return true;
  }

  nearmiss::test::TemporaryFolder folder_;
  std::vector<std::filesystem::path> files_;
  ShapeOptions options_;
};

}  // namespace nearmiss::engine
