// SPDX-License-Identifier: MIT
#include "geometry/vertex_corners.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/equal_items.h"
#include "geometry/exact_predicates.h"
#include "geometry/mesh_check.h"

namespace nearmiss {

VertexCorners::VertexCorners(const TriangleMesh& mesh, int workers)
    : begins_(mesh.positions.size() + 1, 0), corners_(3 * mesh.triangles.size()) {
  // Each thread scans all triangles for vertices of its own range, so nothing is shared
  const auto parts = static_cast<std::size_t>(workersFor(mesh.triangles.size(), workers));
  const std::size_t vertices = mesh.positions.size();
  const auto forOwn = [&](std::size_t part, const auto& visit) {
    const auto low = static_cast<std::uint32_t>(vertices * part / parts);
    const auto length = static_cast<std::uint32_t>(vertices * (part + 1) / parts) - low;
    std::uint32_t corner = 0;
    for (const auto& triangle : mesh.triangles)
      for (const std::uint32_t v : triangle) {
        if (v - low < length) visit(v, corner);
        ++corner;
      }
  };
  parallelFor(parts, static_cast<int>(parts), [&](std::size_t part, int) {
    forOwn(part, [this](std::uint32_t v, std::uint32_t) { ++begins_[v]; });
  });
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : begins_) sum += std::exchange(begin, sum);
  parallelFor(parts, static_cast<int>(parts), [&](std::size_t part, int) {
    forOwn(part,
           [this](std::uint32_t v, std::uint32_t corner) { corners_[begins_[v]++] = corner; });
  });
  // Filling has moved each begin to the begin of the next vertex: shift them back
  std::copy_backward(begins_.begin(), begins_.end() - 1, begins_.end());
  begins_[0] = 0;
}

std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh, const VertexCorners& corners,
                                 int workers) {
  struct Use {
    std::uint32_t high, triangle;
    bool backward;
  };
  const auto collect = [&](std::uint32_t v, std::vector<Use>& uses) {
    uses.clear();
    for (const std::uint32_t corner : corners.of(v)) {
      const std::uint32_t t = corner / 3, i = corner % 3;
      const auto& triangle = mesh.triangles[t];
      const std::uint32_t to = triangle[(i + 1) % 3], from = triangle[(i + 2) % 3];
      if (to >= v) uses.push_back({to, t, false});
      if (from > v) uses.push_back({from, t, true});
    }
    const auto before = [](const Use& p, const Use& q) {
      if (p.high != q.high) return p.high < q.high;
      return p.triangle != q.triangle ? p.triangle < q.triangle : p.backward < q.backward;
    };
    if (uses.size() > 16) {
      std::sort(uses.begin(), uses.end(), before);
      return;
    }
    for (std::size_t i = 1; i < uses.size(); ++i)
      for (std::size_t j = i; j > 0 && before(uses[j], uses[j - 1]); --j)
        std::swap(uses[j], uses[j - 1]);
  };

  // Count the uses of chunks of vertices, so that each chunk knows its position in the result
  std::vector<std::size_t> begins(chunksOf(corners.vertices()) + 1, 0);
  forChunks(corners.vertices(), workers,
            [&](std::size_t begin, std::size_t end, std::size_t chunk) {
              std::size_t count = 0;
              for (std::size_t v = begin; v < end; ++v)
                for (const std::uint32_t corner : corners.of(static_cast<std::uint32_t>(v))) {
                  const auto& triangle = mesh.triangles[corner / 3];
                  count += triangle[(corner + 1) % 3] >= v;
                  count += triangle[(corner + 2) % 3] > v;
                }
              begins[chunk + 1] = count;
            });
  for (std::size_t chunk = 1; chunk < begins.size(); ++chunk) begins[chunk] += begins[chunk - 1];
  std::vector<EdgeUse> edges(begins.back());
  forChunks(corners.vertices(), workers,
            [&](std::size_t begin, std::size_t end, std::size_t chunk) {
              std::vector<Use> uses;
              std::size_t at = begins[chunk];
              for (std::size_t v = begin; v < end; ++v) {
                const auto low = static_cast<std::uint32_t>(v);
                collect(low, uses);
                for (const Use& use : uses)
                  edges[at++] = {low, use.high, use.triangle, use.backward};
              }
            });
  return edges;
}

std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh, int workers) {
  return sortedEdges(mesh, VertexCorners(mesh, workers), workers);
}

