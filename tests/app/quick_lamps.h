// SPDX-License-Identifier: MIT
/// The usual scene, for flights whose outcome must not depend on the machine.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "fly/flight.h"

namespace nearmiss::app::fly {

/// Lamps by the work clock, with the trees that are built soonest. @param drones how many, where
/// that is not the scene's own number
inline LoadedScene quickLamps(std::optional<int> drones = {}) {
  engine::Scene scene;
  if (drones) scene.drones[0].count = *drones;
  scene.clock = engine::ClockKind::Work;
  const auto files = engine::modelFilesOf(scene);
  EXPECT_TRUE(files.has_value());
  scene.tree = "octree";
  engine::ShapeOptions options;
  options.treeBuilder = scene.tree;
  options.cacheFolder = std::filesystem::path(testing::TempDir()) / "nearmiss-quick-lamps";
  auto shapes = engine::buildShapeSet(*files, options);
  EXPECT_TRUE(shapes.has_value());
  return {scene, *std::move(shapes)};
}

}  // namespace nearmiss::app::fly
