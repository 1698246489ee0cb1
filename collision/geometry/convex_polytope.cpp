// SPDX-License-Identifier: MIT
#include "geometry/convex_polytope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <utility>

namespace nearmiss {
namespace {

/// For at most this many vertices, a linear search is as fast as a table lookup.
constexpr std::size_t fewVertices = 16;

/// Maximum distance of a corner from the plane of its face, relative to the size of the polytope.
constexpr Real inPlane = 1e-12;
constexpr std::uint32_t noFace = 0xffffffff;

/// The triangle to the left of the edge from one vertex to another, as seen from outside.
using EdgeMap = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

Real product(const Vec3& a, const Vec3& b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }
/// An upper bound on the rounding of a product; 0 for two different coordinate axes.
Real roundingOf(const Vec3& a, const Vec3& b) noexcept {
  return 1e-15 * product(glm::abs(a), glm::abs(b));
}

/// Returns the outward normal of a face from the sum over its border, which is more stable than
/// from one corner.
Vec3 loopNormal(std::span<const Vec3> vertices, std::span<const ConvexPolytope::Step> loop) {
  Vec3 sum(0.0);
  const Vec3& origin = vertices[loop[0].vertex];
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    sum += glm::cross(vertices[loop[i].vertex] - origin, vertices[loop[i + 1].vertex] - origin);
  return glm::normalize(sum);
}

/// Returns the face of each triangle of a hull. Starts with the largest triangles; each absorbs the
/// neighbours that lie in its plane.
std::vector<std::uint32_t> facesOf(const ConvexHull& hull, const EdgeMap& leftOf) {
  const auto& triangles = hull.triangles;
  Box box;
  for (const Vec3& v : hull.vertices) box.include(v);
  const Real tolerance = inPlane * glm::length(box.extent());
  std::vector<Vec3> normals;
  for (const auto& t : triangles)
    normals.push_back(glm::cross(hull.vertices[t[1]] - hull.vertices[t[0]],
                                 hull.vertices[t[2]] - hull.vertices[t[0]]));
  std::vector<std::uint32_t> order(triangles.size()), faceOf(triangles.size(), noFace);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater<>{},
                           [&](std::uint32_t t) { return glm::length(normals[t]); });
  std::uint32_t faces = 0;
  std::vector<std::uint32_t> waiting;
  for (const std::uint32_t seed : order) {
    if (faceOf[seed] != noFace) continue;
    const Vec3 normal = glm::normalize(normals[seed]);
    const Vec3& origin = hull.vertices[triangles[seed][0]];
    faceOf[seed] = faces;
    waiting.assign(1, seed);
    while (!waiting.empty()) {
      const auto t = triangles[waiting.back()];
      waiting.pop_back();
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t next = leftOf.at({t[(i + 1) % 3], t[i]});
        if (faceOf[next] != noFace || std::ranges::any_of(triangles[next], [&](std::uint32_t v) {
              return std::abs(glm::dot(normal, hull.vertices[v] - origin)) > tolerance;
            }))
          continue;
        faceOf[next] = faces;
        waiting.push_back(next);
      }
    }
    ++faces;
  }
  return faceOf;
}

}  // namespace

ConvexPolytope::ConvexPolytope(ConvexHull hull) {
  if (!hull.flat()) makeFaces(hull);
  vertices_ = std::move(hull.vertices);
  for (Face& face : faces_)
    face.normal = loopNormal(vertices_, std::span(loops_).subspan(face.first, face.count));
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (std::uint32_t e = 0; e < edges_.size(); ++e)
    for (const std::uint32_t v : edges_[e].vertices) pairs.push_back({v, e});
  edgesAt_ = grouped(vertices_.size(), pairs);
  pairs.clear();
  for (const auto& t : hull.triangles)
    for (std::size_t i = 0; i < 3; ++i) pairs.push_back({t[i], t[(i + 1) % 3]});
  neighbours_ = grouped(vertices_.size(), pairs);
  for (const Vec3& v : vertices_) middle_ += v / static_cast<Real>(vertices_.size());
  makeTable();
}

ConvexPolytope::PerVertex ConvexPolytope::grouped(
    std::size_t vertices, std::span<const std::array<std::uint32_t, 2>> vertexAndValue) {
  PerVertex made;
  made.begin.assign(vertices + 1, 0);
  for (const auto& [vertex, value] : vertexAndValue) ++made.begin[vertex + 1];
  std::partial_sum(made.begin.begin(), made.begin.end(), made.begin.begin());
  made.values.resize(vertexAndValue.size());
  std::vector<std::uint32_t> next(made.begin.begin(), made.begin.end() - 1);
  for (const auto& [vertex, value] : vertexAndValue) made.values[next[vertex]++] = value;
  return made;
}

