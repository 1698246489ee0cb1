// SPDX-License-Identifier: MIT
#include <engine/base/nearest_name.h>
#include <engine/flight/pair_calls.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scene/ship_models.h"
#include "scene/sphere_set.h"

namespace nearmiss::engine {
namespace {

/// With more ships a sweep takes longer than a small budget.
constexpr int maxSwept = 50;

/// Random point of the unit ball, by rejection.
Vec3 pointInBall(SplitMix& random) {
  while (true) {
    Vec3 p;
    p.x = random.between(-1.0, 1.0);
    p.y = random.between(-1.0, 1.0);
    p.z = random.between(-1.0, 1.0);
    if (glm::dot(p, p) <= 1.0) return p;
  }
}

/// Random point of the unit disc except its centre, and its squared distance from it.
std::pair<glm::dvec2, Real> pointInDisc(SplitMix& random) {
  while (true) {
    glm::dvec2 p;
    p.x = random.between(-1.0, 1.0);
    p.y = random.between(-1.0, 1.0);
    const Real squared = p.x * p.x + p.y * p.y;
    if (squared <= 1.0 && squared > 0.0) return {p, squared};
  }
}

/// Uniformly distributed rotation [M72]. Uses only square roots, so that every machine gets the
/// same result.
Quat uniformRotation(SplitMix& random) {
  const auto [p, pp] = pointInDisc(random);
  const auto [q, qq] = pointInDisc(random);
  const Real s = std::sqrt((1.0 - pp) / qq);
  return glm::normalize(Quat(p.x, p.y, q.x * s, q.y * s));
}

/// Real root of x^3 = `value` >= 1, by basic arithmetic: library functions differ between machines.
Real cubeRoot(Real value) noexcept {
  // From above, Newton's method decreases until rounding stops it
  Real x = value;
  while (true) {
    const Real next = x - (x * x * x - value) / (3.0 * x * x);
    if (!(next < x)) return x;
    x = next;
  }
}

/// Factor on the thrust of drones that must keep up with the user's ship.
constexpr Real pursuit = 1.7;

/// Places ships in the arena one by one without contact.
class Placement {
 public:
  /// `largest`: maximum radius of the ships to place.
  Placement(Real within, Real largest, std::uint64_t seed)
      : within_(within), taken_(2.0 * largest), random_(seed) {}

  void occupy(const Vec3& centre, Real radius) { taken_.add({centre, radius}); }

  /// Returns false if no free position was found.
  bool place(Real radius, Pose& pose) {
    constexpr int attempts = 10'000;
    const Real room = std::max(0.0, within_ - radius);
    for (int attempt = 0; attempt < attempts; ++attempt) {
      const Sphere tried{room * pointInBall(random_), radius};
      if (taken_.touches(tried)) continue;
      taken_.add(tried);
      pose = {tried.centre, uniformRotation(random_)};
      return true;
    }
    return false;
  }

  /// Places `count` ships in a row along x through the origin, each turned by a quarter about the
  /// row against the one before. Bounding spheres in the row may overlap. Returns no poses if the
  /// row does not fit.
  std::vector<Pose> placeRow(int count, Real radius, Real spacing) {
    const Real start = -0.5 * spacing * (count - 1), turn = std::sqrt(0.5);
    std::vector<Pose> row;
    for (int i = 0; i < count; ++i) {
      const Vec3 centre(start + spacing * i, 0.0, 0.0);
      if (radius - start > within_ || taken_.touches({centre, radius})) return {};
      row.push_back(
          {centre, i % 2 == 0 ? glm::identity<Quat>() : glm::normalize(Quat(turn, turn, 0, 0))});
    }
    for (const Pose& pose : row) taken_.add({pose.position, radius});
    return row;
  }

