// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nearmiss/sphere_tree_certificate.h>
#include <nearmiss/sphere_tree_io.h>

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

  if (certificate.bounds && certificate.brokenInner == 0 && certificate.covers) return Ok;
  complain(fmt::format("\"{}\": {}", command.file.string(), certificate.complaint));
  return ValidationFailed;
}

}  // namespace nearmiss::app
