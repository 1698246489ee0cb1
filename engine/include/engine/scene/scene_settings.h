// SPDX-License-Identifier: MIT
/// All inputs of a run: ships, arena, time steps, detector, seed. Each setting is a member and a
/// row below; scene files, options, record heads and documentation are derived from the rows.
#pragma once

#include <engine/flight/arena.h>
#include <engine/flight/budget.h>
#include <engine/flight/depth.h>
#include <engine/flight/drone_pilots.h>
#include <engine/flight/importance.h>
#include <engine/flight/response.h>
#include <engine/flight/ship.h>
#include <engine/flight/simulation.h>
#include <engine/scene/setting.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// Default limits of ships, drones and the arena's rim: a pace for flying in real time, where a
/// simulation second lasts a second.
inline constexpr ShipLimits briskLimits{
    .accelerationMax = 12.24, .reverseMax = 6.12, .turnMax = 1.68, .drag = 3.0};
inline constexpr PilotSettings briskPilot{.retargetLow = 4.0 / 6.0, .retargetHigh = 10.0 / 6.0};
inline constexpr Arena briskArena{.radius = 9.0, .rim = 3.0, .pushMax = 21.6};

/// [H96 §11.1]: levels 1 to 4. The triangles are an additional level of one experiment [§11.2].
inline constexpr int publishedLevels = 4;

/// Over all groups of a scene.
inline constexpr std::int64_t maxDrones = 100'000;

struct DroneGroup {
  std::string model = "lamp";  ///< a built-in name or a file
  int count = 9;
  Real mass = 1.0;
  ShipLimits limits = briskLimits;
  PilotSettings pilot = briskPilot;
  bool unimportant = false;  ///< see BodyState::unimportant
  /// Distance of neighbours in a row in which the group starts, like the links of a chain [m].
  std::optional<Real> linked = std::nullopt;
};

/// Distributes drones evenly; the first groups get the remainder. Adds a default group if there is
/// none.
inline void distributeDrones(int drones, std::vector<DroneGroup>& groups) {
  if (groups.empty()) groups.emplace_back();
  const int count = static_cast<int>(groups.size());
  for (int i = 0; i < count; ++i)
    groups[static_cast<std::size_t>(i)].count = drones / count + (i < drones % count ? 1 : 0);
}

/// The arena of a scene. The default radius is 5.2 m for up to ten ships. For more ships it grows
/// so that the density stays the same.
struct ArenaRule {
  std::optional<Real> radius;  ///< metres
  Real rim = briskArena.rim;
  Real pushMax = briskArena.pushMax;
  /// Distance of the wall in manual flight [m]. Drones then stay within `radius` of a point in
  /// front of the moving user's ship, and are faster than it.
  std::optional<Real> wall = std::nullopt;
  bool flown = false;  ///< manual flight; enables `wall` and `clearance`
  /// If there is a wall: drones turn aside if the distance of the centres to the user's ship would
  /// fall below this multiple of the sum of both radii. 0 disables this.
  Real clearance = 0.0;
};

/// What the spheres of a tree must cover [H96 §9.1]. Paper: each level as a whole. Guaranteed:
/// every point along a chain of spheres. Safest: children cover all that their parent covers.
enum class TreeCoverage : std::uint8_t { Paper, Guaranteed, Safest };

struct Scene {
  std::string name = "lamps";
  bool asPublished = false;  ///< see as_published.h
  std::uint64_t seed = 42;
  std::string playerModel = "lamp";
  ShipLimits playerLimits = briskLimits;
  Real playerMass = 1.0;     ///< kg; infinite as published [H96 §11.1]
  bool playerShots = false;  ///< the user's ship shoots small bodies
  std::vector<DroneGroup> drones{DroneGroup{}};
  ArenaRule arena;
  Response response = Response::Bounce;
  Instants instants = Instants::Steps;
  ImportanceRule importance;
  /// True if every frame of a flight advances by frameStep(), as in the papers [H96 §11.3].
  /// Otherwise flights follow the wall clock.
  bool fixedStep = false;
  std::optional<Real> simStep;   ///< dt_render; unset: the target frame time
  Real detectStep = 0.05 / 6.0;  ///< simulation seconds between detections: dt_detect
  Real frameMs = 1000.0 / 60.0;
  std::optional<Real> simSeconds;    ///< simulation seconds after which the run ends
  std::optional<std::string> broad;  ///< unset: see broadPhaseOf()
  std::string narrow = "sphere-tree";
  std::string reference;  ///< a second narrow phase, for comparison; empty: none
  std::string tree{defaultSphereTreeBuilder};
  TreeCoverage coverage = TreeCoverage::Guaranteed;  ///< for builders that also offer the paper's
  /// A sphere gets a box if its Hausdorff distance H is at least this multiple of the box's; 0: no
  /// boxes. Unset: the builder's default.
  std::optional<Real> nodeBoxRatio;
  std::optional<int> innerSpheres;  ///< maximum per solid; unset: the builder's default
  bool dropRedundant = false;       ///< drop spheres that are not needed for coverage [H96 §12]
  int maxLevel = exactDepth;
  bool tighten = false;
  bool coherence = false;
  RefinementOrder order = RefinementOrder::InTurn;
  BudgetRule budget;
  ClockKind clock = ClockKind::Wall;
};

