// SPDX-License-Identifier: MIT
/// The C functions for two bodies in the hand.

#include <engine/flight/depth.h>
#include <engine/page/flight_c.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "page/page_flight.h"
#include "page/page_models.h"
#include "page/page_rows.h"

namespace nearmiss::engine {
namespace {

constexpr std::size_t maxSpherePairs = 256;
constexpr Clock::Duration maxDistanceWork = std::chrono::milliseconds(20);
constexpr Clock::Duration maxPenetrationWork = std::chrono::milliseconds(20);

/// Counts the work of a comparison.
class CountingClock final : public Clock {
 public:
  [[nodiscard]] Duration now() const noexcept override { return clock_.now(); }
  void charge(const WorkCount& work) noexcept override {
    clock_.charge(work);
    work_ += work;
  }
  [[nodiscard]] const WorkCount& work() const noexcept { return work_; }

 private:
  WorkClock clock_;
  WorkCount work_;
};

struct Hand {
  std::vector<std::optional<Shape>> shapes;
  CollisionQuery collision;
  DistanceQuery distance;
  PenetrationQuery penetration;
  std::vector<double> rows;
  std::vector<ContactSpheres> contacts;
  std::vector<SphereId> ids;

  const Shape* at(int number) const noexcept {
    const auto i = static_cast<std::size_t>(number);
    return number >= 0 && i < shapes.size() && shapes[i] ? &*shapes[i] : nullptr;
  }
  int keep(Shape shape) {
    const auto free = std::ranges::find_if(shapes, [](const auto& kept) { return !kept; });
    const auto i = free - shapes.begin();
    if (free == shapes.end()) shapes.emplace_back();
    shapes[static_cast<std::size_t>(i)] = std::move(shape);
    return static_cast<int>(i);
  }
};

Hand& hand() {
  static Hand it;
  return it;
}

std::optional<Pose> poseOf(const double* numbers) {
  constexpr double most = 1e6;
  for (int i = 0; i < 7; ++i)
    if (!(std::abs(numbers[i]) < most)) return std::nullopt;
  const Quat turn(numbers[6], numbers[3], numbers[4], numbers[5]);
  if (!(glm::length(turn) > 1e-6)) return std::nullopt;
  return Pose{{numbers[0], numbers[1], numbers[2]}, glm::normalize(turn)};
}

void compare(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB, int level,
             Clock::Duration allowance) {
  Hand& h = hand();
  CountingClock clock;
  h.collision.begin(a, poseA, b, poseB);
  const TimeBudget budget(clock, allowance);
  const Refinement found = level >= exactDepth ? h.collision.refine(budget)
                           : level <= 0        ? h.collision.known()
                                               : h.collision.refineTo(level, budget);
  h.rows = {static_cast<double>(found.verdict),
            static_cast<double>(depthOf(found)),
            static_cast<double>(found.level),
            found.separationBound,
            found.conservative ? 1.0 : 0.0,
            static_cast<double>(found.collidingSpheres),
            1e-3 * static_cast<double>(clock.now().count()),
            static_cast<double>(clock.work().boundTests),
            static_cast<double>(clock.work().triangleTests),
            found.canRefine ? 1.0 : 0.0};
  WorkClock other;
  h.distance.begin(a, poseA, b, poseB);
  const DistanceBounds apart = h.distance.refine(TimeBudget(other, maxDistanceWork));
  h.rows.insert(h.rows.end(), {apart.lower, apart.upper});
  add(h.rows, apart.pointA);
  add(h.rows, apart.pointB);
  PenetrationBounds inside;
  if (apart.upper <= 0.0 && a.solid() && b.solid()) {
    h.penetration.begin(a, poseA, b, poseB);
    inside = h.penetration.refine(TimeBudget(other, maxPenetrationWork));
  }
  h.rows.push_back(inside.upper);
  add(h.rows, inside.direction);
}

}  // namespace
}  // namespace nearmiss::engine

using nearmiss::engine::hand;
using nearmiss::engine::PageColumns;
using nearmiss::engine::pageError;
using nearmiss::engine::PageModels;

extern "C" {

int nearmiss_hand_make_shape(const double* vertices, size_t vertex_count, const uint32_t* triangles,
                             size_t triangle_count) {
  nearmiss::TriangleMesh mesh;
  mesh.positions.resize(vertex_count);
  for (size_t i = 0; i < vertex_count; ++i)
    mesh.positions[i] = {vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]};
  mesh.triangles.resize(triangle_count);
  for (size_t i = 0; i < triangle_count; ++i)
    mesh.triangles[i] = {triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]};
  auto shape = nearmiss::makeShape(std::move(mesh));
  if (shape) return hand().keep(*std::move(shape));
  pageError() = shape.error().message;
  return -1;
}

int nearmiss_hand_model(const char* name) {
  if (const nearmiss::Shape* shape = PageModels::all().shape(name)) return hand().keep(*shape);
  pageError() = std::string("this page has no model \"") + name + "\"";
  return -1;
}

void nearmiss_hand_forget(int shape) {
  if (hand().at(shape)) hand().shapes[static_cast<size_t>(shape)].reset();
}

double nearmiss_hand_radius(int shape) {
  const nearmiss::Shape* known = hand().at(shape);
  return known ? known->radius() : 0.0;
}

int nearmiss_hand_levels(int shape) {
  const nearmiss::Shape* known = hand().at(shape);
  return known && known->sphereTree() ? known->sphereTree()->levelCount() : 0;
}

const double* nearmiss_hand_compare(int a, const double* pose_a, int b, const double* pose_b,
                                    int level, double budget_us) {
  const nearmiss::Shape *first = hand().at(a), *second = hand().at(b);
  const auto poseA = nearmiss::engine::poseOf(pose_a), poseB = nearmiss::engine::poseOf(pose_b);
  if (!first || !second || !poseA || !poseB) {
    pageError() = "a body or its pose is not valid";
    return nullptr;
  }
  const auto allowance = nearmiss::engine::budgetOf(budget_us);
  nearmiss::engine::compare(*first, *poseA, *second, *poseB, level, allowance);
  return hand().rows.data();
}

const double* nearmiss_hand_contact(uint32_t* count) {
  auto& h = hand();
  h.collision.contacts(nearmiss::engine::maxSpherePairs, h.contacts);
  h.rows.clear();
  for (const nearmiss::ContactSpheres& contact : h.contacts) {
    nearmiss::engine::add(h.rows, contact.a);
    nearmiss::engine::add(h.rows, contact.b);
  }
  *count = static_cast<uint32_t>(h.contacts.size());
  return h.rows.data();
}

const double* nearmiss_hand_spheres(int shape, int level, uint32_t* count) {
  auto& h = hand();
  h.rows.clear();
  *count = 0;
  const nearmiss::Shape* known = h.at(shape);
  if (!known || !known->sphereTree()) return h.rows.data();
  const nearmiss::SphereTree& tree = *known->sphereTree();
  tree.spheresOf(std::clamp(level, 0, tree.levelCount() - 1), h.ids);
  for (const nearmiss::SphereId id : h.ids) nearmiss::engine::add(h.rows, tree.sphere(id));
  *count = static_cast<uint32_t>(h.ids.size());
  return h.rows.data();
}

}  // extern "C"