 private:
  Real within_;  ///< maximum distance from the origin, metres
  SphereSet taken_;
  SplitMix random_;
};

/// Ships by model. A scene may have thousands of groups with the same model, and reach and inertia
/// are slow to compute.
class ShipKinds {
 public:
  explicit ShipKinds(const ShapeSet& shapes) noexcept : shapes_(shapes) {}
  Result<ShipDef> of(const std::string& model) {
    const auto known = known_.find(model);
    if (known != known_.end()) return known->second;
    auto ship = shipOfModel(model, shapes_);
    if (ship) known_.emplace(model, *ship);
    return ship;
  }

 private:
  const ShapeSet& shapes_;
  std::map<std::string, ShipDef> known_;
};

Error noSuchPhase(std::string_view kind, const std::string& wanted, const auto& catalog) {
  std::vector<std::string_view> names;
  for (const auto& entry : catalog) names.push_back(entry.name);
  return {ErrorCode::Unsupported,
          fmt::format("there is no {} phase \"{}\".{} Known: {}", kind, wanted,
                      didYouMean(wanted, names), fmt::join(names, ", "))};
}

Result<std::unique_ptr<NarrowPhase>> makeNarrowPhase(const std::string& name,
                                                     const ShapeSet& shapes) {
  const NarrowPhaseEntry* entry = findNarrowPhase(name);
  if (!entry) return noSuchPhase("narrow", name, narrowPhaseCatalog());
  if (entry->needsBspTrees && !shapes.hasBspTrees())
    return Error{ErrorCode::Unsupported,
                 fmt::format("the BSP trees that {} needs are not built yet", name)};
  return nearmiss::makeNarrowPhase(*entry, shapes.collision());
}

}  // namespace

Real gatheringRadius(const Scene& scene) noexcept {
  constexpr Real defaultShips = 10.0, defaultRadius = 5.2;
  Real ships = 1.0;
  for (const DroneGroup& group : scene.drones) ships += std::max(0, group.count);
  const Real radius = defaultRadius * cubeRoot(std::max(1.0, ships / defaultShips));
  return scene.arena.radius.value_or(radius);
}

Arena arenaOf(const Scene& scene) noexcept {
  Arena arena;
  arena.radius = gatheringRadius(scene);
  if (hasWall(scene)) arena.radius = std::max(arena.radius, *scene.arena.wall);
  arena.rim = scene.arena.rim;
  arena.pushMax = scene.arena.pushMax;
  return arena;
}

std::string broadPhaseOf(const Scene& scene) {
  if (scene.broad) return *scene.broad;
  int ships = 1;
  for (const DroneGroup& group : scene.drones) ships += std::max(0, group.count);
  return ships <= maxSwept ? "space-time-queue" : "space-time-grid";
}

SphereTreeSettings treeSettings(const Scene& scene) {
  SphereTreeSettings settings;
  const bool usual = scene.tree == defaultSphereTreeBuilder;
  const SphereTreeBuilderEntry* builder = findSphereTreeBuilder(scene.tree);
  if (builder && builder->hasPaperMode) {
    if (scene.coverage == TreeCoverage::Paper) settings.medial.coverage = Coverage::Paper;
    if (scene.coverage == TreeCoverage::Safest)
      settings.medial.guarantee = CoverageGuarantee::Safest;
  }
  settings.nodeBoxRatio = scene.nodeBoxRatio.value_or(usual ? usualNodeBoxRatio : 0.0);
  settings.innerSpheres = usual ? usualInnerSpheres : 0;
  settings.dropRedundant = scene.dropRedundant;
  if (scene.innerSpheres) settings.innerSpheres = static_cast<std::size_t>(*scene.innerSpheres);
  return settings;
}

bool needsBspTrees(const Scene& scene) {
  const auto needs = [](const std::string& name) {
    const NarrowPhaseEntry* entry = findNarrowPhase(name);
    return entry && entry->needsBspTrees;
  };
  return needs(scene.narrow) || needs(scene.reference);
}

Result<std::unique_ptr<Detector>> makeDetector(const std::string& broad, const std::string& narrow,
                                               const ShapeSet& shapes) {
  const BroadPhaseEntry* entry = findBroadPhase(broad);
  if (!entry) return noSuchPhase("broad", broad, broadPhaseCatalog());
  auto made = makeNarrowPhase(narrow, shapes);
  if (!made) return made.error();
  return std::make_unique<Detector>(makeBroadPhase(*entry, shapes.collision()), *std::move(made));
}

Result<std::unique_ptr<PairCalls>> makePairCalls(const Scene& scene, const ShapeSet& shapes) {
  auto driver = makeNarrowPhase(scene.narrow, shapes);
  if (!driver) return driver.error();
  auto reference = makeNarrowPhase(scene.reference.empty() ? "bsp" : scene.reference, shapes);
  if (!reference) return reference.error();
  return std::make_unique<PairCalls>(*std::move(driver), *std::move(reference));
}

Result<std::unique_ptr<Simulation>> makeSimulation(const Scene& scene, const ShapeSet& shapes,
                                                   Clock& budgetClock) {
  // The ships and their maximum radius
  ShipKinds ships(shapes);
  Result<ShipDef> player = ships.of(scene.playerModel);
  if (!player) return player.error();
  std::vector<ShipDef> kinds;
  Real largest = radiusOf(*player);
  for (const DroneGroup& group : scene.drones) {
    if (group.count <= 0) continue;
    const Result<ShipDef> kind = ships.of(group.model);
    if (!kind) return kind.error();
    kinds.push_back(*kind);
    kinds.back().mass = group.mass;
    kinds.back().limits = group.limits;
    if (hasWall(scene)) kinds.back().limits.accelerationMax *= pursuit;
    kinds.back().unimportant = group.unimportant;
    largest = std::max(largest, radiusOf(*kind));
  }
  SplitMix seeds(scene.seed);
  const Arena arena = arenaOf(scene);
  const Real gathering = gatheringRadius(scene);
  Placement placement(gathering, largest, seeds.bits());
  World world(arena);

  // The user's ship starts at the edge and looks to the centre, along -z
  player->pose = {Vec3(0.0, 0.0, gathering), glm::identity<Quat>()};
  player->mass = scene.playerMass;
  player->limits = scene.playerLimits;
  const auto user = world.ships().create(*player);
  if (!user) return user.error();
  placement.occupy(player->pose.position, radiusOf(*player));

  DronePilots pilots(seeds.bits(), PilotSettings{});
  pilots.follow(*user);
  if (hasWall(scene)) pilots.gather(gathering, scene.arena.clearance);
  auto kind = kinds.begin();
  for (const DroneGroup& group : scene.drones) {
    if (group.count <= 0) continue;
    ShipDef& def = *kind++;
    std::vector<Pose> row;
    if (group.linked) row = placement.placeRow(group.count, radiusOf(def), *group.linked);
    for (int i = 0; i < group.count; ++i) {
      def.pose = {};
      if (!row.empty())
        def.pose = row[static_cast<std::size_t>(i)];
      else if (group.linked || !placement.place(radiusOf(def), def.pose))
        return Error{ErrorCode::Unsupported,
                     fmt::format("an arena of radius {} m is too small for the ships: drone {} "
                                 "of {} found no free place; lower count or raise arena.radius",
                                 gathering, i + 1, group.count)};
      const auto ship = world.ships().create(def);
      if (!ship) return ship.error();
      pilots.add(*ship, group.pilot);
    }
  }

  Shots shots;
  if (scene.playerShots) {
    const auto body = shotBody(shapes);
    if (!body) return body.error();
    shots = Shots(*body);
  }

  auto detector = makeDetector(broadPhaseOf(scene), scene.narrow, shapes);
  if (!detector) return detector.error();
  auto simulation =
      std::make_unique<Simulation>(std::move(world), *user, std::move(pilots), std::move(*detector),
                                   budgetClock, shapes.collision(), std::move(shots));
  if (!scene.reference.empty()) {
    auto reference = makeDetector(broadPhaseOf(scene), scene.reference, shapes);
    if (!reference) return reference.error();
    simulation->setReference(std::move(*reference));
  }
  return simulation;
}

}  // namespace nearmiss::engine
