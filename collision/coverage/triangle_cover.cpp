// SPDX-License-Identifier: MIT
#include "coverage/triangle_cover.h"

#include "coverage/coverage_lemma.h"
#include "sampling/triangle_halves.h"

#include <algorithm>
#include <vector>

namespace nearmiss {
namespace {

/// Of the radius: corners must lie this far inside, so that rounding cannot make a gap look closed.
constexpr Real strictness = 1e-12;
/// Of one triangle, where the lemma leaves a doubt.
constexpr int mostSplits = 4000;

bool inOne(const Triangle& triangle, std::span<const Sphere> spheres) noexcept {
  return std::any_of(spheres.begin(), spheres.end(), [&triangle](const Sphere& s) {
    return std::all_of(triangle.begin(), triangle.end(), [&s](const Vec3& corner) {
      return glm::distance(corner, s.centre) <= s.radius * (1.0 - strictness);
    });
  });
}

/// Whether every piece of the triangle lies wholly in one sphere, after some splitting. Decides
/// about slivers, in whose planes the lemma is too imprecise.
bool coveredInPieces(const Triangle& triangle, std::span<const Sphere> spheres) {
  std::vector<Triangle> open{triangle};
  for (int splits = 0; !open.empty();) {
    const Triangle piece = open.back();
    open.pop_back();
    if (inOne(piece, spheres)) continue;
    if (++splits > mostSplits) return false;
    for (const Triangle& half : halves(piece)) open.push_back(half);
  }
  return true;
}

}  // namespace

std::optional<Vec3> openPoint(const Triangle& triangle, std::span<const Sphere> spheres) {
  if (inOne(triangle, spheres)) return {};
  const auto open = uncoveredPoint(triangle, spheres);
  if (open && coveredInPieces(triangle, spheres)) return {};
  return open;
}

}  // namespace nearmiss
