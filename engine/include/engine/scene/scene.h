// SPDX-License-Identifier: MIT
/// Reads and writes scenes, and creates simulations from them.
#pragma once

#include <engine/base/file_path.h>
#include <engine/flight/frame_budget.h>
#include <engine/flight/simulation.h>
#include <engine/model/shape_set.h>
#include <engine/scene/scene_settings.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/result.h>

#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// Returns the arena of a scene, bitwise the same on every machine.
[[nodiscard]] Arena arenaOf(const Scene& scene) noexcept;

/// Radius within which ships start and drones stay, metres. It is the arena's radius unless the
/// scene has a separate wall.
[[nodiscard]] Real gatheringRadius(const Scene& scene) noexcept;
/// Returns true if the wall is separate from that radius.
[[nodiscard]] inline bool hasWall(const Scene& scene) noexcept {
  return scene.arena.flown && scene.arena.wall.has_value();
}

/// Simulation seconds per frame of equal steps.
[[nodiscard]] inline Real frameStep(const Scene& scene) noexcept {
  return scene.simStep.value_or(scene.frameMs * 1e-3);
}

/// Returns the broad phase that the scene names. If it names none: the papers' method for small
/// numbers of ships, otherwise the grid, which can postpone ships.
[[nodiscard]] std::string broadPhaseOf(const Scene& scene);

/// The settings of the scene's sphere trees.
[[nodiscard]] SphereTreeSettings treeSettings(const Scene& scene);

/// Returns true if the narrow phase or the reference needs BSP trees.
[[nodiscard]] bool needsBspTrees(const Scene& scene);

/// Reads a scene file over `base`. An unknown key is an error that names file, line and the nearest
/// valid key. Errors: NotFound, Unreadable, BadFormat.
Result<Scene> readScene(const FilePath& file, const Scene& base = {});
/// As above, from text. `origin` stands for the file in messages.
Result<Scene> parseScene(std::string_view text, const std::string& origin, const Scene& base = {});
/// Writes a scene file that reads back to an equal scene.
[[nodiscard]] std::string writeScene(const Scene& scene);

/// The built-in scenes, and the path of one of them or of a file.
[[nodiscard]] std::vector<std::string> builtInScenes();
Result<FilePath> findScene(const std::string& nameOrFile);

/// Returns the model files of a scene without duplicates, the player's first. Errors: those of
/// findModel() and readArticulatedModel().
Result<std::vector<ModelFile>> modelFilesOf(const Scene& scene);

/// Creates a world in its start state: the user's ship, and drones placed without contact according
/// to the seed. `shapes` must be built from modelFilesOf(scene); the clock must outlive the
/// simulation. Errors: Unsupported if the arena is too small for the ships.
Result<std::unique_ptr<Simulation>> makeSimulation(const Scene& scene, const ShapeSet& shapes,
                                                   Clock& budgetClock);

/// Makes a detector by names. Errors: Unsupported, with the nearest valid name, or because `shapes`
/// lacks the necessary trees.
Result<std::unique_ptr<Detector>> makeDetector(const std::string& broad, const std::string& narrow,
                                               const ShapeSet& shapes);

/// Makes pair calls of the scene's narrow phase and its reference. Uses BSP trees if it names no
/// reference [H96 Figs. 15, 16]. Errors: as makeDetector().
Result<std::unique_ptr<PairCalls>> makePairCalls(const Scene& scene, const ShapeSet& shapes);

}  // namespace nearmiss::engine
