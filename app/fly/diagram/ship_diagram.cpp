// SPDX-License-Identifier: MIT
#include "fly/diagram/ship_diagram.h"

#include <engine/base/resources.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "fly/choices/ui_state.h"
#include "fly/diagram/distance_diagram.h"
#include "fly/flight/flight.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {

void addSection(const Polyhedron& polyhedron, const Pose& pose, const CuttingFrame& plane,
                std::vector<PlaneSite>& sites) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const Vec3 normal = glm::cross(plane.u, plane.v);
  // x, y and height of every vertex relative to the plane
  std::vector<Vec3> local;
  local.reserve(mesh.positions.size());
  for (const Vec3& own : mesh.positions) {
    const Vec3 p = transformed(pose, own) - plane.origin;
    local.emplace_back(glm::dot(p, plane.u), glm::dot(p, plane.v), glm::dot(p, normal));
  }
  for (const auto& triangle : mesh.triangles) {
    // Height 0 counts as above, so that the section of a closed surface is closed
    std::array<glm::dvec2, 2> ends;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3 && count < 2; ++i) {
      const Vec3 &p = local[triangle[i]], &q = local[triangle[(i + 1) % 3]];
      if ((p.z >= 0.0) == (q.z >= 0.0)) continue;
      ends[count++] = glm::mix(glm::dvec2(p), glm::dvec2(q), p.z / (p.z - q.z));
    }
    if (count == 2) sites.push_back({ends[0], ends[1]});
  }
}

glm::dvec2 nearestOf(const PlaneSite& site, const glm::dvec2& p) noexcept {
  const glm::dvec2 along = site.b - site.a;
  const double length2 = glm::dot(along, along);
  if (!(length2 > 0.0)) return site.a;
  return site.a + std::clamp(glm::dot(p - site.a, along) / length2, 0.0, 1.0) * along;
}

std::optional<DiagramGap> gapOf(const DiagramPicture& picture, std::span<const PlaneSite> sites,
                                std::uint32_t firstOfB) {
  const int n = picture.pixels;
  double least = std::numeric_limits<double>::infinity();
  int bestX = 0, bestY = 0, otherX = 0, otherY = 0;
  const auto siteAt = [&](int x, int y) { return picture.sites[picture.indexOf(x, y)]; };
  const auto isB = [&](int x, int y) { return siteAt(x, y) >= firstOfB; };
  const auto empty = [&](int x, int y) { return siteAt(x, y) == DiagramPicture::none; };
  // Adjacent pixels that belong to different bodies
  constexpr int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      for (const auto& [dx, dy] : steps) {
        const int u = x + dx, v = y + dy;
        if (u < 0 || u >= n || v >= n || empty(x, y) || empty(u, v) || isB(x, y) == isB(u, v))
          continue;
        const double both = static_cast<double>(picture.distances[picture.indexOf(x, y)]) +
                            static_cast<double>(picture.distances[picture.indexOf(u, v)]);
        if (both >= least) continue;
        least = both;
        bestX = x, bestY = y, otherX = u, otherY = v;
      }
  if (least == std::numeric_limits<double>::infinity()) return std::nullopt;
  if (isB(bestX, bestY)) {
    std::swap(bestX, otherX);
    std::swap(bestY, otherY);
  }

  // Alternate between the nearest points of both bodies, starting at the sites of the pixels
  const PlaneSite &siteA = sites[siteAt(bestX, bestY)], &siteB = sites[siteAt(otherX, otherY)];
  DiagramGap gap;
  gap.a = nearestOf(siteA, picture.middleOf(bestX, bestY));
  gap.b = nearestOf(siteB, picture.middleOf(otherX, otherY));
  for (int i = 0; i < 8; ++i) {
    gap.b = nearestOf(siteB, gap.a);
    gap.a = nearestOf(siteA, gap.b);
  }
  gap.upper = glm::distance(gap.a, gap.b);
  // The true midpoint is on the border. Two adjacent pixels near it belong to different bodies,
  // each at most one and a half diagonals away
  const double diagonal = std::sqrt(2.0) * picture.side / n;
  gap.lower = std::max(0.0, least - 3.0 * diagonal - 2.0 * picture.error);
  gap.lower = std::min(gap.lower, gap.upper);
  return gap;
}

