// SPDX-License-Identifier: MIT
#include "contact/edge_contact.h"

#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>

namespace nearmiss {

namespace {

/// Minimum cosine of the angle by which a body may lean on another.
constexpr Real leaning = 0.95;

/// A direction that moves a body out, and the maximum distance.
struct WayOut {
  Vec3 normal{0.0};
  Real depth = 0.0;
};

/// The ways out of some points, at most eight. A curved surface has more, but also enough points
/// without corners.
class WaysOut {
 public:
  void add(const ManifoldPoint& point) noexcept {
    if (WayOut* same = find(point.normal)) {
      same->depth = std::max(same->depth, point.depth);
    } else if (count_ < ways_.size()) {
      ways_[count_++] = {point.normal, point.depth};
    }
  }
  [[nodiscard]] WayOut* find(const Vec3& normal) noexcept {
    const auto end = ways_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto found = std::find_if(ways_.begin(), end, [&](const WayOut& way) {
      return glm::dot(way.normal, normal) >= leaning;
    });
    return found == end ? nullptr : &*found;
  }

 private:
  std::array<WayOut, 8> ways_;
  std::size_t count_ = 0;
};

}  // namespace

bool PatchCorners::stand(const std::array<Vec3, 2>& a, const std::array<Vec3, 2>& b,
                         Real turned) noexcept {
  return std::min({glm::dot(a[0], b[0]), glm::dot(a[0], b[1]), glm::dot(a[1], b[0]),
                   glm::dot(a[1], b[1])}) <= -leaning + turned;
}

void PatchCorners::look(const FacedEdge& a, const FacedEdge& b, std::uint64_t id, Real margin,
                        Real limit) {
  const Vec3 alongA = a.along(), alongB = b.along();
  const Vec3 between = b.ends[0] - a.ends[0], across = glm::cross(alongA, alongB);
  const Real parallel = 1e-12 * glm::dot(alongA, alongA) * glm::dot(alongB, alongB);
  for (const Vec3& ofA : a.normals)
    for (const Vec3& ofB : b.normals) {
      if (glm::dot(ofA, ofB) > -leaning) continue;
      // A corner that is hidden along one of the faces may be visible along the other
      for (const Vec3& normal : {glm::normalize(ofB - ofA), ofB, -ofA}) {
        const Real turn = glm::dot(across, normal);
        if (!(turn * turn > parallel)) continue;
        const Real s = glm::dot(glm::cross(between, alongB), normal) / turn;
        const Real t = glm::dot(glm::cross(between, alongA), normal) / turn;
        if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) continue;
        const Vec3 onA = a.ends[0] + s * alongA;
        const Real depth = glm::dot(b.ends[0] + t * alongB - onA, normal);
        // For nearly parallel edges, rounding shifts the crossing along both
        if (depth >= -margin && depth <= limit)
          return corners_.push_back({onA, onA + depth * normal, normal, depth, id});
      }
    }
}

void PatchCorners::addTo(std::vector<ManifoldPoint>& points, Real slack) const {
  if (corners_.empty()) return;
  // The ways that are kept must not depend on the order of the search
  std::ranges::sort(points, {}, &ManifoldPoint::id);
  WaysOut ways;
  for (const ManifoldPoint& point : points) ways.add(point);
  for (const ManifoldPoint& corner : corners_) {
    const WayOut* way = ways.find(corner.normal);
    if (way && corner.depth <= way->depth + slack) points.push_back(corner);
  }
}

}  // namespace nearmiss
