// SPDX-License-Identifier: MIT
#include "fly/view/world_marks.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <optional>

#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {
namespace {

/// Spacing of the lattice and how far it reaches around the nearest point, metres.
constexpr double spacing = 2.0, reach = 16.0;

}  // namespace

std::array<Vec3, 2> across(const Vec3& n) noexcept {
  const Vec3 u = glm::normalize(glm::cross(n, std::abs(n.y) < 0.9 ? Vec3(0, 1, 0) : Vec3(1, 0, 0)));
  return {u, glm::cross(n, u)};
}

double wallSight(double radius) noexcept { return std::min(14.0, 0.4 * radius); }

void addWall(std::vector<DrawLine>& lines, const BodyState& own, double radius, bool always) {
  constexpr double fullWarning = 0.5;  // m/s outwards
  const double outward = glm::length(own.pose.position), sight = wallSight(radius);
  if (outward <= 0.0) return;
  const double outwards = glm::dot(own.velocity, own.pose.position) / outward;
  const double warning = always ? 1.0 : std::clamp(outwards / fullWarning, 0.0, 1.0);
  const double near = warning * std::clamp(1.0 - (radius - outward) / sight, 0.0, 1.0);
  if (near <= 0.0) return;
  const Vec3 nearest = (radius / outward) * own.pose.position;
  // The lattice is that of the cube's face below the point, so it stays where it is as the ship
  // moves
  int face = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(nearest[axis]) > std::abs(nearest[face])) face = axis;
  const int u = (face + 1) % 3, v = (face + 2) % 3;
  const double depth = nearest[face], cell = spacing / radius;
  const auto at = [&](double i, double j) {
    Vec3 way(0.0);
    way[face] = depth > 0.0 ? 1.0 : -1.0;
    way[u] = i * cell;
    way[v] = j * cell;
    return radius * glm::normalize(way);
  };
  const double middleU = std::round(nearest[u] / std::abs(depth) / cell);
  const double middleV = std::round(nearest[v] / std::abs(depth) / cell);
  const int cells = static_cast<int>(1.5 * reach / spacing);
  const auto add = [&](const Vec3& from, const Vec3& to) {
    const double away = glm::distance(0.5 * (from + to), nearest) / reach;
    const double light = near * (1.0 - away * away);
    if (light > 0.03)
      lines.push_back({from, to, srgb(palette::swap), static_cast<float>(0.8 * light)});
  };
  for (int i = -cells; i <= cells; ++i)
    for (int j = -cells; j <= cells; ++j) {
      const Vec3 corner = at(middleU + i, middleV + j);
      if (glm::distance(corner, nearest) > reach) continue;
      add(corner, at(middleU + i + 1, middleV + j));
      add(corner, at(middleU + i, middleV + j + 1));
    }
}

void addRing(std::vector<DrawLine>& lines, std::vector<DrawLight>& lights, const engine::Gate& gate,
             bool next) {
  constexpr int corners = 40, lamps = 10;
  constexpr double turn = 2.0 * std::numbers::pi;
  const auto [right, up] = across(gate.axis);
  const auto at = [&](double angle, double radius, double along) {
    return gate.centre + radius * (std::cos(angle) * right + std::sin(angle) * up) +
           along * gate.axis;
  };
  const glm::vec3 colour = srgb(next ? palette::own : palette::dim);
  const float alpha = next ? 1.0f : 0.45f;
  // A band of two circles with struts between
  for (int i = 0; i < corners; ++i) {
    const double from = turn * i / corners, to = turn * (i + 1) / corners;
    for (const double along : {-0.12, 0.12})
      lines.push_back({at(from, gate.radius, along), at(to, gate.radius, along), colour, alpha});
    if (i % 2 == 0)
      lines.push_back({at(from, gate.radius, -0.12), at(from, gate.radius, 0.12), colour, alpha});
  }
  if (!next) return;
  for (int i = 0; i < lamps; ++i)
    lights.push_back({{at(turn * i / lamps, gate.radius, 0.0), 0.45}, 0.5f * colour});
}

void addBeam(std::vector<DrawLine>& lines, std::vector<DrawLight>& lights, const BodyState& ship,
             const BodyState& body, double seconds) {
  constexpr int corners = 24, rays = 6, waves = 4;
  constexpr double turn = 2.0 * std::numbers::pi, spin = 0.8, pace = 0.9;  // rad/s, 1/s
  constexpr double thin = 0.06, wide = 0.85;  // radius at the nose [m]; relative to the body
  const Vec3 nose =
      ship.pose.position + ship.pose.rotation * Vec3(0.0, 0.0, -0.6 * ship.shape.radius());
  const Vec3 way = body.pose.position - nose;
  const double length = glm::length(way);
  if (!(length > 1e-6)) return;
  const auto [right, up] = across(way / length);
  const glm::vec3 colour = srgb(palette::swap);
  const auto at = [&](double share, double angle) {
    const double radius = thin + share * (wide * body.shape.radius() - thin);
    return nose + share * way + radius * (std::cos(angle) * right + std::sin(angle) * up);
  };
  for (int i = 0; i < rays; ++i) {
    const double angle = turn * i / rays + spin * seconds;
    lines.push_back({at(0.0, angle), at(1.0, angle), colour, 0.55f});
  }
  const auto ring = [&](double share, float alpha, float halfWidth) {
    for (int i = 0; i < corners; ++i)
      lines.push_back({at(share, turn * i / corners), at(share, turn * (i + 1) / corners), colour,
                       alpha, halfWidth});
  };
  ring(1.0, 1.0f, 2.2f);
  // They travel towards the ship
  for (int i = 0; i < waves; ++i) {
    const double phase = (i + 1.0) / waves - pace * seconds / waves;
    const double share = phase - std::floor(phase);
    ring(share, 0.8f, 1.3f);
    lights.push_back({{nose + share * way, 0.35}, 0.35f * colour});
  }
  lights.push_back({{nose, 0.5}, 0.6f * colour});
}

}  // namespace nearmiss::app::fly