namespace {

constexpr int diagramPixels = 192;
/// Seconds per frame for drawing diagrams: a share of the time between two frames, within limits.
constexpr double diagramShare = 0.1, minDiagramSeconds = 0.002, maxDiagramSeconds = 0.02;
/// Number of lines of equal distance across the square.
constexpr double equalLines = 32.0;

/// The two ships of the diagram.
std::optional<std::pair<std::size_t, std::size_t>> chosenShips(const Flight& flight,
                                                               const UiState& ui) {
  const auto bodies = flight.output().bodies;
  if (bodies.size() < 2) return std::nullopt;
  const auto a = indexOf(flight, ui.view.picked.a), b = indexOf(flight, ui.view.picked.b);
  const std::size_t first = a.value_or(flight.simulation().userIndex());
  if (b && *b != first) return std::pair(first, *b);
  std::size_t nearest = first == 0 ? 1 : 0;
  const auto far = [&](std::size_t i) {
    return glm::distance(bodies[i].pose.position, bodies[first].pose.position);
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (i != first && far(i) < far(nearest)) nearest = i;
  return std::pair(first, nearest);
}

/// A plane through both centres, facing the eye.
CuttingFrame planeThrough(const Vec3& a, const Vec3& b, const Camera& camera) {
  const Vec3 right = camera.pose.rotation * Vec3(1.0, 0.0, 0.0);
  const Vec3 forward = camera.pose.rotation * Vec3(0.0, 0.0, -1.0);
  CuttingFrame plane;
  plane.origin = 0.5 * (a + b);
  plane.u = glm::distance(a, b) > 1e-9 ? glm::normalize(b - a) : right;
  Vec3 normal = forward - glm::dot(forward, plane.u) * plane.u;
  // Along the line of centres any plane through it is equally good
  if (glm::length(normal) < 1e-3) normal = glm::cross(plane.u, right);
  plane.v = glm::normalize(glm::cross(normal, plane.u));
  return plane;
}

void addShip(const Flight& flight, const BodyState& body, const CuttingFrame& plane,
             std::vector<PlaneSite>& sites) {
  for (std::uint32_t i = 0; i < linkCount(body); ++i) {
    const Link link = linkOf(body, i);
    addSection(flight.shapes().polyhedron(link.shape.index()), link.pose, plane, sites);
  }
  if (sites.size() > DistanceDiagram::maxSites) sites.resize(DistanceDiagram::maxSites);
}

}  // namespace

ShipDiagram::ShipDiagram() = default;
ShipDiagram::~ShipDiagram() = default;

std::optional<Error> ShipDiagram::prepare() {
  if (diagram_ || failure_) return failure_;
  auto made =
      DistanceDiagram::create(engine::resourceRoot().value_or(".") / "shaders", diagramPixels);
  if (!made) return failure_ = made.error();
  diagram_ = std::make_unique<DistanceDiagram>(*std::move(made));
  // Drivers compile a shader at its first use
  const PlaneSite site{{-0.1, 0.0}, {0.1, 0.0}};
  (void)diagram_->draw({&site, 1}, glm::dvec2(-1.0), 2.0);
  return std::nullopt;
}

std::optional<Error> ShipDiagram::update(const Flight& flight, const UiState& ui,
                                         const Camera& camera) {
  const auto ships = ui.view.nearestShips ? chosenShips(flight, ui) : std::nullopt;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> between = now - std::exchange(updated_, now);
  if (!ships) {
    draft_.reset();
    plane_.reset();
    gap_.reset();
    return std::nullopt;
  }
  if (auto error = prepare()) return error;
  if (!draft_)
    begin(flight, ships->first, ships->second, camera);
  else if (draft_->drawn < sites_.size())
    goOn(std::clamp(diagramShare * between.count(), minDiagramSeconds, maxDiagramSeconds));
  else
    finish();
  return std::nullopt;
}

void ShipDiagram::begin(const Flight& flight, std::size_t first, std::size_t second,
                        const Camera& camera) {
  const BodyState &a = flight.output().bodies[first], &b = flight.output().bodies[second];
  Draft draft;
  draft.plane = planeThrough(a.pose.position, b.pose.position, camera);
  sites_.clear();
  addShip(flight, a, draft.plane, sites_);
  draft.firstOfB = static_cast<std::uint32_t>(sites_.size());
  addShip(flight, b, draft.plane, sites_);
  draft.half = 0.5 * glm::distance(a.pose.position, b.pose.position) +
               1.1 * std::max(a.shape.radius(), b.shape.radius());
  diagram_->begin(glm::dvec2(-draft.half), 2.0 * draft.half);
  draft_ = draft;
}

/// Draws as many sites as `seconds` allow, based on the cost of the last ones.
void ShipDiagram::goOn(double seconds) {
  const auto began = std::chrono::steady_clock::now();
  const std::size_t count = std::min(batch_, sites_.size() - draft_->drawn);
  diagram_->add(std::span(sites_).subspan(draft_->drawn, count),
                static_cast<std::uint32_t>(draft_->drawn));
  glFinish();
  draft_->drawn += count;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (took.count() > seconds)
    batch_ = std::max<std::size_t>(1, batch_ / 2);
  else if (2.0 * took.count() < seconds && count == batch_)
    batch_ *= 2;
}

void ShipDiagram::finish() {
  const auto [plane, half, firstOfB, drawn] = *draft_;
  draft_.reset();
  const DiagramPicture& picture = diagram_->finish();
  gap_.reset();
  if (const auto found = gapOf(picture, sites_, firstOfB))
    gap_ = Gap{plane.at(found->a), plane.at(found->b), found->lower, found->upper};
  paint(picture, firstOfB);
  plane_ = DrawPlane{{plane.at({-half, -half}), plane.at({half, -half}), plane.at({-half, half}),
                      plane.at({half, half})},
                     colours_,
                     diagramPixels,
                     ++revision_};
}

/// Draws lines of equal distance: solid around the first ship, dotted around the second, and a
/// white border between their regions.
void ShipDiagram::paint(const DiagramPicture& picture, std::uint32_t firstOfSecond) {
  colours_.assign(4 * picture.sites.size(), 0);
  constexpr std::array<std::array<std::uint8_t, 3>, 2> hues{{{230, 159, 0}, {86, 180, 233}}};
  const auto isSecond = [&](std::size_t i) { return picture.sites[i] >= firstOfSecond; };
  const double spacing = picture.side / equalLines;
  for (int y = 0; y < picture.pixels; ++y)
    for (int x = 0; x < picture.pixels; ++x) {
      const std::size_t i = picture.indexOf(x, y);
      if (picture.sites[i] == DiagramPicture::none) continue;
      const bool second = isSecond(i);
      const bool border =
          (x > 0 && isSecond(i - 1) != second) ||
          (y > 0 && isSecond(i - static_cast<std::size_t>(picture.pixels)) != second);
      const double part = std::fmod(picture.distances[i] / spacing, 1.0);
      const bool line = part < 0.22 && (!second || (x / 3 + y / 3) % 2 == 0);
      // Fade to a disc, so that the square's corners are invisible
      const glm::dvec2 out = (picture.middleOf(x, y) - picture.low) / picture.side - 0.5;
      const double fade = std::clamp((0.5 - glm::length(out)) * 12.0, 0.0, 1.0);
      const auto& hue = hues[second ? 1 : 0];
      std::uint8_t* const pixel = &colours_[4 * i];
      for (std::size_t c = 0; c < 3; ++c) pixel[c] = border ? std::uint8_t{255} : hue[c];
      pixel[3] = static_cast<std::uint8_t>(fade * (border ? 230 : line ? 150 : 62));
    }
}

}  // namespace nearmiss::app::fly
