// SPDX-License-Identifier: MIT
#include "fly/modes/bench/bench.h"

#include <fmt/format.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "console/order_statistics.h"
#include "console/text.h"

namespace nearmiss::app::fly {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr Real roomBetween = 0.2;  // relative to the sum of both radii
constexpr std::size_t benchRepetitions = 9;
constexpr std::chrono::milliseconds longMeasurement{20};

nanoseconds elapsedSince(steady_clock::time_point start) noexcept {
  return std::chrono::duration_cast<nanoseconds>(steady_clock::now() - start);
}

/// Median time of several repetitions; fewer if they are slow.
template <class Compare>
nanoseconds medianTime(const Compare& compare) {
  std::vector<double> times;
  const auto begun = steady_clock::now();
  for (std::size_t i = 0; i < benchRepetitions && elapsedSince(begun) < longMeasurement; ++i) {
    const auto start = steady_clock::now();
    compare();
    times.push_back(static_cast<double>(elapsedSince(start).count()));
  }
  return nanoseconds(std::llround(median(times)));
}

TimeBudget budgetOf(const BenchLimits& limits, SteadyClock& clock) {
  return limits.time ? TimeBudget(clock, *limits.time) : TimeBudget::unlimited();
}

Refinement refined(CollisionQuery& query, const BenchLimits& limits) {
  SteadyClock clock;
  if (limits.level <= 0) return query.known();
  const TimeBudget budget = budgetOf(limits, clock);
  return limits.level >= engine::exactDepth ? query.refine(budget)
                                            : query.refineTo(limits.level, budget);
}

}  // namespace

/// Narrow phases by name; null if a shape lacks the data.
struct Bench::Methods {
  CollisionQuery query;
  DistanceQuery distances;
  std::array<std::unique_ptr<NarrowPhase>, 3> rivals;

  static constexpr std::array<std::string_view, 3> names{"sphere-tree", "bsp", "obb-tree"};

  explicit Methods(const Shapes& shapes) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (auto made = makeNarrowPhase(*findNarrowPhase(names[i]), shapes))
        rivals[i] = *std::move(made);
  }
};

Bench::Bench(std::shared_ptr<const engine::ShapeSet> shapes) : shapes_(std::move(shapes)) {
  for (std::uint32_t body = 0; body < 2; ++body)
    around_[body] = shapes_->sphereTree(body).sphere(0);
}

Bench::~Bench() = default;

std::array<Pose, 2> Bench::sideBySide() const noexcept {
  const Real apart = (1.0 + roomBetween) * (around_[0].radius + around_[1].radius);
  std::array<Pose, 2> poses;
  poses[0].position = Vec3(-0.5 * apart, 0.0, 0.0) - around_[0].centre;
  poses[1].position = Vec3(0.5 * apart, 0.0, 0.0) - around_[1].centre;
  return poses;
}

Result<BenchReading> Bench::read(const BenchSetup& setup) {
  const Shapes& shapes = shapes_->collision();
  const bool unused = !methods_;
  if (unused) methods_ = std::make_unique<Methods>(shapes);
  const Shape &a = shapes[0], &b = shapes[1];
  const auto& [poseA, poseB] = setup.poses;
  for (const Pose& pose : setup.poses)
    if (const auto sound = check(pose); !sound) return sound.error();
  CollisionQuery& query = methods_->query;
  query.begin(a, poseA, b, poseB);
  BenchReading reading;
  reading.known = refined(query, setup.limits);
  constexpr std::size_t maxContacts = 64;
  if (reading.known.verdict != Verdict::Separate) query.contacts(maxContacts, reading.contacts);

  DistanceQuery& distances = methods_->distances;
  distances.begin(a, poseA, b, poseB);
  WorkClock clock;
  reading.distance = distances.refine(TimeBudget(clock, effort));
  if (reading.distance.upper == 0.0) {
    WorkClock depthClock;
    reading.penetration = penetration(a, poseA, b, poseB, TimeBudget(depthClock, effort));
  } else {
    const Sphere first = around(0, poseA), second = around(1, poseB);
    const Vec3 way = first.centre - second.centre;
    const Real length = glm::length(way);
    reading.speed = std::min(first.radius, second.radius);
    const Vec3 velocity = length > 0.0 ? reading.speed / length * way : Vec3(0.0);
    WorkClock timeClock;
    reading.contact = timeToContact(distances, a, {poseA}, b, {poseB, velocity}, horizon,
                                    contactTolerance * (first.radius + second.radius),
                                    TimeBudget(timeClock, effort));
  }
  const Real gap = reading.distance.upper;
  if (gap <= nearShare * std::min(around_[0].radius, around_[1].radius)) {
    WorkClock manifoldClock;
    reading.manifold = contactManifold(a, poseA, b, poseB, {.margin = (1.0 + 1e-6) * gap},
                                       TimeBudget(manifoldClock, effort));
  }
  // The first comparison of each method fills caches
  if (unused) measure(setup, reading);
  measure(setup, reading);
  return reading;
}

