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

/// Two triangles with an edge between them that no other triangle has.
struct Neighbour {
  std::uint32_t triangle;
  bool against;  ///< both run the edge the same way: one of them is to be turned
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

/// How triangles lie about the edges of a surface.
struct EdgeWindings {
  bool closed = true;  ///< every edge has two triangles
  bool alike = true;   ///< none that has two is run the same way by both
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

/// Finds which triangles of each patch, as far as edges with two triangles reach, run against its
/// first one, and turns the fewer. A patch with one side, as a Moebius strip has it, stays. Returns
/// false if there is one.
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

/// Turns a closed surface of negative volume, then patches that face inwards and lie inside of no
/// other. One that faces outwards inside of another stays: it may be a hollow or a part; so does
/// one that shares each vertex with others, since nothing tells where it lies.
/// True if any patch of negative volume was turned.
/// @param most triangles to look at; a patch whose turn comes after them stays
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

  // The largest first: what lies inside of another is tested when that faces outwards
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
  // Turning triangles changes on which side an edge is run, and nothing else about it
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
