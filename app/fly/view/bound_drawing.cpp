// SPDX-License-Identifier: MIT
#include "fly/view/bound_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "fly/overlay/ink.h"
#include "fly/view/world_marks.h"

namespace nearmiss::app::fly {
namespace {

constexpr int dashes = 5;
constexpr int hatches = 9;
constexpr Rgb nowColour = palette::text, expiryColour = palette::swap, cutColour = palette::broad,
              edgeColour = palette::dim, meetingColour = palette::response;

Vec3 corner(const Box& box, unsigned i) {
  return {(i & 1u ? box.high : box.low).x, (i & 2u ? box.high : box.low).y,
          (i & 4u ? box.high : box.low).z};
}

SpaceTimeBound boundOf(const BodyState& body, Real now) noexcept {
  return spaceTimeBound(body, now, body.boundHoldsUntil);
}

/// Clips a convex polygon to dot(n, p) <= limit.
void clipPolygon(const std::vector<Vec3>& polygon, const Vec3& n, Real limit,
                 std::vector<Vec3>& out) {
  out.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const Real da = glm::dot(n, a) - limit, db = glm::dot(n, b) - limit;
    if (da <= 0.0) out.push_back(a);
    if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0))
      out.push_back(a + da / (da - db) * (b - a));
  }
}

std::string wordOf(const BoundDrawing::Word& word) {
  using enum BoundDrawing::Word::Kind;
  switch (word.kind) {
    case Now:
      return "now";
    case Expiry:
      return fmt::format("expires in {:.2f} s", word.seconds);
    case Cut:
      return "cutting plane";
    case Meeting:
      return fmt::format("can meet in {:.2f} s", word.seconds);
  }
  return {};
}

Rgb colourOf(BoundDrawing::Word::Kind kind) {
  constexpr std::array colours{nowColour, expiryColour, cutColour, meetingColour};
  return colours[static_cast<std::size_t>(kind)];
}

}  // namespace

std::optional<Real> secondsToMeeting(const BodyState& a, const BodyState& b, Real now) noexcept {
  const SpaceTimeBound first = boundOf(a, now), second = boundOf(b, now);
  if (faultOf(first) || faultOf(second)) return std::nullopt;
  const auto meeting = earliestMeeting(first, second);
  if (!meeting) return std::nullopt;
  return *meeting - now;
}

Real jointHorizon(const BodyState& a, const BodyState& b, Real now) noexcept {
  return std::max(0.0, std::min(a.boundHoldsUntil, b.boundHoldsUntil) - now);
}

void BoundDrawing::clear() noexcept {
  lines_.clear();
  words_.clear();
}

void BoundDrawing::add(const BodyState& body, Real now) {
  const SpaceTimeBound bound = boundOf(body, now);
  if (faultOf(bound)) return;
  const Box first = crossSection(bound, bound.start), last = crossSection(bound, bound.end);
  addCube(first, nowColour);
  addCube(last, expiryColour);
  for (unsigned i = 0; i < 8; ++i) addDashed(corner(first, i), corner(last, i), edgeColour);
  for (const CuttingPlane& plane : bound.planes) addCut(bound, plane);
  words_.push_back({Word::Kind::Now, corner(first, 2), 0.0});
  words_.push_back({Word::Kind::Expiry, corner(last, 7), bound.end - now});
}

void BoundDrawing::addMeeting(const BodyState& a, const BodyState& b, Real now) {
  const auto seconds = secondsToMeeting(a, b, now);
  if (!seconds || *seconds <= 0.0) return;  // cubes that already meet are drawn anyway
  const Box first = crossSection(boundOf(a, now), now + *seconds);
  const Box second = crossSection(boundOf(b, now), now + *seconds);
  addCube(first, meetingColour);
  addCube(second, meetingColour);
  // Where the cubes touch
  const Vec3 low = glm::max(first.low, second.low), high = glm::min(first.high, second.high);
  words_.push_back({Word::Kind::Meeting, 0.5 * (low + high), *seconds});
}

