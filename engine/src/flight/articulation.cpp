// SPDX-License-Identifier: MIT
#include <engine/flight/articulation.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <queue>

namespace nearmiss::engine {
namespace {

constexpr Real maxPivot = 1e9, minPeriod = 1e-9, maxPeriod = 1e9;

/// Fraction of the path covered after fraction `s` of the time. The speed is 0 at both ends and at
/// most 1.5 times the mean.
[[maybe_unused]] constexpr Real steepest = 1.5;
Real eased(Real s) noexcept { return s * s * (3.0 - 2.0 * s); }

std::string faultOf(std::span<const JointedLink> links, std::size_t i) {
  const JointedLink& link = links[i];
  const Joint& joint = link.joint;
  if (!(link.shape.radius() >= 0.0) || !std::isfinite(link.shape.radius()))
    return "its shape has no radius";
  if (i == 0) return {};
  if (link.parent == i) return "it is its own parent";
  if (link.parent > i) return "it precedes its parent, or the two are each other's parent";
  if (!isWithin(joint.pivot, maxPivot))
    return fmt::format("its pivot must be within {} m", maxPivot);
  const Real length = glm::length(joint.axis);
  if (!(length > 0.0) || !std::isfinite(length)) return "its axis has length 0";
  constexpr Real most = std::numbers::pi;
  if (!(joint.low >= -most && joint.high <= most && joint.low <= joint.high))
    return "its range must go from a lower angle to a higher one, between -180 and 180 degrees";
  if (!(joint.period >= minPeriod && joint.period <= maxPeriod))
    return fmt::format("its period must be from {} to {} s", minPeriod, maxPeriod);
  return {};
}

/// Rounded to 24 bits, to which all maths libraries agree.
Real quarterTangent(Real angle) noexcept { return static_cast<float>(std::tan(0.25 * angle)); }

}  // namespace

std::optional<Error> Articulation::faultIn(std::span<const JointedLink> links) {
  const auto refused = [](const std::string& what) { return Error{ErrorCode::Unsupported, what}; };
  if (links.empty()) return refused("an articulated ship needs at least one link");
  if (links.size() > maxLinks)
    return refused(fmt::format("{} links are too many: at most {}", links.size(), maxLinks));
  for (std::size_t i = 0; i < links.size(); ++i)
    if (const std::string fault = faultOf(links, i); !fault.empty())
      return refused(fmt::format("link \"{}\": {}", links[i].name, fault));
  return std::nullopt;
}

Result<Articulation> Articulation::make(std::vector<JointedLink> links) {
  if (auto fault = faultIn(links)) return *std::move(fault);
  Articulation made;
  made.links_ = std::move(links);
  for (JointedLink& link : made.links_) {
    link.joint.axis = glm::normalize(link.joint.axis);
    made.quarters_.emplace_back(quarterTangent(link.joint.low), quarterTangent(link.joint.high));
  }
  made.quarters_[0] = {0.0, 0.0};
  for (std::size_t i = 0; i < made.links_.size(); ++i)
    made.reach_ = std::max(made.reach_, made.reachOf(i));
  return made;
}

Pose Articulation::poseOf(std::size_t i, Real share) const noexcept {
  if (i == 0) return {};
  const Joint& joint = links_[i].joint;
  // A quarter of the angle, doubled twice, because trigonometric functions differ between platforms
  const auto [low, high] = quarters_[i];
  const Quat half = glm::normalize(Quat(1.0, (low + (high - low) * share) * joint.axis));
  return {joint.pivot, glm::normalize(half * half)};
}

void Articulation::pose(Real time, Real phase, std::span<Link> out) const noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    // Gives the joints of one ship different phases
    const Real turns = time / links_[i].joint.period + phase + 0.37 * static_cast<Real>(i);
    const Real along = 2.0 * (turns - std::floor(turns));
    const Pose own = poseOf(i, eased(along < 1.0 ? along : 2.0 - along));
    out[i] = {links_[i].shape, i == 0 ? own : composed(out[links_[i].parent].pose, own)};
  }
}

