// SPDX-License-Identifier: MIT
#include "lab/equal_spheres.h"

#include <fmt/format.h>
#include <nearmiss/tree_builders.h>

#include <algorithm>
#include <array>
#include <optional>

#include "console/interrupt.h"
#include "console/progress_line.h"
#include "lab/results.h"

namespace nearmiss::app {
namespace {

/// What is tried. Objectives in their order for each shape: those that fit best first, because the
/// others then need only one tree each to be found worse.
struct NamedObjective {
  std::string_view name;
  SphereObjective objective;
};
constexpr std::array<NamedObjective, 2> objectives{{
    {"outside", SphereObjective::Outside},
    {"area", SphereObjective::AreaWeighted},
}};
struct Shape {
  int levels, branching;
};
constexpr std::array<Shape, 4> shapes{{{2, 8}, {1, 8}, {4, 5}, {5, 3}}};
/// The first ones, where it must go quickly.
constexpr std::size_t quickShapes = 2;
/// Larger divisions take too long.
constexpr std::size_t mostOfOneSphere = 256;
/// So many sizes below the smallest are tried one by one.
constexpr std::size_t verified = 4;

class Search {
 public:
  Search(const SphereTreeBuilderEntry& builder, const Polyhedron& polyhedron,
         const LevelMeasureSettings& measure, EqualSpheresRow& row)
      : builder_(builder), polyhedron_(polyhedron), measure_(measure), row_(row) {}

  Result<Success> run(std::span<const Shape> shapes);

 private:
  bool tryTree(const NamedObjective& objective, const Shape& shape, std::size_t most);
  void descend(const NamedObjective& objective, const Shape& shape);
  void verify();
  [[nodiscard]] bool found() const noexcept { return row_.smallest.spheres > 0; }

  const SphereTreeBuilderEntry& builder_;
  const Polyhedron& polyhedron_;
  LevelMeasureSettings measure_;
  EqualSpheresRow& row_;
  std::optional<Error> error_;
  NamedObjective objective_{};  ///< of the smallest
  Shape shape_{};
};

/// Whether the tree fits as well; then it is the smallest so far. False after an error as well.
bool Search::tryTree(const NamedObjective& objective, const Shape& shape, std::size_t most) {
  if (interrupted()) error_ = experimentCancelled();
  if (error_) return false;
  SphereTreeSettings settings;
  settings.levels = shape.levels;
  settings.dag = {
      .branching = shape.branching, .mostSpheres = most, .objective = objective.objective};
  settings.variational = {
      .branching = shape.branching, .mostSpheres = most, .objective = objective.objective};
  settings.workers = measure_.workers;
  // The spheres are the same; H is measured below
  settings.hausdorffTolerance = 1.0;
  const auto tree = answerWithProgressLine(
      fmt::format("fitting {} spheres of {} to {} ({}, {} levels)", most, builder_.name, row_.model,
                  objective.name, shape.levels),
      [&](BuildProgress& progress) { return builder_.build(polyhedron_, settings, &progress); });
  if (!tree) {
    error_ = tree.error();
    return false;
  }
  measure_.deepest = shape.levels;
  const SphereLevelMeasure last = measureLevels(*tree, polyhedron_, measure_).back();
  const TriedTree& tried = row_.tried.emplace_back(TriedTree{
      objective.name, shape.levels, shape.branching, most, last.spheres, last.areaWeighted});
  if (tried.hWeighted > row_.wanted.hWeighted || tried.spheres > row_.wanted.spheres) return false;
  if (!found() || tried.spheres < row_.smallest.spheres) {
    row_.smallest = tried;
    objective_ = objective;
    shape_ = shape;
  }
  return true;
}

/// Looks for fewer spheres than the smallest tree has: in greater and greater steps until they do
/// not fit any more, then by bisection.
void Search::descend(const NamedObjective& objective, const Shape& shape) {
  std::size_t fits = found() ? row_.smallest.spheres - 1 : row_.wanted.spheres;
  if (shape.levels == 1) fits = std::min(fits, mostOfOneSphere);
  if (fits == 0 || !tryTree(objective, shape, fits)) return;
  std::size_t fails = 0;
  for (std::size_t step = std::max<std::size_t>(1, fits / 16); step < fits; step *= 2) {
    if (!tryTree(objective, shape, fits - step)) {
      fails = fits - step;
      break;
    }
    fits -= step;
  }
  // Nearer than this Hw goes up and down
  while (fits - fails > std::max<std::size_t>(1, fits / 64)) {
    const std::size_t middle = fails + (fits - fails) / 2;
    (tryTree(objective, shape, middle) ? fits : fails) = middle;
  }
}

void Search::verify() {
  const auto known = [this](std::size_t most) {
    return std::any_of(row_.tried.begin(), row_.tried.end(), [&](const TriedTree& tried) {
      return tried.objective == objective_.name && tried.levels == shape_.levels &&
             tried.branching == shape_.branching && tried.mostSpheres == most;
    });
  };
  for (std::size_t below = 1; below <= verified && below < row_.smallest.mostSpheres;) {
    const std::size_t most = row_.smallest.mostSpheres - below;
    const bool smaller = !known(most) && tryTree(objective_, shape_, most);
    below = smaller ? 1 : below + 1;
  }
}

Result<Success> Search::run(std::span<const Shape> some) {
  for (const Shape& shape : some)
    for (const NamedObjective& objective : objectives) descend(objective, shape);
  if (found()) verify();
  if (error_) return *error_;
  return Success{};
}

}  // namespace

Result<EqualSpheresRow> equalSpheres(const std::string& model, std::string_view builder,
                                     const Polyhedron& polyhedron, const WantedFit& wanted,
                                     const LevelMeasureSettings& measure, bool quick) {
  EqualSpheresRow row;
  row.model = model;
  row.builder = builder;
  row.wanted = wanted;
  const auto some = std::span<const Shape>(shapes).first(quick ? quickShapes : shapes.size());
  const auto done = Search(*findSphereTreeBuilder(builder), polyhedron, measure, row).run(some);
  if (!done) return done.error();
  return row;
}

}  // namespace nearmiss::app
