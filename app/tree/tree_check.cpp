// SPDX-License-Identifier: MIT
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/files.h>
#include <nearmiss/mesh.h>
#include <nearmiss/tree_quality.h>

#include <string>

#include "console/complaint.h"
#include "tree/tree_commands.h"
#include "tree/tree_model.h"

namespace nearmiss::app {
namespace {

/// Whether the tree's coverage holds.
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

/// The surface as the model's file has it, in the frame of the tree.
Result<Polyhedron> unweldedModel(const std::string& model, const TreeModel& built) {
  const auto path = engine::findModel(model);
  if (!path) return path.error();
  auto loaded = engine::loadModel(*path, {.targetRadius = 0.0, .weldDistance = 0.0});
  if (!loaded) return loaded.error();
  for (Vec3& position : loaded->mesh.positions)
    position = (position / loaded->scale + loaded->centre - built.centre) * built.scale;
  return makePolyhedron(std::move(loaded->mesh));
}

/// Prints whether the tree holds for the model's own vertices; an exit code.
int checkUnwelded(const TreeCheckCommand& command, const SphereTree& tree, const TreeModel& built) {
  const auto own = unweldedModel(command.model, built);
  if (!own) return complain(own.error(), BadModelOrScene);
  const auto verdict = checkAgainstNearby(tree, *own, built.rounding * built.scale);
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

  const SphereTreeCertificate certificate = checkSphereTree(file->tree, model->polyhedron);
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

}  // namespace nearmiss::app