void BoundDrawing::addCube(const Box& box, Rgb colour) {
  for (unsigned i = 0; i < 8; ++i)
    for (const unsigned axis : {1u, 2u, 4u})
      if ((i & axis) == 0) lines_.push_back({corner(box, i), corner(box, i | axis), srgb(colour)});
}

void BoundDrawing::addDashed(const Vec3& from, const Vec3& to, Rgb colour) {
  for (int i = 0; i < dashes; ++i) {
    const Real at = (i + 0.2) / dashes, end = (i + 0.8) / dashes;
    lines_.push_back({glm::mix(from, to, at), glm::mix(from, to, end), srgb(colour)});
  }
}

void BoundDrawing::addCut(const SpaceTimeBound& bound, const CuttingPlane& plane) {
  // The part of the plane at expiry inside the last cube
  const Real passed = bound.end - bound.start;
  const Box box = crossSection(bound, bound.end);
  const Vec3 centre = bound.position + bound.velocity * passed;
  const Real behind = bound.radius + 0.5 * plane.reverse * passed * passed;
  const Vec3 foot = centre - behind * plane.direction;
  const auto [u, v] = across(plane.direction);
  const Real reach = glm::distance(box.low, box.high);
  polygon_.assign({foot - reach * (u + v), foot + reach * (u - v), foot + reach * (u + v),
                   foot - reach * (u - v)});
  for (int axis = 0; axis < 3; ++axis)
    for (const Real side : {-1.0, 1.0}) {
      Vec3 n(0.0);
      n[axis] = side;
      clipPolygon(polygon_, n, side > 0.0 ? box.high[axis] : -box.low[axis], clipped_);
      polygon_.swap(clipped_);
    }
  if (polygon_.size() < 3) return;

  Vec3 middle(0.0);
  Real low = 1e300, high = -1e300;
  for (std::size_t i = 0; i < polygon_.size(); ++i) {
    lines_.push_back({polygon_[i], polygon_[(i + 1) % polygon_.size()], srgb(cutColour)});
    middle += polygon_[i] / static_cast<Real>(polygon_.size());
    low = std::min(low, glm::dot(u, polygon_[i]));
    high = std::max(high, glm::dot(u, polygon_[i]));
  }
  for (int k = 1; k <= hatches; ++k) {
    const Real at = low + (high - low) * k / (hatches + 1);
    std::array<Vec3, 2> ends;
    std::size_t found = 0;
    for (std::size_t i = 0; i < polygon_.size() && found < 2; ++i) {
      const Vec3 &a = polygon_[i], &b = polygon_[(i + 1) % polygon_.size()];
      const Real da = glm::dot(u, a) - at, db = glm::dot(u, b) - at;
      if ((da < 0.0) != (db < 0.0)) ends[found++] = a + da / (da - db) * (b - a);
    }
    if (found == 2) lines_.push_back({ends[0], ends[1], 0.6f * srgb(cutColour)});
  }
  words_.push_back({Word::Kind::Cut, middle, passed});
}

void BoundDrawing::label(const Ink& ink, const Camera& camera, glm::vec2 window,
                         std::vector<Rect>& taken) const {
  const float em = ink.em(), high = 1.15f * em;
  for (const Word& word : words_) {
    glm::vec2 at;
    if (!project(camera, static_cast<int>(window.x), static_cast<int>(window.y), word.place, at))
      continue;
    const std::string text = wordOf(word);
    const float wide = ink.textWidth(text, ink.small()) + 0.7f * em;
    // At the point itself, otherwise above or below it
    for (const float aside : {0.0f, -1.3f * em, 1.3f * em}) {
      const Rect tag{at.x - 0.5f * wide, at.y + aside - 0.5f * high, wide, high};
      const bool inside =
          tag.x >= 0.0f && tag.y >= 0.0f && tag.right() <= window.x && tag.bottom() <= window.y;
      if (!inside || std::ranges::any_of(taken, [&](const Rect& r) { return meets(tag, r); }))
        continue;
      taken.push_back(tag);
      ink.chip({tag.x, at.y + aside}, text, colourOf(word.kind));
      break;
    }
  }
}

}  // namespace nearmiss::app::fly
