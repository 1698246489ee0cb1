// SPDX-License-Identifier: MIT
/// The usual scene, for flights whose outcome must not depend on the machine.
#pragma once

#include <engine/session/session_player.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fly/flight/flight.h"
#include "fly/flight/throttle.h"

namespace nearmiss::app::fly {

/// A scene with the trees that are built soonest.
inline LoadedScene quickScene(engine::Scene scene) {
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

/// Lamps by the work clock. @param drones how many, where that is not the scene's own number
inline LoadedScene quickLamps(std::optional<int> drones = {}) {
  engine::Scene scene;
  if (drones) scene.drones[0].count = *drones;
  scene.clock = engine::ClockKind::Work;
  return quickScene(std::move(scene));
}

/// A built-in scene that somebody flies, by the work clock.
inline LoadedScene flownScene(const std::string& name, bool heavy = false) {
  auto scene = engine::readScene(*engine::findScene(name));
  EXPECT_TRUE(scene.has_value());
  scene->clock = engine::ClockKind::Work;
  scene->arena.flown = true;
  if (heavy) makeHeavy(*scene);
  return quickScene(*std::move(scene));
}

/// The session in `file`, to be flown with `shapes` whatever it names.
inline auto playerOf(const std::filesystem::path& file,
                     std::shared_ptr<const engine::ShapeSet> shapes) {
  return engine::SessionPlayer::open(
      *engine::RecordedSession::read(file),
      [shapes = std::move(shapes)](const engine::Scene&, const std::vector<engine::SessionShape>&,
                                   BuildProgress*) {
        return Result<engine::SessionPlayer::ShapesPtr>(shapes);
      });
}

inline engine::FrameInput unlimitedFrame() {
  engine::FrameInput input;
  input.dt = 1.0 / 60.0;
  input.detectStep = 1.0 / 120.0;
  input.detectionBudget = Clock::Duration::max();
  return input;
}

}  // namespace nearmiss::app::fly