/// Branch and bound over the joints of the chain. Within a box of joint positions the link's origin
/// stays close to its position at the centre of the box: each joint contributes at most its
/// rotation times the length of the chain beyond it.
Real Articulation::reachOf(std::size_t link) const {
  std::vector<std::size_t> chain;  // from the link to the first link
  for (std::size_t i = link; i != 0; i = links_[i].parent) chain.push_back(i);
  const std::size_t joints = chain.size();
  std::vector<Real> beyond(joints, 0.0);
  for (std::size_t k = 1; k < joints; ++k)
    beyond[k] = beyond[k - 1] + glm::length(links_[chain[k - 1]].joint.pivot);

  struct Cell {
    std::vector<Real> middle, half;  // relative to the ranges, by joint of the chain
    Real bound = 0.0;
  };
  Real found = 0.0;
  const auto bounded = [&](Cell cell) {
    Vec3 origin(0.0);
    Real stray = 0.0;
    for (std::size_t k = 0; k < joints; ++k) {
      origin = transformed(poseOf(chain[k], cell.middle[k]), origin);
      const auto [low, high] = quarters_[chain[k]];
      stray += beyond[k] * 4.0 * (high - low) * cell.half[k];
    }
    const Real distance = glm::length(origin);
    found = std::max(found, distance);
    cell.bound = distance + stray;
    return cell;
  };
  const auto lower = [](const Cell& p, const Cell& q) { return p.bound < q.bound; };
  std::priority_queue<Cell, std::vector<Cell>, decltype(lower)> cells(lower);
  cells.push(bounded({std::vector<Real>(joints, 0.5), std::vector<Real>(joints, 0.5), 0.0}));
  // With many joints each gets fewer splits, because a small file could otherwise take minutes
  constexpr std::size_t maxSplits = 20'000, maxTurns = 500'000;
  const std::size_t splits =
      std::min(maxSplits, maxTurns / (2 * links_.size() * std::max<std::size_t>(1, joints)));
  constexpr Real enough = 0.005;  // relative to the reach
  for (std::size_t split = 0; split < splits; ++split) {
    Cell cell = cells.top();
    if (cell.bound - found <= enough * (found + links_[link].shape.radius())) break;
    cells.pop();
    // Split the joint that loosens the bound most
    std::size_t widest = 0;
    Real most = -1.0;
    for (std::size_t k = 0; k < joints; ++k) {
      const auto [low, high] = quarters_[chain[k]];
      const Real stray = beyond[k] * (high - low) * cell.half[k];
      if (stray > most) {
        most = stray;
        widest = k;
      }
    }
    cell.half[widest] *= 0.5;
    for (const Real side : {-1.0, 1.0}) {
      Cell part = cell;
      part.middle[widest] += side * cell.half[widest];
      cells.push(bounded(std::move(part)));
    }
  }
  constexpr Real rounding = 1.0 + 1e-9;
  return rounding * (cells.top().bound + links_[link].shape.radius());
}

/// The phase of the joints depends on the key, so that each ship moves differently.
void placeLinksAt(const Articulation& articulation, std::uint32_t key, Real time,
                  std::span<Link> out) noexcept {
  constexpr Real golden = 0.6180339887498949;
  const Real phase = golden * key;
  articulation.pose(time, phase - std::floor(phase), out);
}

Vec3 jointVelocity(const Articulation& articulation, const BodyState& body, Real time,
                   std::uint32_t link, const Vec3& point) noexcept {
  // Short enough that the motion is almost linear, long enough for few rounding errors
  constexpr Real instant = 0x1p-18;
  std::array<Link, Articulation::maxLinks> later;
  placeLinksAt(articulation, body.key, time + instant, std::span(later).first(body.links.size()));
  const Pose& pose = body.pose;
  const Vec3 own = glm::conjugate(pose.rotation) * (point - pose.position);
  const Pose& now = body.links[link].pose;
  const Vec3 ofLink = glm::conjugate(now.rotation) * (own - now.position);
  return pose.rotation * ((transformed(later[link].pose, ofLink) - own) / instant);
}

}  // namespace nearmiss::engine
