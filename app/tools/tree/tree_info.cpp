// SPDX-License-Identifier: MIT
#include <engine/model/model_loader.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "console/text.h"
#include "tools/tree/tree_commands.h"
#include "tools/tree/tree_model.h"

namespace nearmiss::app::tree {
namespace {

/// Prints the number of inner spheres if there are any.
void printInner(const InnerSpheres& inner) {
  if (inner.empty()) return;
  fmt::print("inside the solid:");
  for (int level = 0; level < inner.levelCount(); ++level)
    fmt::print(" {}", inner.spheresOf(level).size());
  fmt::print(" spheres by level\n");
}

/// Prints the number of spheres with boxes per level, if there are any.
void printBoxes(const SphereTree& tree) {
  if (tree.data().boxes.empty()) return;
  fmt::print("boxes beside spheres:");
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    fmt::print(" {}", std::ranges::count_if(spheres, [&tree](SphereId id) {
                 return tree.data().boxes.find(id) != nullptr;
               }));
  }
  fmt::print(" by level\n");
}

const char* nameOf(Coverage coverage) noexcept {
  switch (coverage) {
    case Coverage::Paper:
      return "paper: a search may miss contacts";
    case Coverage::Samples:
      return "samples: nothing is promised, a search may miss contacts";
    case Coverage::Guaranteed:
      break;
  }
  return "guaranteed";
}

}  // namespace

void printTree(const SphereTreeFile& file) {
  fmt::print("builder {}, {} triangles, built in {:.3f} s, coverage {}\n", printable(file.builder),
             file.triangleCount, file.buildSeconds, nameOf(file.tree.coverage()));
  fmt::print("fallbacks {}\n", gaveWay(file.builder) ? 1 : 0);
  fmt::print("mesh 0x{:016x}, settings 0x{:016x}\n", file.key.meshHash, file.key.settingsHash);
  fmt::print(
      "H is how far a point in a sphere can be from the surface, Ho the same for points {};\n"
      "lengths in the frame of the tree, where the model has radius 1\n",
      file.tree.boundsSolid() ? "outside of the solid"
                              : "of any kind, because the mesh is not a solid");
  fmt::print("{:>5} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "level", "spheres",
             "H mean", "H max", "Ho mean", "Ho max", "r mean", "r max");
  int level = 0;
  for (const SphereLevelReport& report : levelReports(file.tree))
    fmt::print("{:>5} {:>8} {:>10.6f} {:>10.6f} {:>10.6f} {:>10.6f} {:>10.6f} {:>10.6f}\n", level++,
               report.spheres, report.hausdorffMean, report.hausdorffMax, report.outsideMean,
               report.outsideMax, report.radiusMean, report.radiusMax);
  printBoxes(file.tree);
  printInner(file.tree.data().inner);
}

namespace {

/// Prints measurements against the mesh: one line per level, lengths in the tree's frame.
void printMeasures(std::span<const SphereLevelMeasure> levels) {
  fmt::print(
      "\nagainst the mesh: H of the sphere, Ho of its part outside of the solid, Hb of the ball; "
      "Hw is the least H\nat a point of the surface, mean by area; volumes are estimates in the "
      "same frame\n");
  fmt::print("{:>5} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "level",
             "spheres", "H mean", "H max", "Ho mean", "Ho max", "Hb mean", "Hb max", "Hw", "volume",
             "outside");
  int level = 0;
  for (const SphereLevelMeasure& each : levels) {
    fmt::print(
        "{:>5} {:>8} {:>9.6f} {:>9.6f} {:>9.6f} {:>9.6f} {:>9.6f} {:>9.6f} {:>9.6f} {:>9.5f} "
        "{:>9}\n",
        level++, each.spheres, each.surfaceMean, each.surfaceMax, each.outsideMean, each.outsideMax,
        each.ballMean, each.ballMax, each.areaWeighted, each.volume,
        each.outsideVolume ? fmt::format("{:.5f}", *each.outsideVolume) : "no solid");
    if (each.uncovered > 0.0)
      fmt::print("      {:.3f} % of the surface lies in no sphere of this level\n",
                 100.0 * each.uncovered);
  }
}

/// H as estimated in the paper, next to the proven value: one line per level.
void printEstimates(std::span<const SphereLevelMeasure> levels) {
  fmt::print(
      "\nH as the paper estimates it: Hd from the 20 vertices of a dodecahedron, at most H; Hd+ "
      "with its correction\nof 0.6409 r, at least H\n");
  fmt::print("{:>5} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "level", "Hd mean", "H mean",
             "Hd+ mean", "Hd max", "H max", "Hd+ max");
  int level = 0;
  for (const SphereLevelMeasure& each : levels)
    fmt::print("{:>5} {:>9.6f} {:>9.6f} {:>9.6f} {:>9.6f} {:>9.6f} {:>9.6f}\n", level++,
               each.sampledMean, each.surfaceMean, each.correctedMean, each.sampledMax,
               each.surfaceMax, each.correctedMax);
}

/// The inner spheres measured against the mesh: one line per level.
void printInnerMeasures(const InnerSpheres& inner, const Polyhedron& polyhedron) {
  if (inner.empty()) return;
  fmt::print("\ninside the solid: the gap is how far points of the surface are from the spheres\n");
  fmt::print("{:>5} {:>8} {:>10} {:>10} {:>10} {:>10}\n", "level", "spheres", "r mean", "r max",
             "gap mean", "gap max");
  int level = 0;
  for (const InnerLevelReport& each : innerLevelReports(inner, polyhedron))
    fmt::print("{:>5} {:>8} {:>10.6f} {:>10.6f} {:>10.6f} {:>10.6f}\n", level++, each.spheres,
               each.radiusMean, each.radiusMax, each.gapMean, each.gapMax);
}

}  // namespace