/// Makes the edges between faces, and the borders of the faces.
void ConvexPolytope::makeFaces(const ConvexHull& hull) {
  EdgeMap leftOf;
  for (std::uint32_t t = 0; t < hull.triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i)
      leftOf[{hull.triangles[t][i], hull.triangles[t][(i + 1) % 3]}] = t;
  const std::vector<std::uint32_t> faceOf = facesOf(hull, leftOf);
  faces_.resize(1 + *std::ranges::max_element(faceOf));
  std::vector<Step> steps;
  std::vector<std::uint32_t> faceOfStep;
  for (const auto& [ends, t] : leftOf) {
    const auto& [p, q] = ends;
    const std::uint32_t left = faceOf[t], right = faceOf[leftOf.at({q, p})];
    if (left == right || p > q) continue;
    const auto own = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back({{p, q}, {left, right}});
    steps.insert(steps.end(), {{p, own}, {q, own}});
    faceOfStep.insert(faceOfStep.end(), {left, right});
  }
  if (makeLoops(steps, faceOfStep)) return;
  faces_.clear();
  edges_.clear();
  loops_.clear();
}

/// Links the steps around each face into one loop, starting at one of its vertices. Returns false
/// if the steps of a face are not one loop, because the polytope is too thin for faces.
bool ConvexPolytope::makeLoops(std::span<const Step> steps,
                               std::span<const std::uint32_t> faceOfStep) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Step> stepFrom;  // face, vertex
  for (std::size_t i = 0; i < steps.size(); ++i)
    stepFrom[{faceOfStep[i], steps[i].vertex}] = steps[i];
  for (std::uint32_t f = 0; f < faces_.size(); ++f) {
    faces_[f].first = static_cast<std::uint32_t>(loops_.size());
    const auto begin = stepFrom.lower_bound({f, 0});
    if (begin == stepFrom.end() || begin->first.first != f) return false;
    Step step = begin->second;
    do {
      loops_.push_back(step);
      const Edge& edge = edges_[step.edge];
      const std::uint32_t next = edge.vertices[edge.vertices[0] == step.vertex ? 1 : 0];
      const auto found = stepFrom.find({f, next});
      if (found == stepFrom.end() || loops_.size() > steps.size()) return false;
      step = found->second;
    } while (step.vertex != begin->second.vertex);
    faces_[f].count = static_cast<std::uint32_t>(loops_.size()) - faces_[f].first;
    if (faces_[f].count < 3) return false;
  }
  return loops_.size() == steps.size() && faces_.size() >= 4;
}

void ConvexPolytope::makeTable() {
  if (vertices_.size() < fewVertices) return;
  std::vector<std::uint32_t> made;
  std::uint32_t last = 0;
  forEachCubeCell(tableSide, [&](const Vec3& middle) {
    last = farthest(middle, last);
    made.push_back(last);
  });
  table_ = std::move(made);
}

std::uint32_t ConvexPolytope::fromTable(const Vec3& direction) const noexcept {
  if (table_.empty()) return 0;
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(direction[k]) > std::abs(direction[axis])) axis = k;
  const Real largest = std::abs(direction[axis]);
  if (!(largest > 0.0)) return table_[0];
  const auto cell = [&](Real along) {
    return std::clamp(static_cast<int>((along / largest + 1.0) * 0.5 * tableSide), 0,
                      tableSide - 1);
  };
  const int side = direction[axis] > 0.0 ? axis : axis + 3;
  return table_[static_cast<std::size_t>((side * tableSide + cell(direction[(axis + 1) % 3])) *
                                             tableSide +
                                         cell(direction[(axis + 2) % 3]))];
}

std::uint32_t ConvexPolytope::farthest(const Vec3& direction, std::uint32_t start) const noexcept {
  if (flat() || vertices_.size() < fewVertices) return farthestOfAll(direction);
  std::uint32_t at = start == noVertex ? fromTable(direction) : start;
  // If vertices are an ulp apart, their dot products are equal, but the dot products of the steps
  // between them are not. Rounding may lead such steps in a circle, or hide the only step that
  // rises
  for (std::size_t steps = 0; steps < vertices_.size(); ++steps) {
    std::uint32_t best = at;
    Real most = 0.0;
    bool unsure = false;
    for (const std::uint32_t next : neighbours_.of(at)) {
      const Vec3 step = vertices_[next] - vertices_[at];
      const Real rise = product(direction, step);
      unsure = unsure || std::abs(rise) < roundingOf(direction, step);
      if (rise > most) {
        most = rise;
        best = next;
      }
    }
    if (best == at) return unsure ? clearlyFarther(direction, at) : at;
    at = best;
  }
  return farthestOfAll(direction);
}

std::uint32_t ConvexPolytope::clearlyFarther(const Vec3& direction,
                                             std::uint32_t than) const noexcept {
  const std::uint32_t best = farthestOfAll(direction);
  const Vec3& from = vertices_[than];
  const Vec3& to = vertices_[best];
  const Real rounding = roundingOf(direction, glm::abs(from) + glm::abs(to));
  return product(direction, to - from) > rounding ? best : than;
}

std::uint32_t ConvexPolytope::farthestOfAll(const Vec3& direction) const noexcept {
  std::uint32_t best = 0;
  Real most = product(direction, vertices_[0]);
  for (std::uint32_t v = 1; v < vertices_.size(); ++v)
    if (const Real along = product(direction, vertices_[v]); along > most) {
      most = along;
      best = v;
    }
  return best;
}

}  // namespace nearmiss
