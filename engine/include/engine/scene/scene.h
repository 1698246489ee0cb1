// SPDX-License-Identifier: MIT
/// Scenes as files, and as the flights that begin from them.
#pragma once

#include <engine/flight/frame_budget.h>
#include <engine/flight/simulation.h>
#include <engine/model/shape_set.h>
#include <engine/scene/scene_settings.h>
#include <nearmiss/result.h>
#include <nearmiss/tree_builders.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// The arena that the scene's ships fly in. The same bits on every machine.
[[nodiscard]] Arena arenaOf(const Scene& scene) noexcept;

/// The radius within which ships start and drones keep, metres; that of the arena without a wall of
/// its own.
[[nodiscard]] Real gatheringRadius(const Scene& scene) noexcept;
/// True if the wall is elsewhere.
[[nodiscard]] inline bool hasWall(const Scene& scene) noexcept {
  return scene.arena.flown && scene.arena.wall.has_value();
}

/// Simulation seconds that a frame of equal steps advances.
[[nodiscard]] inline Real frameStep(const Scene& scene) noexcept {
  return scene.simStep.value_or(scene.frameMs * 1e-3);
}

/// The broad phase of the scene: the one that it names, else that of the papers for as many ships
/// as those flew, and for a crowd the grid, which can postpone ships.
[[nodiscard]] std::string broadPhaseOf(const Scene& scene);

/// The settings of the scene's sphere trees.
[[nodiscard]] SphereTreeSettings treeSettings(const Scene& scene);

/// True if a method that the scene names, or the reference, works on BSP trees.
[[nodiscard]] bool needsBspTrees(const Scene& scene);

/// Reads a scene file over `base`. An unknown key is an error that names file, line and the nearest
/// valid key. Errors: NotFound, Unreadable, BadFormat.
Result<Scene> readScene(const std::filesystem::path& file, const Scene& base = {});
/// The same from text; `origin` stands for the file in messages.
Result<Scene> parseScene(std::string_view text, const std::string& origin, const Scene& base = {});
/// As a scene file that reads back to the same scene.
[[nodiscard]] std::string writeScene(const Scene& scene);

/// The scenes that come with the program; a name or a path, as a path.
[[nodiscard]] std::vector<std::string> builtInScenes();
Result<std::filesystem::path> findScene(const std::string& nameOrFile);

/// The model files that a scene needs, each once, the player's first. Errors: those of findModel()
/// and of readArticulatedModel().
Result<std::vector<ModelFile>> modelFilesOf(const Scene& scene);

/// A new world in its start state: the user's ship, the drones placed by the seed without contact.
/// `shapes` must be built from modelFilesOf(scene); the clock must outlive the simulation. Errors:
/// Unsupported when the arena is too small for the ships.
Result<std::unique_ptr<Simulation>> makeSimulation(const Scene& scene, const ShapeSet& shapes,
                                                   Clock& budgetClock);

/// A detector as a scene names it. Errors: Unsupported, with the nearest valid name, or because
/// `shapes` has not the trees that it needs.
Result<std::unique_ptr<Detector>> makeDetector(const std::string& broad, const std::string& narrow,
                                               const ShapeSet& shapes);

/// Pair calls of the scene's narrow phase and its reference, or BSP trees if it names none [H96
/// Figs. 15, 16]. Errors: as makeDetector().
Result<std::unique_ptr<PairCalls>> makePairCalls(const Scene& scene, const ShapeSet& shapes);

}  // namespace nearmiss::engine