int describeTree(const TreeInfoCommand& command) {
  const auto file = readSphereTree(command.file);
  if (!file) return complain(file.error(), BadModelOrScene);
  if (command.model.empty()) {
    printTree(*file);
    return Ok;
  }
  int exitCode = Ok;
  const auto model = loadModelOf(*file, command.file.string(), command.model, exitCode);
  if (!model) return exitCode;
  printTree(*file);
  const auto levels = measureLevels(file->tree, model->polyhedron);
  printMeasures(levels);
  printEstimates(levels);
  printInnerMeasures(file->tree.data().inner, model->polyhedron);
  return Ok;
}

namespace {

/// The coverage that the tree declares, and whether it holds.
std::string coverageVerdict(const SphereTree& tree, const SphereTreeCertificate& certificate) {
  if (tree.coverage() == Coverage::Samples)
    return "promises nothing: spheres hold sample points of the surface, so a search may miss "
           "contacts";
  if (tree.coverage() == Coverage::Paper)
    return certificate.covers
               ? "holds: every level as a whole covers the surface, as in the paper; a search may "
                 "still miss contacts"
               : fmt::format("broken: {} triangles that a level as a whole does not cover",
                             certificate.uncoveredPieces);
  if (!certificate.covers)
    return fmt::format("broken: {} pieces of triangles without a chain",
                       certificate.uncoveredPieces);
  const std::size_t boxes = tree.data().boxes.boxes.size();
  return fmt::format(
      "holds: every point of the surface has a chain of spheres from the root to a leaf{}",
      boxes > 0 ? fmt::format(", with {} boxes", boxes) : "");
}

/// The surface of the model's file, in the frame of the tree.
Result<Polyhedron> unweldedModel(const std::string& model, const TreeModel& built,
                                 const std::atomic<bool>& cancelled) {
  const auto path = engine::findModel(model);
  if (!path) return path.error();
  auto loaded = engine::loadModel(*path, {.targetRadius = 0.0, .weldDistance = 0.0}, cancelled);
  if (!loaded) return loaded.error();
  for (Vec3& position : loaded->mesh.positions)
    position = (position / loaded->scale + loaded->centre - built.centre) * built.scale;
  return makePolyhedron(std::move(loaded->mesh), &cancelled);
}

/// Prints whether the tree covers the unwelded model; returns an exit code.
int checkUnwelded(const TreeCheckCommand& command, const SphereTree& tree, const TreeModel& built) {
  const auto own = runWithProgressLine(
      fmt::format("reading {} again", command.model), [&](BuildProgress& progress) {
        return unweldedModel(command.model, built, progress.cancelled);
      });
  if (!own) return complain(own.error(), BadModelOrScene);
  const auto checked = runWithProgressLine(
      fmt::format("checking {} as {} has it", command.file.string(), command.model),
      [&](BuildProgress& progress) {
        return checkAgainstNearby(tree, *own, built.rounding * built.scale, progress);
      });
  if (!checked) return complain(checked.error(), Environment);
  const SphereTreeCertificate& verdict = *checked;
  const bool holds = verdict.covers && verdict.bounds;
  const std::string slack =
      built.rounding > 0.0
          ? fmt::format(
                ", spheres and bounds larger by {:.2g}, as reading and welding move vertices",
                built.rounding)
          : "";
  fmt::print("file      {}\n",
             holds ? fmt::format("holds: the same for all {} triangles as the file has them{}",
                                 own->mesh().triangles.size(), slack)
                   : fmt::format("broken: {} triangles that a level does not cover, {} stored H "
                                 "that are too small, as the file has them{}",
                                 verdict.uncoveredPieces, verdict.brokenBounds, slack));
  if (holds) return Ok;
  complain(fmt::format("\"{}\": {}", command.file.string(), verdict.complaint));
  return ValidationFailed;
}

}  // namespace

int checkTree(const TreeCheckCommand& command) {
  const auto file = readSphereTree(command.file);
  if (!file) return complain(file.error(), BadModelOrScene);
  int exitCode = Ok;
  const auto model = loadModelOf(*file, command.file.string(), command.model, exitCode);
  if (!model) return exitCode;

  watchForInterrupts();
  const auto checked = runWithProgressLine(
      fmt::format("checking {}", command.file.string()), [&](BuildProgress& progress) {
        return checkSphereTree(file->tree, model->polyhedron, progress);
      });
  if (!checked) return complain(checked.error(), Environment);
  const SphereTreeCertificate& certificate = *checked;
  fmt::print("coverage  {}\n", coverageVerdict(file->tree, certificate));
  fmt::print("bounds    {}\n",
             certificate.bounds
                 ? "hold: no stored H or Ho is below the measured one"
                 : fmt::format("broken: {} stored H are too small", certificate.brokenBounds));
  if (const std::size_t levels = static_cast<std::size_t>(file->tree.data().inner.levelCount()))
    fmt::print("inside    {}\n",
               certificate.brokenInner == 0
                   ? fmt::format("holds: {} levels of spheres lie inside the surface", levels)
                   : fmt::format("broken: {} inner spheres do not lie inside the surface",
                                 certificate.brokenInner));

  if (certificate.bounds && certificate.brokenInner == 0 && certificate.covers)
    return command.unwelded ? checkUnwelded(command, file->tree, *model) : Ok;
  complain(fmt::format("\"{}\": {}", command.file.string(), certificate.complaint));
  return ValidationFailed;
}

}  // namespace nearmiss::app::tree
