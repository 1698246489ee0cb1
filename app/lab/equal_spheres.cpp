// SPDX-License-Identifier: MIT
#include "lab/equal_spheres.h"

#include <fmt/format.h>
#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <iterator>

#include "progress_line.h"

namespace nearmiss::app {
namespace {

/// A tree whose deepest level has branching^levels spheres.
struct Size {
  std::size_t spheres = 0;
  int branching = 0, levels = 0;
};

/// Ascending, up to `most` spheres; of sizes that two trees have that of fewer levels.
std::vector<Size> sizesUpTo(std::size_t most) {
  std::vector<Size> sizes;
  for (int branching = 8; branching >= 2; --branching) {
    std::size_t spheres = 1;
    for (int levels = 1; levels <= 10; ++levels) {
      spheres *= static_cast<std::size_t>(branching);
      const auto same = [spheres](const Size& size) { return size.spheres == spheres; };
      if (spheres <= most && std::none_of(sizes.begin(), sizes.end(), same))
        sizes.push_back({spheres, branching, levels});
    }
  }
  std::sort(sizes.begin(), sizes.end(),
            [](const Size& a, const Size& b) { return a.spheres < b.spheres; });
  return sizes;
}

/// What the deepest level of that tree has.
Result<WantedFit> fitOf(const Size& size, const SphereTreeBuilderEntry& builder,
                        const Polyhedron& polyhedron, const std::string& title,
                        LevelMeasureSettings measure) {
  SphereTreeSettings settings;
  settings.levels = size.levels;
  settings.branching = size.branching;
  settings.objective = SphereObjective::AreaWeighted;
  settings.workers = measure.workers;
  Result<SphereTree> tree = Error{ErrorCode::Cancelled, "the experiment was cancelled"};
  withProgressLine(title, [&](BuildProgress& progress) {
    tree = builder.build(polyhedron, settings, &progress);
  });
  if (!tree) return tree.error();
  measure.deepest = size.levels;
  const SphereLevelMeasure last = measureLevels(*tree, polyhedron, measure).back();
  return WantedFit{last.spheres, last.areaWeighted};
}

}  // namespace

Result<EqualSpheresRow> equalSpheres(const std::string& model, std::string_view builder,
                                     const Polyhedron& polyhedron, const WantedFit& wanted,
                                     const LevelMeasureSettings& measure) {
  EqualSpheresRow row;
  row.model = model;
  row.builder = builder;
  row.wanted = wanted;
  const std::vector<Size> sizes = sizesUpTo(wanted.spheres);
  std::size_t first = 0, end = sizes.size();
  while (first < end) {
    const std::size_t middle = first + (end - first) / 2;
    const Size& size = sizes[middle];
    const auto fit =
        fitOf(size, *findSphereTreeBuilder(builder), polyhedron,
              fmt::format("fitting {} spheres of {} to {}", size.spheres, builder, model), measure);
    if (!fit) return fit.error();
    if (fit->hWeighted > wanted.hWeighted) {
      first = middle + 1;
      continue;
    }
    end = middle;
    row.spheres = fit->spheres;
    row.hWeighted = fit->hWeighted;
    row.branching = size.branching;
    row.levels = size.levels;
  }
  return row;
}

std::string equalSpheresCsv(std::span<const EqualSpheresRow> rows) {
  std::string text = "model,builder,medial_spheres,medial_hw_m,spheres,hw_m,branching,levels\n";
  for (const EqualSpheresRow& row : rows) {
    std::string model = row.model;
    std::replace_if(
        model.begin(), model.end(), [](char c) { return c == ',' || c == '"' || c == '\n'; }, '_');
    fmt::format_to(std::back_inserter(text), "{},{},{},{:.8g},{},{:.8g},{},{}\n", model,
                   row.builder, row.wanted.spheres, row.wanted.hWeighted, row.spheres,
                   row.hWeighted, row.branching, row.levels);
  }
  return text;
}

void printEqualSpheres(std::span<const EqualSpheresRow> rows) {
  if (rows.empty()) return;
  fmt::print("how few spheres fit as well over the surface (Hw) as the deepest level of medial\n");
  for (const EqualSpheresRow& row : rows)
    if (row.spheres > 0)
      fmt::print(
          "{:<10} {:<12} {:>4} spheres with Hw {:.5f} for {} with {:.5f} ({} children, {} "
          "levels)\n",
          row.model, row.builder, row.spheres, row.hWeighted, row.wanted.spheres,
          row.wanted.hWeighted, row.branching, row.levels);
    else
      fmt::print("{:<10} {:<12} no fewer than the {} of medial\n", row.model, row.builder,
                 row.wanted.spheres);
}

}  // namespace nearmiss::app