namespace {

/// A corner's other two vertices: its triangle turns from `next` to `last` about the vertex.
struct Wedge {
  std::uint32_t next, last;
};

/// Maximum number of corners about a vertex that are compared in pairs.
constexpr std::size_t fewCorners = 32;
using Wedges = std::array<Wedge, fewCorners>;

/// Sorts the corners about `vertex` so that each wedge's last vertex is the next one's first, if
/// they form one closed fan of at most fewCorners corners. Returns their number, otherwise 0.
std::size_t closedFan(const TriangleMesh& mesh, const VertexCorners& corners, std::uint32_t vertex,
                      Wedges& wedges) {
  const auto about = corners.of(vertex);
  if (about.size() < 3 || about.size() > fewCorners) return 0;
  for (std::size_t i = 0; i < about.size(); ++i) {
    const auto& triangle = mesh.triangles[about[i] / 3];
    wedges[i] = {triangle[(about[i] + 1) % 3], triangle[(about[i] + 2) % 3]};
    if (wedges[i].next == vertex || wedges[i].last == vertex) return 0;
  }
  for (std::size_t i = 1; i < about.size(); ++i) {
    std::size_t j = i;
    while (j < about.size() && wedges[j].next != wedges[i - 1].last) ++j;
    if (j == about.size()) return 0;
    std::swap(wedges[i], wedges[j]);
  }
  return wedges[about.size() - 1].last == wedges[0].next ? about.size() : 0;
}

/// Returns the number of fans about a vertex, for any winding of the triangles.
std::size_t fansAbout(const TriangleMesh& mesh, std::span<const std::uint32_t> about,
                      std::uint32_t vertex) {
  // The ends of edges, each with a corner that has it
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (std::uint32_t i = 0; i < about.size(); ++i) {
    // A triangle that uses the vertex twice is counted once, with all of its edges
    if (i > 0 && about[i] / 3 == about[i - 1] / 3) continue;
    const auto& triangle = mesh.triangles[about[i] / 3];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t p = triangle[k], q = triangle[(k + 1) % 3];
      if (p == vertex) ends.emplace_back(q, i);
      if (q == vertex) ends.emplace_back(p, i);
    }
  }
  std::sort(ends.begin(), ends.end());
  DisjointSets sets(about.size());
  for (std::size_t i = 1; i < ends.size(); ++i)
    if (ends[i].first == ends[i - 1].first) sets.join(ends[i].second, ends[i - 1].second);
  std::size_t fans = 0;
  for (std::uint32_t i = 0; i < about.size(); ++i) fans += sets.find(i) == i;
  return fans;
}

}  // namespace

std::vector<std::uint32_t> nonManifoldVertices(const TriangleMesh& mesh,
                                               const VertexCorners& corners, int workers) {
  std::vector<char> several(corners.vertices(), 0);
  forChunks(corners.vertices(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    Wedges wedges;
    for (auto v = static_cast<std::uint32_t>(begin); v < end; ++v)
      several[v] = corners.of(v).size() > 1 && closedFan(mesh, corners, v, wedges) == 0 &&
                   fansAbout(mesh, corners.of(v), v) > 1;
  });
  std::vector<std::uint32_t> found;
  for (std::uint32_t v = 0; v < several.size(); ++v)
    if (several[v] != 0) found.push_back(v);
  return found;
}

namespace {

/// Returns on which side of the plane through the origin, `from` and `axis` the point `to` lies: 1
/// if the rotation from `from` to `to` about the axis is less than half a turn, -1 if more, 0 if
/// rounding may hide it. `from` and `to` are differences that were rounded once.
int turnOf(const Vec3& from, const Vec3& to, const Vec3& axis) noexcept {
  const Real a = from.y * to.z, b = from.z * to.y;
  const Real c = from.z * to.x, d = from.x * to.z;
  const Real e = from.x * to.y, f = from.y * to.x;
  const Real volume = axis.x * (a - b) + axis.y * (c - d) + axis.z * (e - f);
  const Real size = std::fabs(axis.x) * (std::fabs(a) + std::fabs(b)) +
                    std::fabs(axis.y) * (std::fabs(c) + std::fabs(d)) +
                    std::fabs(axis.z) * (std::fabs(e) + std::fabs(f));
  const Real error = TrianglePlane::filterError * size;
  return volume > error ? 1 : volume < -error ? -1 : 0;
}

bool isPlain(const TriangleMesh& mesh, const VertexCorners& corners, std::uint32_t vertex) {
  Wedges wedges;
  const std::size_t count = closedFan(mesh, corners, vertex, wedges);
  if (count == 0) return false;
  // Look along the mean normal
  std::array<Vec3, fewCorners + 1> edges;
  Vec3 axis(0.0);
  for (std::size_t i = 0; i < count; ++i)
    edges[i] = mesh.positions[wedges[i].next] - mesh.positions[vertex];
  edges[count] = edges[0];
  for (std::size_t i = 0; i < count; ++i) axis += glm::cross(edges[i], edges[i + 1]);
  const Real length = glm::length(axis);
  if (!(length > 0.0)) return false;
  axis /= length;
  // All triangles turn the same way, each by less than half a turn. So they go around exactly once
  // iff the first edge lies in no wedge except the two adjacent to it
  for (std::size_t i = 0; i < count; ++i)
    if (turnOf(edges[i], edges[i + 1], axis) <= 0) return false;
  for (std::size_t i = 1; i + 1 < count; ++i)
    if (turnOf(edges[i], edges[0], axis) >= 0 && turnOf(edges[0], edges[i + 1], axis) >= 0)
      return false;
  return true;
}

}  // namespace

void findPlainStars(const TriangleMesh& mesh, const VertexCorners& corners, int workers,
                    std::vector<char>& plain) {
  plain.resize(corners.vertices());
  forChunks(corners.vertices(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (auto v = static_cast<std::uint32_t>(begin); v < end; ++v)
      plain[v] = isPlain(mesh, corners, v);
  });
}

}  // namespace nearmiss