void Bench::measure(const BenchSetup& setup, BenchReading& reading) {
  const Shapes& shapes = shapes_->collision();
  CollisionQuery& query = methods_->query;
  BenchCost& limited = reading.costs[0];
  limited.method = "within the limits";
  limited.verdict = reading.known.verdict;
  limited.time = medianTime([&] {
    query.begin(shapes[0], setup.poses[0], shapes[1], setup.poses[1]);
    (void)refined(query, setup.limits);
  });

  std::array<BodyState, 2> bodies;
  for (std::uint32_t i = 0; i < 2; ++i) {
    bodies[i].key = i + 1;
    bodies[i].shape = shapes.ref(i);
    bodies[i].pose = setup.poses[i];
  }
  const BodyPair pair{0, 1};
  for (std::size_t i = 0; i < Methods::names.size(); ++i) {
    BenchCost& cost = reading.costs[i + 1];
    cost.method = Methods::names[i];
    NarrowPhase* method = methods_->rivals[i].get();
    if (!method) continue;
    cost.time = medianTime([&] {
      method->begin(bodies, std::span(&pair, 1));
      while (method->result(0).canRefine && method->refine(0, TimeBudget::unlimited())) {
      }
    });
    cost.work = method->work();
    cost.verdict = method->result(0).verdict;
  }
}

bool samePlaces(const BenchSetup& a, const BenchSetup& b) noexcept {
  for (std::size_t i = 0; i < 2; ++i)
    if (a.poses[i].position != b.poses[i].position || a.poses[i].rotation != b.poses[i].rotation)
      return false;
  return a.limits == b.limits;
}

std::string lengthText(Real metres) {
  const bool usual = metres == 0.0 || (metres >= 1e-4 && metres < 1e5) || !std::isfinite(metres);
  return usual ? gapText(metres) : fmt::format("{:.3g} m", metres);
}

namespace {

/// Quotes a CSV field if necessary.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string microsecondsOf(nanoseconds time) {
  return time.count() < 0 ? std::string()
                          : fmt::format("{:.3f}", 1e-3 * static_cast<double>(time.count()));
}

}  // namespace

std::string csvOf(const BenchSetup& setup, const BenchReading& reading) {
  std::vector<std::pair<std::string, std::string>> fields;
  const auto add = [&](std::string name, std::string value) {
    fields.emplace_back(std::move(name), std::move(value));
  };
  const auto number = [&](std::string name, Real value) {
    add(std::move(name), fmt::format("{}", value));
  };
  for (std::size_t i = 0; i < 2; ++i) add(i == 0 ? "a" : "b", quoted(setup.models[i]));
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string body = i == 0 ? "a_" : "b_";
    const Pose& pose = setup.poses[i];
    for (int axis = 0; axis < 3; ++axis)
      number(fmt::format("{}{}_m", body, "xyz"[axis]), pose.position[axis]);
    number(body + "qw", pose.rotation.w);
    number(body + "qx", pose.rotation.x);
    number(body + "qy", pose.rotation.y);
    number(body + "qz", pose.rotation.z);
  }
  add("time_us", setup.limits.time ? microsecondsOf(*setup.limits.time) : "");
  add("level_limit", std::string(engine::nameOfDepth(setup.limits.level)));
  const Refinement& known = reading.known;
  add("verdict", std::string(engine::nameOf(known.verdict)));
  add("level", std::string(engine::nameOfDepth(engine::depthOf(known))));
  const bool bound = known.verdict != Verdict::Separate && std::isfinite(known.separationBound);
  add("bound_m", bound ? fmt::format("{}", known.separationBound) : "");
  number("distance_min_m", reading.distance.lower);
  number("distance_max_m", reading.distance.upper);
  const PenetrationBounds none;
  const PenetrationBounds& depth = reading.penetration.value_or(none);
  number("penetration_min_m", depth.lower);
  number("penetration_max_m", depth.upper);
  for (int axis = 0; axis < 3; ++axis)
    number(fmt::format("penetration_{}", "xyz"[axis]), depth.direction[axis]);
  const ContactManifold& manifold = reading.manifold;
  add("contact_points", std::to_string(manifold.points.size()));
  const bool deep = !manifold.points.empty() && manifold.depthKnown;
  add("contact_depth_m", deep ? fmt::format("{}", manifold.points.front().depth) : "");
  for (int axis = 0; axis < 3; ++axis)
    add(fmt::format("contact_normal_{}", "xyz"[axis]),
        manifold.points.empty() ? "" : fmt::format("{}", manifold.points.front().normal[axis]));
  add("contact_after_s",
      reading.contact ? fmt::format("{}", reading.contact->noContactBefore) : "0");
  number("speed_m_per_s", reading.speed);
  for (const BenchCost& cost : reading.costs) {
    std::string name(cost.method);
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == '-'; }, '_');
    add(name + "_us", microsecondsOf(cost.time));
  }
  std::string names, values;
  for (const auto& [name, value] : fields) {
    names += (names.empty() ? "" : ",") + name;
    values += (&name == &fields.front().first ? "" : ",") + value;
  }
  return names + "\n" + values + "\n";
}

}  // namespace nearmiss::app::fly
