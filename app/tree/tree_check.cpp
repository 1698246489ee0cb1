// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nearmiss/sphere_tree_io.h>

#include "complaint.h"
#include "tree/tree_commands.h"
#include "tree/tree_model.h"

namespace nearmiss::app {

int checkTree(const TreeCheckCommand& command) {
  const auto file = readSphereTree(command.file);
  if (!file) return complain(file.error(), BadModelOrScene);
  int exitCode = Ok;
  const auto model = loadModelOf(*file, command.file.string(), command.model, exitCode);
  if (!model) return exitCode;

  const SphereTreeCertificate certificate = checkSphereTree(file->tree, model->polyhedron);
  const std::size_t boxes = file->tree.data().boxes.boxes.size();
  const std::string withBoxes = boxes > 0 ? fmt::format(", with {} boxes", boxes) : "";
  fmt::print("coverage  {}\n",
             certificate.covers
                 ? fmt::format("holds: every point of the surface has a chain of spheres "
                               "from the root to a leaf{}",
                               withBoxes)
                 : fmt::format("broken: {} pieces of triangles without a chain",
                               certificate.uncoveredPieces));
  fmt::print("bounds    {}\n", certificate.bounds ? "hold: no stored H is below the measured one"
                                                  : fmt::format("broken: {} stored H are too small",
                                                                certificate.brokenBounds));
  if (const std::size_t levels = static_cast<std::size_t>(file->tree.data().inner.levelCount()))
    fmt::print("inside    {}\n",
               certificate.brokenInner == 0
                   ? fmt::format("holds: {} levels of spheres lie inside the solid", levels)
                   : fmt::format("broken: {} inner spheres do not lie inside the solid",
                                 certificate.brokenInner));

  // The paper's coverage promises whole levels only, so a missing chain is no fault of it
  const bool mustCover = file->tree.coverage() == Coverage::Guaranteed;
  if (certificate.bounds && certificate.brokenInner == 0 && (certificate.covers || !mustCover))
    return Ok;
  complain(fmt::format("\"{}\": {}", command.file.string(), certificate.complaint));
  return ValidationFailed;
}

}  // namespace nearmiss::app
