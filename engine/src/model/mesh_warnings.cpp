// SPDX-License-Identifier: MIT
#include "model/mesh_warnings.h"

#include <fmt/format.h>
#include <nearmiss/mesh.h>

namespace nearmiss::engine {
namespace {

/// "1 edge", "3 edges".
std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

std::vector<std::string> meshWarnings(const MeshCleaning& cleaning, const MeshReport& report,
                                      Real scale) {
  static constexpr std::string_view consequence =
      "inside/outside is undefined; sphere-tree will cover the surface only";
  std::vector<std::string> warnings;
  if (cleaning.degenerateTriangles > 0)
    warnings.push_back(fmt::format("{} without area removed, up to {:.3g} long",
                                   counted(cleaning.degenerateTriangles, "triangle", "triangles"),
                                   cleaning.longestDegenerate / scale));
  if (cleaning.weldedDistance > 0.0)
    warnings.push_back(
        fmt::format("vertices up to {:.1g} apart became one", cleaning.weldedDistance / scale));
  if (cleaning.keptApart > 0)
    warnings.push_back(
        fmt::format("{} nearly the same as others stayed apart, because thin or tiny "
                    "parts hang on them",
                    counted(cleaning.keptApart, "vertex", "vertices")));
  if (cleaning.duplicateTriangles > 0)
    warnings.push_back(
        counted(cleaning.duplicateTriangles, "duplicate triangle", "duplicate triangles") +
        " removed");
  if (report.boundaryEdges > 0)
    warnings.push_back(fmt::format("not closed ({}): {}",
                                   counted(report.boundaryEdges, "boundary edge", "boundary edges"),
                                   consequence));
  if (report.nonManifoldEdges > 0)
    warnings.push_back(fmt::format("not a manifold ({} with more than two triangles): {}",
                                   counted(report.nonManifoldEdges, "edge", "edges"), consequence));
  if (report.misorientedEdges > 0)
    warnings.push_back(fmt::format("not wound consistently ({} run twice the same way): {}",
                                   counted(report.misorientedEdges, "edge", "edges"), consequence));
  if (report.misorientedComponents > 0)
    warnings.push_back(fmt::format(
        "{} face the wrong way: {}",
        counted(report.misorientedComponents, "closed piece", "closed pieces"), consequence));
  if (report.selfIntersections > 0)
    warnings.push_back(fmt::format(
        "intersects itself ({}{}): {}",
        report.selfIntersections == mostSelfIntersections ? "at least " : "",
        counted(report.selfIntersections, "pair of triangles", "pairs of triangles"), consequence));
  return warnings;
}

}  // namespace nearmiss::engine
