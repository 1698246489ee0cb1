// SPDX-License-Identifier: MIT
/// Everything that a run depends on: ships, arena, time steps, detector, seed.
#pragma once

#include <engine/flight/depth.h>
#include <engine/flight/drone_pilots.h>
#include <engine/flight/frame_budget.h>
#include <engine/flight/response.h>
#include <engine/flight/simulation.h>
#include <engine/flight/world.h>
#include <engine/model/shape_set.h>
#include <nearmiss/result.h>
#include <nearmiss/tree_builders.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// What ships, drones and the arena's rim do unless a scene says otherwise: a pace for flying in
/// real time. Seconds are simulation seconds, of which a flight in real time has one a second.
inline constexpr ShipLimits briskLimits{
    .accelerationMax = 12.24, .reverseMax = 6.12, .turnMax = 1.68, .drag = 3.0};
inline constexpr PilotSettings briskPilot{.retargetLow = 4.0 / 6.0, .retargetHigh = 10.0 / 6.0};
inline constexpr Arena briskArena{.radius = 9.0, .rim = 3.0, .pushMax = 21.6};

struct DroneGroup {
  std::string model = "lamp";  ///< a built-in name or a file
  int count = 9;
  Real mass = 1.0;
  ShipLimits limits = briskLimits;
  PilotSettings pilot = briskPilot;
};

/// The arena of a scene. Where no radius is named it is 5.2 m, which drones fill, for up to ten
/// ships, and for more such that they fly as far from each other as ten do there.
struct ArenaRule {
  std::optional<Real> radius;  ///< metres
  Real rim = briskArena.rim;
  Real pushMax = briskArena.pushMax;
};

struct Scene {
  std::string name = "lamps";
  bool asPublished = false;  ///< see engine/as_published.h
  std::uint64_t seed = 42;
  std::string playerModel = "lamp";
  ShipLimits playerLimits = briskLimits;
  Real playerMass = 1.0;  ///< kg; infinite as published [H96 §11.1]
  std::vector<DroneGroup> drones{DroneGroup{}};
  ArenaRule arena;
  Response response = Response::Bounce;
  Instants instants = Instants::Steps;
  ImportanceRule importance;
  /// Whether a flight, too, advances by frameStep() a frame however long the frame takes, as in the
  /// papers [H96 §11.3]; else it follows the clock on the wall.
  bool fixedStep = false;
  std::optional<Real> simStep;   ///< dt_render; unset: the frame's target time
  Real detectStep = 0.05 / 6.0;  ///< simulation seconds per detection: dt_detect
  Real frameMs = 1000.0 / 60.0;
  std::optional<Real> simSeconds;    ///< stop after so much simulation time
  std::optional<std::string> broad;  ///< unset: see broadPhaseOf()
  std::string narrow = "sphere-tree";
  std::string reference;  ///< a second narrow phase, for comparison only; empty: none
  std::string tree{defaultSphereTreeBuilder};
  Coverage coverage = Coverage::Guaranteed;  ///< of builders that also have the paper's
  /// A sphere gets a box where its H, the Hausdorff distance, is so many times that of the box; 0:
  /// none do. Unset: the builder's default.
  std::optional<Real> nodeBoxRatio;
  std::optional<int> innerSpheres;  ///< at most so many in each solid; unset: as above
  int maxLevel = exactDepth;
  RefinementOrder order = RefinementOrder::InTurn;
  BudgetRule budget;
  ClockKind clock = ClockKind::Wall;
};

/// What the trees of defaultSphereTreeBuilder get in addition by default: fewer false alarms and
/// earlier proofs, for a little more time to build.
inline constexpr Real defaultNodeBoxRatio = 1.0;
inline constexpr std::size_t defaultInnerSpheres = 256;

/// The arena that the scene's ships fly in. The same bits on every machine.
[[nodiscard]] Arena arenaOf(const Scene& scene) noexcept;

/// Simulation seconds that a frame of equal steps advances.
[[nodiscard]] inline Real frameStep(const Scene& scene) noexcept {
  return scene.simStep.value_or(scene.frameMs * 1e-3);
}

/// The broad phase of the scene: the one that it names, else that of the papers for as many ships
/// as those flew, and for a crowd the grid, which can postpone ships.
[[nodiscard]] std::string broadPhaseOf(const Scene& scene);

/// The settings of the scene's sphere trees.
[[nodiscard]] SphereTreeSettings treeSettings(const Scene& scene);

/// Whether a method that the scene names, or the reference, works on BSP trees.
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

/// A new world in its start state: the user's ship, the drones placed by the seed so that none
/// touch. `shapes` must be built from modelFilesOf(scene); the clock must outlive the simulation.
/// Errors: Unsupported when the arena is too small for so many ships.
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
