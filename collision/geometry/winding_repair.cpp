// SPDX-License-Identifier: MIT
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "geometry/mesh_check.h"
#include "geometry/surface_boxes.h"

namespace nearmiss {
namespace {

/// Two triangles with a common edge that no other triangle has.
struct Neighbour {
  std::uint32_t triangle;
  bool against;  ///< both have the same direction along the edge, so one must be turned
};

/// The neighbours of all triangles, up to three each.
class NeighbourTable {
 public:
  NeighbourTable(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges)
      : counts_(mesh.triangles.size(), 0), neighbours_(3 * mesh.triangles.size()) {
    forEachEdge(edges, [this](std::span<const EdgeUse> uses) {
      if (uses.size() != 2 || uses[0].triangle == uses[1].triangle) return;
      const bool against = uses[0].backward == uses[1].backward;
      add(uses[0].triangle, {uses[1].triangle, against});
      add(uses[1].triangle, {uses[0].triangle, against});
    });
  }
  [[nodiscard]] std::span<const Neighbour> of(std::uint32_t triangle) const noexcept {
    return std::span(neighbours_).subspan(3 * std::size_t{triangle}, counts_[triangle]);
  }

 private:
  void add(std::uint32_t triangle, Neighbour neighbour) {
    neighbours_[3 * std::size_t{triangle} + counts_[triangle]++] = neighbour;
  }
  std::vector<std::uint8_t> counts_;
  std::vector<Neighbour> neighbours_;
};

void turn(std::array<std::uint32_t, 3>& triangle) noexcept { std::swap(triangle[1], triangle[2]); }

/// How triangles are oriented about the edges of a surface.
struct EdgeWindings {
  bool closed = true;  ///< every edge has two triangles
  bool alike = true;   ///< no edge with two triangles has the same direction in both
};

EdgeWindings windingsOf(const std::vector<EdgeUse>& edges) {
  EdgeWindings found;
  forEachEdge(edges, [&found](std::span<const EdgeUse> uses) {
    const bool pair = uses.size() == 2 && uses[0].triangle != uses[1].triangle;
    found.closed = found.closed && pair;
    found.alike = found.alike && !(pair && uses[0].backward == uses[1].backward);
  });
  return found;
}

/// Finds, for each patch connected by edges with two triangles, the triangles oriented against its
/// first one. Turns these or the others (the smaller set). One-sided patches, such as Moebius
/// strips, stay as they are. Returns false if there is one.
bool turnTheFewer(TriangleMesh& mesh, const std::vector<EdgeUse>& edges) {
  const NeighbourTable table(mesh, edges);
  bool alike = true;
  enum class Side : std::uint8_t { Unknown, With, Against };
  std::vector<Side> sides;
  sides.resize(mesh.triangles.size(), Side::Unknown);
  std::vector<std::uint32_t> patch;
  for (std::uint32_t first = 0; first < mesh.triangles.size(); ++first) {
    if (sides[first] != Side::Unknown) continue;
    patch.assign(1, first);
    sides[first] = Side::With;
    bool twoSided = true;
    for (std::size_t next = 0; next < patch.size(); ++next)
      for (const Neighbour& neighbour : table.of(patch[next])) {
        const bool with = (sides[patch[next]] == Side::With) != neighbour.against;
        const Side side = with ? Side::With : Side::Against;
        Side& known = sides[neighbour.triangle];
        if (known == Side::Unknown) {
          known = side;
          patch.push_back(neighbour.triangle);
        }
        twoSided = twoSided && known == side;
      }
    const auto against = static_cast<std::size_t>(std::ranges::count_if(
        patch, [&sides](std::uint32_t t) { return sides[t] == Side::Against; }));
    alike = alike && twoSided;
    if (!twoSided || against == 0) continue;
    const Side fewer = 2 * against <= patch.size() ? Side::Against : Side::With;
    for (const std::uint32_t t : patch)
      if (sides[t] == fewer) turn(mesh.triangles[t]);
  }
  return alike;
}

/// Turns a closed surface of negative volume, then patches that face inwards and lie inside no
/// other patch. A patch that faces outwards inside another stays, because it may be a hollow or a
/// part. A patch that shares each vertex with others also stays, because its location is ambiguous.
/// Returns true if any patch of negative volume was turned.
/// @param most maximum number of triangles to examine; patches after that stay
bool turnOutwards(TriangleMesh& mesh, const std::vector<EdgeUse>& edges,
                  const std::atomic<bool>* cancelled, std::size_t most) {
  const SurfacePieces pieces = patchesOf(mesh, edges);
  std::vector<Real> volumes;
  for (const SurfaceComponent& component : pieces.components) volumes.push_back(component.volume);
  const bool wholeFacesInwards = pieces.volume < 0.0;
  if (wholeFacesInwards) {
    for (auto& triangle : mesh.triangles) turn(triangle);
    for (Real& volume : volumes) volume = -volume;
  }
  if (std::ranges::all_of(volumes, [](Real volume) { return volume >= 0.0; }))
    return wholeFacesInwards;

  // The largest first: a patch inside another is tested after the outer one faces outwards
  std::vector<std::uint32_t> order(volumes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&volumes](std::uint32_t p, std::uint32_t q) {
    return std::abs(volumes[p]) > std::abs(volumes[q]);
  });
  std::vector<bool> turned(volumes.size(), false);
  const SurfaceBoxes surface(mesh);
  const PieceWindings windings(mesh, surface.boxes(), pieces);
  std::size_t looked = 0;
  for (const std::uint32_t piece : order) {
    if (looked >= most || wasCancelled(cancelled)) break;
    if (volumes[piece] >= 0.0) continue;
    const auto others = windings.ofOthers(piece, [&](std::uint32_t t) {
      ++looked;
      auto corners = mesh.corners(t);
      if (turned[pieces.ofTriangle[t]]) std::swap(corners[1], corners[2]);
      return corners;
    });
    turned[piece] = others && *others == 0;
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (turned[pieces.ofTriangle[t]]) turn(mesh.triangles[t]);
  return wholeFacesInwards || std::ranges::find(turned, true) != turned.end();
}

}  // namespace

WindingRepair repairedWinding(TriangleMesh& mesh, const std::atomic<bool>* cancelled,
                              std::size_t most, int workers) {
  const auto given = mesh.triangles;
  // Turning triangles only changes the direction of their edges
  const std::vector<EdgeUse> edges = sortedEdges(mesh, workers);
  const EdgeWindings windings = windingsOf(edges);
  WindingRepair repair;
  const bool alike = windings.alike || turnTheFewer(mesh, edges);
  if (windings.closed && alike) repair.facedInwards = turnOutwards(mesh, edges, cancelled, most);
  for (std::size_t t = 0; t < given.size(); ++t) repair.triangles += given[t] != mesh.triangles[t];
  return repair;
}

std::size_t repairWinding(TriangleMesh& mesh) { return repairedWinding(mesh).triangles; }

}  // namespace nearmiss
