// SPDX-License-Identifier: MIT
#include "fly/modes/bench/bench_scene.h"

#include <fmt/format.h>
#include <nearmiss/ray.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <numbers>

#include "fly/overlay/ink.h"
#include "fly/view/contact_drawing.h"

namespace nearmiss::app::fly {
namespace {

constexpr double eyeRate = 5.0;      // 1/s: approach of the eye to its place
constexpr double fieldOfView = 0.6;  // radians: little distortion
// Fractions of the picture that the bodies fill; the scale is below them
constexpr double fillAcross = 0.88, fillUp = 0.74;
constexpr int directions = 96;           // in which a body is measured
constexpr int gridLines = 14;            // from the middle to each side
constexpr double gridCell = 0.055;       // relative to the eye's distance
constexpr Real contactArrow = 0.35;      // relative to the smaller radius
constexpr Real contactLight = 0.10;      // likewise
constexpr Real shadowRing = 0.3;         // relative to the body's radius
constexpr std::size_t maxContacts = 12;  // drawn

Rgb colourOf(std::size_t body) noexcept { return body == 0 ? palette::own : palette::swap; }

/// The directions of a Fibonacci sphere.
Vec3 directionAt(int i) {
  const double z = 1.0 - (2.0 * i + 1.0) / directions, turn = 2.399963229728653 * i;
  const double across = std::sqrt(1.0 - z * z);
  return {across * std::cos(turn), across * std::sin(turn), z};
}

Vec3 middleOf(const ManifoldPoint& point) noexcept { return 0.5 * (point.onA + point.onB); }

}  // namespace

Real roundLength(Real length) noexcept {
  const Real decade = std::pow(10.0, std::floor(std::log10(length)));
  for (const Real times : {10.0, 5.0, 2.0})
    if (times * decade <= length * (1.0 + 1e-9)) return times * decade;
  return decade;
}

void BenchScene::setBodies(const Bench& bench) {
  placed_ = false;
  for (std::uint32_t body = 0; body < 2; ++body) {
    const engine::DrawMesh& mesh = bench.shapes()->drawMesh(body);
    extremes_[body].assign(directions, bench.around(body).centre);
    std::vector<Real> farthest(directions, -std::numeric_limits<Real>::infinity());
    std::vector<Vec3> ways;
    for (int i = 0; i < directions; ++i) ways.push_back(directionAt(i));
    for (const engine::DrawVertex& vertex : mesh.vertices) {
      const Vec3 place(vertex.position[0], vertex.position[1], vertex.position[2]);
      for (std::size_t i = 0; i < ways.size(); ++i) {
        const Real along = glm::dot(ways[i], place);
        if (along <= farthest[i]) continue;
        farthest[i] = along;
        extremes_[body][i] = place;
      }
    }
  }
}

BenchScene::Fit BenchScene::fit(const Quat& eye, const Poses& poses) const {
  const Real up = fillUp * std::tan(0.5 * fieldOfView);
  const Real across = fillAcross / fillUp * up * part_.width / part_.height;
  const Quat toEye = glm::conjugate(eye);
  constexpr Real far = std::numeric_limits<Real>::infinity();
  Vec3 low(far), high(-far);
  Fit fit;
  fit.ground = far;
  for (std::size_t body = 0; body < 2; ++body)
    for (const Vec3& extreme : extremes_[body]) {
      const Vec3 place = transformed(poses[body], extreme);
      fit.ground = std::min(fit.ground, place.y);
      low = glm::min(low, toEye * place);
      high = glm::max(high, toEye * place);
    }
  const Vec3 middle = 0.5 * (low + high);
  fit.centre = eye * middle;
  fit.distance = 0.0;
  for (std::size_t body = 0; body < 2; ++body)
    for (const Vec3& extreme : extremes_[body]) {
      const Vec3 seen = toEye * transformed(poses[body], extreme) - middle;
      fit.distance = std::max(fit.distance,
                              seen.z + std::max(std::abs(seen.x) / across, std::abs(seen.y) / up));
    }
  return fit;
}

void BenchScene::look(CameraRig& rig, const Poses& poses, const Rect& part, bool moves,
                      double seconds) {
  const bool resized = part.width != part_.width || part.height != part_.height;
  part_ = part;
  const Pose orbit = rig.update({}, 1.0, 0.0).pose;
  const Fit wanted = fit(orbit.rotation, poses);
  const bool atOnce = !placed_ || resized || std::isinf(seconds);
  if (atOnce) {
    fit_ = wanted;
  } else if (!moves) {
    const Real share = 1.0 - std::exp(-eyeRate * seconds);
    fit_.centre = glm::mix(fit_.centre, wanted.centre, share);
    fit_.distance = glm::mix(fit_.distance, wanted.distance, share);
    fit_.ground = glm::mix(fit_.ground, wanted.ground, share);
  }
  placed_ = true;
  const Real distance = fit_.distance * glm::length(orbit.position) / wholeView;
  camera_.fieldOfView = fieldOfView;
  camera_.pose.rotation = orbit.rotation;
  camera_.pose.position = fit_.centre + orbit.rotation * Vec3(0.0, 0.0, distance);
  camera_.nearPlane = 0.01 * distance;
  camera_.farPlane = 50.0 * (distance + fit_.distance);
}

Real BenchScene::perPixel(Real depth) const noexcept {
  return 2.0 * std::tan(0.5 * camera_.fieldOfView) * std::max(depth, 0.0) /
         std::max(1.0f, part_.height);
}

Vec3 BenchScene::backInside(std::size_t body, const Pose& pose) const {
  if (!placed_) return Vec3(0.0);
  const Quat& eye = camera_.pose.rotation;
  const Quat toEye = glm::conjugate(eye);
  const Real up = std::tan(0.5 * camera_.fieldOfView), across = up * part_.width / part_.height;
  // How far the body is outside on either side of an axis, and in front of the nearest distance
  Real left = 0.0, right = 0.0, below = 0.0, above = 0.0, near = 0.0, far = 0.0;
  for (const Vec3& extreme : extremes_[body]) {
    const Vec3 seen = toEye * (transformed(pose, extreme) - camera_.pose.position);
    const Real depth = std::max(-seen.z, camera_.nearPlane);
    left = std::max(left, -seen.x - across * depth);
    right = std::max(right, seen.x - across * depth);
    below = std::max(below, -seen.y - up * depth);
    above = std::max(above, seen.y - up * depth);
    near = std::max(near, seen.z + 0.2 * fit_.distance);
    far = std::max(far, -seen.z - 4.0 * fit_.distance);
  }
  return eye * Vec3(left - right, below - above, far - near);
}

std::optional<std::size_t> BenchScene::bodyAt(const Bench& bench, const Poses& poses,
                                              const glm::vec2& at) const {
  const auto width = static_cast<int>(part_.width), height = static_cast<int>(part_.height);
  Real nearest = std::numeric_limits<Real>::infinity();
  std::optional<std::size_t> found;
  for (std::uint32_t body = 0; body < 2; ++body) {
    const Sphere around = bench.around(body, poses[body]);
    const Real depth =
        -(glm::conjugate(camera_.pose.rotation) * (around.centre - camera_.pose.position)).z;
    if (depth <= 0.0) continue;
    Ray ray;
    ray.origin = camera_.pose.position;
    ray.direction = unproject(camera_, width, height, at - glm::vec2(part_.x, part_.y), depth) -
                    camera_.pose.position;
    // Thin parts are easier to hit with a ball of a few pixels
    ray.radius = 6.0 * perPixel(depth);
    if (!check(ray)) continue;
    const RayHit hit = raycast(bench.shapes()->collision()[body], poses[body], ray);
    if (!hit.hit() || hit.t >= nearest) continue;
    nearest = hit.t;
    found = body;
  }
  return found;
}

/// Squares of a round length on the ground, fading towards the horizon.
void BenchScene::addGrid() {
  if (!(fit_.distance > 0.0) || !std::isfinite(fit_.distance)) return;
  const Real cell = roundLength(gridCell * fit_.distance), reach = cell * gridLines;
  const Vec3 middle(cell * std::round(fit_.centre.x / cell), fit_.ground,
                    cell * std::round(fit_.centre.z / cell));
  constexpr int pieces = 14;
  const auto fade = [&](const Vec3& from, const Vec3& to, bool tenth) {
    const Real away = glm::length(0.5 * (from + to) - middle) / reach;
    if (away >= 1.0) return;
    const auto share = static_cast<float>((tenth ? 1.0 : 0.55) * (1.0 - away * away));
    lines_.push_back({from, to, glm::mix(srgb(palette::plot), srgb(palette::slack), share)});
  };
  for (int i = -gridLines; i <= gridLines; ++i)
    for (int piece = 0; piece < pieces; ++piece) {
      const Real from = reach * (2.0 * piece / pieces - 1.0), to = from + 2.0 * reach / pieces;
      const Real at = cell * i;
      const auto tenth = [&](Real coordinate) {
        return std::llround((coordinate + at) / cell) % 10 == 0;
      };
      fade(middle + Vec3(at, 0.0, from), middle + Vec3(at, 0.0, to), tenth(middle.x));
      fade(middle + Vec3(from, 0.0, at), middle + Vec3(to, 0.0, at), tenth(middle.z));
    }
}

/// A ring on the grid below a body, and a plumb line to it, show where in depth the body is.
void BenchScene::addShadow(const Sphere& around, Rgb colour) {
  const Vec3 foot(around.centre.x, fit_.ground, around.centre.z);
  const Vec3 lowest = around.centre - Vec3(0.0, around.radius, 0.0);
  if (lowest.y > fit_.ground) lines_.push_back({lowest, foot, srgb(palette::slack)});
  constexpr int corners = 40;
  const auto corner = [&](int i) {
    const Real turn = 2.0 * std::numbers::pi * i / corners;
    return foot + shadowRing * around.radius * Vec3(std::cos(turn), 0.0, std::sin(turn));
  };
  for (int i = 0; i < corners; ++i) lines_.push_back({corner(i), corner(i + 1), srgb(colour)});
}

const DrawFrame& BenchScene::compose(const Bench& bench, const BenchSetup& setup,
                                     const BenchReading* reading, std::size_t inHand) {
  bodies_.clear();
  spheres_.clear();
  lines_.clear();
  lights_.clear();
  const bool touches = reading && reading->distance.upper == 0.0;
  const Real radius = std::min(bench.around(0).radius, bench.around(1).radius);
  addGrid();
  for (std::uint32_t i = 0; i < 2; ++i) {
    ShipInstance body;
    body.shape = i;
    body.pose = setup.poses[i];
    body.tint = linear(i == 0 ? palette::own : palette::drone);
    body.outlineColour = srgb(palette::own);
    if (touches && !reading->manifold.points.empty()) {
      body.glow = 0.4f;
      body.hit = middleOf(reading->manifold.points.front());
    }
    bodies_.push_back(body);
    addShadow(bench.around(i, setup.poses[i]), i == inHand ? palette::white : colourOf(i));
  }
  if (reading) {
    const glm::vec3 colour = srgb(levelColour(engine::depthOf(reading->known)));
    for (std::size_t i = 0; i < std::min(maxContacts, reading->contacts.size()); ++i)
      for (const Sphere& sphere : {reading->contacts[i].a, reading->contacts[i].b})
        spheres_.push_back({sphere, colour, 0.8f, true});
    for (const ManifoldPoint& point : reading->manifold.points)
      if (touches && lights_.size() < maxContacts)
        lights_.push_back({{middleOf(point), contactLight * radius}, 0.4f * srgb(palette::narrow)});
  }
  frame_ = {};
  frame_.camera = camera_;
  frame_.ships = bodies_;
  frame_.spheres = spheres_;
  frame_.lines = lines_;
  frame_.lights = lights_;
  frame_.backdrop = srgb(palette::plot);
  return frame_;
}

void BenchScene::label(const Ink& ink, const Bench& bench, const BenchSetup& setup,
                       const BenchReading* reading, std::size_t inHand) const {
  if (!placed_) return;
  const InPart inside(ink, part_);
  const glm::vec2 size(part_.width, part_.height);
  const auto width = static_cast<int>(size.x), height = static_cast<int>(size.y);
  if (reading) {
    const Real arrow = contactArrow * std::min(bench.around(0).radius, bench.around(1).radius);
    drawContacts(ink, camera_, size, reading->manifold.points, {palette::white, arrow});
    labelWay(ink, *reading, 2.0 * arrow);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const Sphere around = bench.around(i, setup.poses[i]);
    // In front of the ring
    Vec3 towards = camera_.pose.rotation * Vec3(0.0, 0.0, shadowRing * around.radius);
    towards.y = fit_.ground - around.centre.y;
    glm::vec2 at;
    if (!project(camera_, width, height, around.centre + towards, at)) continue;
    const std::string name =
        fmt::format("{}{}", i == 0 ? 'a' : 'b', i == inHand ? ", in hand" : "");
    const float wide = ink.textWidth(name, ink.small()) + 0.7f * ink.em();
    ink.chip({at.x - 0.5f * wide, at.y}, name, i == inHand ? palette::white : colourOf(i));
  }
  labelScale(ink);
}

/// The gap between the nearest points, or the arrow along which b leaves a, with its length; the
/// arrow is at least `arrow` metres long.
void BenchScene::labelWay(const Ink& ink, const BenchReading& reading, Real arrow) const {
  const auto width = static_cast<int>(part_.width), height = static_cast<int>(part_.height);
  Vec3 from = reading.distance.pointA, to = reading.distance.pointB;
  std::string words = "gap " + lengthText(reading.distance.upper);
  const bool inside = reading.penetration && reading.penetration->upper > 0.0;
  if (inside) {
    const PenetrationBounds& depth = *reading.penetration;
    if (!reading.manifold.points.empty()) from = middleOf(reading.manifold.points.front());
    to = from + depth.upper * depth.direction;
    words = fmt::format("{} to separate", lengthText(depth.upper));
  } else if (reading.distance.upper == 0.0) {
    return;
  }
  glm::vec2 start, end;
  if (!project(camera_, width, height, from, start) || !project(camera_, width, height, to, end))
    return;
  if (inside) {
    // The depth is often short: a thin line shows its direction
    const Vec3 way = reading.penetration->direction;
    glm::vec2 tip = end;
    (void)project(camera_, width, height, from + std::max(reading.penetration->upper, arrow) * way,
                  tip);
    drawArrow(ink, start, tip, palette::overrun);
    ink.segment(start, end, palette::narrow, 6.0f);
  } else {
    ink.segment(start, end, palette::plot, 5.0f, 0.7f);
    ink.segment(start, end, palette::white, 2.0f);
    for (const glm::vec2& point : {start, end}) ink.circle(point, 4.0f, palette::white, 2.0f);
  }
  const float em = ink.em(), wide = ink.textWidth(words) + 0.8f * em;
  const glm::vec2 middle = 0.5f * (start + end);
  const Rect plain{std::clamp(middle.x + em, 0.5f * em, std::max(0.5f * em, part_.width - wide)),
                   middle.y + 0.6f * em, wide, 1.4f * em};
  ink.fill(plain, palette::panel, 0.88f, 0.25f * em);
  ink.text({plain.x + 0.4f * em, plain.y + 0.5f * plain.height}, words,
           inside ? palette::narrow : palette::text);
}

/// A bar of a round length, as at the distance of the middle, and the size of a square of the grid.
void BenchScene::labelScale(const Ink& ink) const {
  const float em = ink.em();
  const Real pixel = perPixel(glm::distance(camera_.pose.position, fit_.centre));
  if (!(pixel > 0.0) || !std::isfinite(pixel) || !(fit_.distance > 0.0)) return;
  const Real length = roundLength(0.22 * part_.width * pixel);
  const auto wide = static_cast<float>(length / pixel);
  const glm::vec2 right(part_.width - 1.2f * em, part_.height - 1.2f * em);
  const glm::vec2 left = right - glm::vec2(wide, 0.0f);
  ink.segment(left, right, palette::text, 2.0f);
  for (const glm::vec2& end : {left, right})
    ink.segment(end - glm::vec2(0.0f, 0.4f * em), end + glm::vec2(0.0f, 0.4f * em), palette::text,
                2.0f);
  ink.textRight(right - glm::vec2(0.0f, 1.1f * em),
                fmt::format("{}, squares of {}", lengthText(length),
                            lengthText(roundLength(gridCell * fit_.distance))),
                palette::text, ink.small());
}

}  // namespace nearmiss::app::fly
