// SPDX-License-Identifier: MIT
#include <nearmiss/mesh.h>

#include <string>
#include <string_view>
#include <vector>

namespace nearmiss {
namespace {

/// "1 edge", "3 edges".
std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  std::string text = std::to_string(n);
  text += ' ';
  text += n == 1 ? one : many;
  return text;
}

}  // namespace

std::vector<std::string> solidFaults(const MeshReport& report) {
  std::vector<std::string> faults;
  if (report.boundaryEdges > 0)
    faults.push_back("not closed (" +
                     counted(report.boundaryEdges, "boundary edge", "boundary edges") + ")");
  if (report.nonManifoldEdges > 0)
    faults.push_back("not a manifold (" + counted(report.nonManifoldEdges, "edge", "edges") +
                     " with more than two triangles)");
  if (report.misorientedEdges > 0)
    faults.push_back("not wound consistently (" +
                     counted(report.misorientedEdges, "edge", "edges") +
                     " run twice the same way)");
  if (report.misorientedComponents > 0)
    faults.push_back(counted(report.misorientedComponents, "closed piece faces the wrong way",
                             "closed pieces face the wrong way"));
  if (report.selfIntersections > 0)
    faults.push_back(std::string("intersects itself (") +
                     (report.selfIntersections == maxSelfIntersections ? "at least " : "") +
                     counted(report.selfIntersections, "pair of triangles", "pairs of triangles") +
                     ")");
  if (faults.empty() && !report.solid()) faults.emplace_back("encloses no volume");
  return faults;
}

std::string describe(const MeshReport& report) {
  std::string sentence;
  for (const std::string& fault : solidFaults(report)) {
    sentence += sentence.empty() ? "not a solid: " : ", ";
    sentence += fault;
  }
  if (sentence.empty()) return sentence;
  sentence += report.hasWindingInside()
                  ? "; winding numbers tell the depth of contacts, for all else only its surface "
                    "collides"
                  : "; only its surface collides, and the depth of contacts may be unknown";
  return sentence;
}

}  // namespace nearmiss
