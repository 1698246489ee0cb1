// SPDX-License-Identifier: MIT
#include "fly/gfx/hull_marks.h"

#include <engine/scene/resources.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <system_error>

namespace nearmiss::app {
namespace {

constexpr float aspect = 4.0f;  // of a lettering

struct Place {
  std::string_view model;
  Lettering lettering;
};

constexpr glm::vec3 right(1, 0, 0), left(-1, 0, 0), top(0, 1, 0), back(0, 0, 1), front(0, 0, -1);

/// Where the ships have room for letters; metres of the centred models, which reach 1 m.
const std::array places{// The lamp: above on the shade, behind on the base, below the base
                        Place{"lamp", {0, {0.0f, 0.777f, -0.487f}, right, front, 0.34f}},
                        Place{"lamp", {0, {0.0f, -0.672f, 0.463f}, right, front, 0.38f}},
                        Place{"lamp", {0, {0.0f, -0.774f, 0.225f}, right, back, 0.55f}},
                        // The faucet: on the plate and below it
                        Place{"faucet", {1, {0.220f, -0.0093f, 0.175f}, right, front, 0.135f}},
                        Place{"faucet", {1, {-0.207f, -0.0726f, 0.0657f}, right, back, 0.19f}},
                        Place{"faucet", {1, {0.207f, -0.0726f, 0.0657f}, right, back, 0.19f}},
                        // The rocket: along its body, above and below
                        Place{"rocket", {2, {0.0f, 0.138f, 0.123f}, front, left, 0.40f}},
                        Place{"rocket", {2, {0.0f, -0.138f, 0.123f}, front, right, 0.40f}},
                        // The truck: on the tanks, the rear mudguards and the rear beam
                        Place{"truck", {3, {0.332f, -0.2013f, -0.0438f}, front, top, 0.15f}},
                        Place{"truck", {3, {-0.332f, -0.2013f, -0.0438f}, back, top, 0.15f}},
                        Place{"truck", {3, {0.2864f, -0.0983f, 0.5316f}, front, left, 0.28f}},
                        Place{"truck", {3, {-0.2864f, -0.0983f, 0.5316f}, back, right, 0.28f}},
                        Place{"truck", {3, {0.0f, -0.175f, 0.915f}, right, top, 0.22f}}};

using Corner = LetteredPiece::Corner;

/// What of a convex polygon has `of` at least 0.
template <class Of>
void clip(std::vector<Corner>& polygon, Of of) {
  std::vector<Corner> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const float da = of(a), db = of(b);
    if (da >= 0.0f) kept.push_back(a);
    if ((da < 0.0f) == (db < 0.0f)) continue;
    const float share = da / (da - db);
    const auto between = [&](float p, float q) { return p + share * (q - p); };
    Corner c;
    for (std::size_t k = 0; k < 3; ++k) c.weights[k] = between(a.weights[k], b.weights[k]);
    c.across = between(a.across, b.across);
    c.over = between(a.over, b.over);
    kept.push_back(c);
  }
  polygon = std::move(kept);
}

}  // namespace

HullMarks hullMarksOf(const std::filesystem::path& file, bool ownFrame) {
  HullMarks marks;
  const auto root = engine::resourceRoot();
  std::error_code failed;
  if (!root ||
      !std::filesystem::equivalent(file.parent_path(), *root / "assets" / "models", failed))
    return marks;
  marks.panels = true;
  if (ownFrame) return marks;
  for (const Place& place : places)
    if (place.model == file.stem().string()) marks.letterings.push_back(place.lettering);
  return marks;
}

std::vector<LetteredPiece> letteredPieces(const engine::DrawMesh& mesh,
                                          const Lettering& lettering) {
  constexpr float leastFacing = 0.5f;  // cosine
  const glm::vec3 out = glm::cross(lettering.along, lettering.up);
  const float reach = 0.25f * lettering.width;  // to either side of the rectangle's plane
  std::vector<LetteredPiece> pieces;
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    std::array<glm::vec3, 3> from;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* p = mesh.vertices[mesh.indices[t + k]].position;
      from[k] = glm::vec3(p[0], p[1], p[2]) - lettering.middle;
    }
    const glm::vec3 normal = glm::cross(from[1] - from[0], from[2] - from[0]);
    if (!(glm::dot(normal, out) > leastFacing * glm::length(normal))) continue;
    const auto depth = [&](const glm::vec3& p) { return std::abs(glm::dot(p, out)); };
    if (std::ranges::any_of(from, [&](const glm::vec3& p) { return depth(p) > reach; })) continue;

    LetteredPiece piece{t / 3, {}};
    for (std::size_t k = 0; k < 3; ++k) {
      Corner corner;
      corner.weights[k] = 1.0f;
      corner.across = glm::dot(from[k], lettering.along) / lettering.width + 0.5f;
      corner.over = aspect * glm::dot(from[k], lettering.up) / lettering.width + 0.5f;
      piece.corners.push_back(corner);
    }
    clip(piece.corners, [](const Corner& c) { return c.across; });
    clip(piece.corners, [](const Corner& c) { return 1.0f - c.across; });
    clip(piece.corners, [](const Corner& c) { return c.over; });
    clip(piece.corners, [](const Corner& c) { return 1.0f - c.over; });
    if (piece.corners.size() >= 3) pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace nearmiss::app