// Names in files and options, in the order of the values.
inline constexpr std::array<std::string_view, 2> stepNames{"real", "fixed"};
inline constexpr std::array<std::string_view, 2> instantNames{"steps", "earliest"};
inline constexpr std::array<std::string_view, 3> coverageNames{"paper", "guaranteed", "safest"};

// Declared in engine/scene/as_published.h.
void setAsPublished(Scene& scene, bool asPublished);

/// In the order of writing and reading: later settings override earlier ones.
inline constexpr Setting<Scene> sceneSettings[] = {
    {"", "name", setting::text<&Scene::name>(), "the name of the scene in records", "", "scene"},
    {"", "as_published",
     FlagValue<Scene>{[](const Scene& scene) { return scene.asPublished; }, setAsPublished},
     "as the papers describe it: medial spheres with the paper's coverage, four levels, neither "
     "boxes nor inner spheres, Hubbard's driver of space-time bounds, no pair left waiting for its "
     "first level, the published bounce, time steps and frames of 0.1 s; other settings override "
     "it",
     "--as-published"},
    {"", "seed", setting::whole<&Scene::seed>(0, std::numeric_limits<std::int64_t>::max()),
     "the seed of the ships' places and of the drones' choices", "--seed", "seed"},
    {"", "response", setting::named<responseNames, &Scene::response>(),
     "what happens to ships that collide: bounce along the contact's normal, tumble at the "
     "contact's points, so that they turn as well, the published bounce along the deepest spheres, "
     "or teleport back to where they started",
     "--response", "", SettingGroup::Technique,
     [](Scene& scene) { scene.response = Response::PublishedBounce; }},

    {"time", "step", setting::named<stepNames, &Scene::fixedStep>(),
     "how a frame of the window advances: by what the last one took, at most 0.2 s or twice its "
     "target, or by a fixed dt_render, as it always does in run",
     "", "", SettingGroup::Pace, [](Scene& scene) { scene.fixedStep = true; }},
    {"time", "dt_render", setting::real<&Scene::simStep>(1e-6, 1e3, "auto"),
     "simulation seconds per frame, if all steps are equal; auto: frame_ms", "--sim-step", "",
     SettingGroup::Pace, [](Scene& scene) { scene.simStep = 0.1; }},
    {"time", "dt_detect", setting::real<&Scene::detectStep>(1e-6, 1e3),
     "simulation seconds between detections, at most, while ships are near each other; a frame has "
     "1000 at most",
     "--detect-step", "", SettingGroup::Pace, [](Scene& scene) { scene.detectStep = 0.05; }},
    {"time", "frame_ms", setting::real<&Scene::frameMs>(1e-3, 1e6), "target frame time in ms",
     "--frame-ms", "target_ms", SettingGroup::Pace, [](Scene& scene) { scene.frameMs = 100.0; }},
    {"time", "instants", setting::named<instantNames, &Scene::instants>(),
     "when to detect: at fixed steps, or at the earliest time at which something can touch", "", "",
     SettingGroup::Technique, [](Scene& scene) { scene.instants = Instants::Earliest; }},
    {"time", "sim_seconds", setting::real<&Scene::simSeconds>(0.0, 1e9),
     "simulation seconds after which the run ends", "--seconds"},

    {"detector", "broad",
     NameValue<Scene>{[](const Scene& scene) -> std::string_view {
                        return scene.broad ? std::string_view(*scene.broad) : "auto";
                      },
                      [](Scene& scene, std::string_view name) {
                        scene.broad.reset();
                        if (name != "auto") scene.broad = name;
                      },
                      [] {
                        auto names = setting::namesIn<broadPhaseCatalog>();
                        names.push_back("auto");
                        return names;
                      },
                      "broad"},
     "the broad phase; auto: space-time-queue for at most 50 ships, space-time-grid for more",
     "--broad", "", SettingGroup::Technique, [](Scene& scene) { scene.broad = "space-time"; }},
    {"detector", "narrow", setting::entryIn<narrowPhaseCatalog, &Scene::narrow>("narrow"),
     "the narrow phase", "--narrow", "", SettingGroup::None,
     [](Scene& scene) { scene.narrow = "sphere-tree-all"; }},
    {"detector", "reference",
     NameValue<Scene>{
         [](const Scene& scene) -> std::string_view {
           return scene.reference.empty() ? "none" : std::string_view(scene.reference);
         },
         [](Scene& scene, std::string_view name) { scene.reference = name == "none" ? "" : name; },
         [] {
           auto names = setting::namesIn<narrowPhaseCatalog>();
           names.push_back("none");
           return names;
         },
         "narrow"},
     "a second narrow phase that only watches the same states, or none", "--reference",
     "reference"},
    {"detector", "tree", setting::entryIn<sphereTreeBuilderCatalog, &Scene::tree>("trees"),
     "the builder of the sphere trees", "--tree", "", SettingGroup::Trees,
     [](Scene& scene) { scene.tree = "medial"; }},
    {"detector", "coverage", setting::named<coverageNames, &Scene::coverage>(),
     "coverage of medial trees; guaranteed: every surface point has a chain of spheres from the "
     "root to a leaf; paper: each level covers the surface as a whole; safest: children cover all "
     "that their parent covers, which is looser",
     "--coverage", "", SettingGroup::Trees,
     [](Scene& scene) { scene.coverage = TreeCoverage::Paper; }},
    {"detector", "boxes", setting::real<&Scene::nodeBoxRatio>(0.0, maxNodeBoxRatio, "auto"),
     "adds a box to each sphere whose H is at least this multiple of the box's H; 0: none; auto: "
     "1 for variational, else 0",
     "--boxes", "", SettingGroup::Trees, [](Scene& scene) { scene.nodeBoxRatio = 0.0; }},
    {"detector", "inner_spheres", setting::whole<&Scene::innerSpheres>(0, maxInnerSpheres, "auto"),
     "maximum number of spheres inside each solid, which prove contact early; 0: none; auto: 256 "
     "for variational, else 0",
     "--inner", "", SettingGroup::Trees, [](Scene& scene) { scene.innerSpheres = 0; }},
    {"detector", "drop_redundant", setting::flag<&Scene::dropRedundant>(),
     "drop the spheres that coverage does not need", "--drop-redundant", "", SettingGroup::Trees},
    {"detector", "max_level", setting::whole<&Scene::maxLevel>(0, exactDepth),
     "the finest level; 0 is the bounding spheres", "--max-level", "", SettingGroup::Depth,
     [](Scene& scene) { scene.maxLevel = publishedLevels; }},
    {"detector", "tighten", setting::flag<&Scene::tighten>(),
     "use time left after the finest level to lower the bounds of pairs that may touch, down to "
     "the minimum over all colliding spheres",
     "--tighten", "", SettingGroup::Technique},
    {"detector", "coherence", setting::flag<&Scene::coherence>(),
     "start each pair from its result of the previous frame; verdicts are the same", "--coherence",
     "", SettingGroup::Technique},
    {"detector", "order",
     NameValue<Scene>{[](const Scene& scene) { return entryOf(scene.order).name; },
                      [](Scene& scene, std::string_view name) {
                        scene.order = findRefinementOrder(name)->order;
                      },
                      setting::namesIn<refinementOrderCatalog>, "orders"},
     "which pair is refined next while time lasts", "--order", "", SettingGroup::Technique,
     [](Scene& scene) { scene.order = RefinementOrder::InTurn; }},
    {"detector", "budget",
     BudgetValue<Scene>{[](Scene& scene) -> BudgetRule& { return scene.budget; }},
     "time budget of detection per frame; auto: the target frame time minus the predicted time of "
     "all other work",
     "--budget", "budget"},
    {"detector", "era_scale", setting::real<&Scene::budget, &BudgetRule::eraScale>(1e-6, 1e9),
     "divides the allowance: the 1995 mode", "--era-scale"},
    {"detector", "clock", setting::named<clockNames, &Scene::clock>(),
     "what the budget is measured on; the work clock is repeatable bit for bit", "--clock",
     "clock"},

    {"importance", "full_within",
     setting::real<&Scene::importance, &ImportanceRule::fullWithin>(
         0.0, std::numeric_limits<Real>::infinity()),
     "distance from the user's ship, metres, within which no pair is postponed; 0: only pairs that "
     "touch the user's bounding sphere are never postponed",
     "--full-within", "", SettingGroup::Depth,
     [](Scene& scene) { scene.importance.fullWithin = std::numeric_limits<Real>::infinity(); }},

    {"arena", "radius", setting::real<&Scene::arena, &ArenaRule::radius>(1e-3, 1e6, "auto"),
     "metres; auto: 5.2 for at most ten ships, for n ships 5.2 (n / 10)^(1/3), which keeps them as "
     "far apart"},
    {"arena", "wall", setting::real<&Scene::arena, &ArenaRule::wall>(1e-3, 1e6, "auto"),
     "metres, at least radius: where the wall is in a window that somebody flies; drones then keep "
     "within radius of the user's ship; auto: at radius"},
    {"arena", "flown", setting::flag<&Scene::arena, &ArenaRule::flown>(),
     "whether wall counts; a window that somebody flies sets it"},
    {"arena", "clearance", setting::real<&Scene::arena, &ArenaRule::clearance>(0.0, 100.0),
     "drones turn aside that would come nearer to the user's ship than this many times both radii, "
     "where wall counts; 0: they do not"},
    {"arena", "rim", setting::real<&Scene::arena, &ArenaRule::rim>(1e-3, 1e6),
     "metres outside the radius over which the push inward grows to push_max"},
    {"arena", "push_max", setting::real<&Scene::arena, &ArenaRule::pushMax>(0.0, 1e4),
     "the greatest push inward, m/s^2"},

    {"player", "model", setting::text<&Scene::playerModel>(),
     "the user's ship: a built-in name or a file", "--player-model"},
    {"player", "mass", setting::mass<&Scene::playerMass>(), "kg; infinite: no hit moves the ship"},
    {"player", "shots", setting::flag<&Scene::playerShots>(),
     "whether the ship shoots small bodies; a window that somebody flies sets it"},
};

/// For [player] and for each of the [[drones]].
inline constexpr Setting<ShipLimits> limitSettings[] = {
    {"", "accel_max", setting::real<&ShipLimits::accelerationMax>(0.0, 1e4),
     "acceleration forward, m/s^2"},
    {"", "reverse_max", setting::real<&ShipLimits::reverseMax>(0.0, 1e4),
     "acceleration backward, m/s^2"},
    {"", "turn_max", setting::real<&ShipLimits::turnMax>(0.0, 1e3), "rate of turning, rad/s"},
    {"", "drag", setting::real<&ShipLimits::drag>(0.0, 1e2), "loss of speed, 1/s"},
};

/// For each of the [[drones]]; an option sets all groups.
inline constexpr Setting<DroneGroup> droneSettings[] = {
    {"drones", "model", setting::text<&DroneGroup::model>(),
     "the drones' model: a built-in name or a file", "--model"},
    {"drones", "count", setting::whole<&DroneGroup::count>(0, maxDrones),
     "the number of drones; at most 100000 in all tables"},
    {"drones", "mass", setting::mass<&DroneGroup::mass>(), "kg each, or infinite"},
    {"drones", "unimportant", setting::flag<&DroneGroup::unimportant>(),
     "their pairs are the first to wait when time is short"},
    {"drones", "linked", setting::real<&DroneGroup::linked>(1e-3, 1e6),
     "metres; the group starts in a row through the middle, its ships this far apart and each "
     "turned by a quarter against the one before, as rings of a chain; unset: apart, at random"},
};
/// For each of the [[drones]], after their limits.
inline constexpr Setting<DroneGroup> pilotSettings[] = {
    {"drones", "retarget_s",
     RangeValue<DroneGroup>{[](DroneGroup& group) -> Real& { return group.pilot.retargetLow; },
                            [](DroneGroup& group) -> Real& { return group.pilot.retargetHigh; },
                            PilotSettings::shortestWait},
     "simulation seconds between a drone's choices, from the shortest to the longest"},
    {"drones", "temper", setting::named<temperNames, &DroneGroup::pilot, &PilotSettings::temper>(),
     "where a drone heads at each choice: at random, as in the papers, hunting for where the "
     "user's ship will be, fleeing from there, or crossing its bow"},
};

}  // namespace nearmiss::engine
