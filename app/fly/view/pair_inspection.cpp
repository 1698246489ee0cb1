// SPDX-License-Identifier: MIT
#include "fly/view/pair_inspection.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "console/order_statistics.h"
#include "fly/gfx/renderer.h"
#include "fly/view/bound_drawing.h"

namespace nearmiss::app::fly {
namespace {

/// Horizon of the time to contact at constant velocity [s], and its tolerance relative to the sum
/// of radii.
constexpr Real driftHorizon = 60.0, driftTolerance = 1e-4;
/// Maximum gap with contact points, relative to the smaller radius.
constexpr Real nearShare = 0.05;
/// Counted work, so that a report is the same on every machine.
constexpr std::chrono::milliseconds depthBudget(50);

/// How long a pair has not been examined because one or both of its ships were postponed: the
/// shorter of their waits. `nullopt` if neither was.
std::optional<Wait> shorterWait(const Detection& found, std::size_t a, std::size_t b) {
  std::optional<Wait> wait;
  for (const PostponedBody& left : found.postponedBodies)
    if ((left.body == a || left.body == b) && (!wait || left.wait.detections < wait->detections))
      wait = left.wait;
  return wait;
}

}  // namespace

std::optional<std::size_t> indexOf(const Flight& flight, std::uint32_t key) {
  const auto bodies = flight.output().bodies;
  const auto body = std::ranges::find(bodies, key, &BodyState::key);
  if (key == 0 || body == bodies.end()) return std::nullopt;
  return static_cast<std::size_t>(body - bodies.begin());
}

std::vector<std::size_t> shipsInFocus(const Flight& flight, const PickedShips& picked) {
  std::vector<std::size_t> ships;
  for (const std::uint32_t key : {picked.a, picked.b})
    if (const auto index = indexOf(flight, key)) ships.push_back(*index);
  if (ships.empty()) ships.push_back(flight.simulation().userIndex());
  return ships;
}

std::optional<Sphere> focusOf(const Flight& flight, const PickedShips& picked) {
  const auto a = indexOf(flight, picked.a), b = indexOf(flight, picked.b);
  if (!a || !b) return std::nullopt;
  const BodyState &first = flight.output().bodies[*a], &second = flight.output().bodies[*b];
  const Real apart = glm::distance(first.pose.position, second.pose.position);
  return Sphere{0.5 * (first.pose.position + second.pose.position),
                0.5 * apart + std::max(first.shape.radius(), second.shape.radius())};
}

PickedShips pickAt(const Flight& flight, const PickedShips& picked, const Camera& camera, int width,
                   int height, glm::vec2 pixel) {
  const auto bodies = flight.output().bodies;
  std::uint32_t key = 0;
  double nearest = 1e30;
  for (const BodyState& body : bodies) {
    glm::vec2 middle, edge;
    const Vec3 aside = camera.pose.rotation * Vec3(body.shape.radius(), 0.0, 0.0);
    if (!project(camera, width, height, body.pose.position, middle) ||
        !project(camera, width, height, body.pose.position + aside, edge))
      continue;
    const double far = glm::distance(camera.pose.position, body.pose.position);
    if (glm::distance(middle, pixel) > std::max(glm::distance(middle, edge), 8.0f)) continue;
    if (far < nearest) {
      nearest = far;
      key = body.key;
    }
  }
  if (key == 0) return {};
  if (picked.a == 0 || picked.pair()) return {key, 0};
  return key == picked.a ? PickedShips{} : PickedShips{picked.a, key};
}

TruthWorker::Question::Question(std::shared_ptr<const engine::ShapeSet> of, const BodyState& first,
                                const BodyState& second, Real instant)
    : shapes(std::move(of)), a(first), b(second), time(instant) {
  for (std::uint32_t i = 0; i < linkCount(a); ++i) linksA.push_back(linkOf(a, i));
  for (std::uint32_t i = 0; i < linkCount(b); ++i) linksB.push_back(linkOf(b, i));
  // The flight may be restarted meanwhile. Bounds hold without planes too
  a.links = b.links = {};
  a.planes = b.planes = {};
}

TruthWorker::TruthWorker()
    : newest_([this](const Question& requested) { return answerQuestion(requested); }) {}

std::optional<PairTruth> TruthWorker::answer(const PickedShips& pair, Real time,
                                             std::uint32_t moved) {
  const auto known = newest_.latest();
  if (!known || !(known->pair == pair) || known->time != time || known->moved != moved)
    return std::nullopt;
  return known->truth;
}

std::optional<PairTruth> TruthWorker::latest(const PickedShips& pair, std::uint32_t moved) {
  const auto known = newest_.latest();
  if (!known || !(known->pair == pair) || known->moved != moved) return std::nullopt;
  return known->truth;
}

std::array<BodyState, 2> TruthWorker::Question::bodies() const {
  std::array both{a, b};
  if (linksA.size() > 1) both[0].links = linksA;
  if (linksB.size() > 1) both[1].links = linksB;
  return both;
}

std::optional<double> TruthWorker::tightestBoundOf(const Question& question) {
  auto detector = engine::makeDetector("all-pairs", question.timed->narrow, *question.shapes);
  if (!detector) return std::nullopt;
  (*detector)->setLevelCap(question.level);
  (*detector)->setTightening(true);
  const auto& found =
      (*detector)->detect(question.bodies(), question.time, TimeBudget::unlimited()).pairs;
  return found.empty() ? std::nullopt : std::optional(found[0].refinement.separationBound);
}

std::optional<PairTimes> TruthWorker::timesOf(const Question& question) {
  constexpr std::size_t repetitions = 15;
  auto calls = engine::makePairCalls(*question.timed, *question.shapes);
  if (!calls) return std::nullopt;
  const std::array bodies = question.bodies();
  DetectedPair pair;
  pair.bodies = {0, 1};
  for (std::size_t i = 0; i < repetitions; ++i) (*calls)->record(0, 0, bodies, std::span(&pair, 1));
  const auto medianOf = [&](const auto& timeOf) {
    std::vector<double> times;
    for (const engine::PairCall& call : (*calls)->calls())
      times.push_back(std::chrono::duration<double, std::micro>(timeOf(call)).count());
    return median(times);
  };
  PairTimes times;
  for (std::size_t level = 0; level < times.level.size(); ++level)
    times.level[level] = medianOf([&](const engine::PairCall& call) { return call.level[level]; });
  times.reference = medianOf([](const engine::PairCall& call) { return call.reference; });
  return times;
}

void TruthWorker::addContacts(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                              Real margin, ContactManifold& to) {
  manifolds_.begin(a, poseA, b, poseB, {.margin = margin});
  WorkClock clock;
  const ContactManifold& found = manifolds_.refine(TimeBudget(clock, depthBudget));
  to.points.insert(to.points.end(), found.points.begin(), found.points.end());
  to.depthKnown = to.depthKnown && found.depthKnown;
}

TruthWorker::Answer TruthWorker::answerQuestion(const Question& question) {
  const BodyState &a = question.a, &b = question.b;
  const Shapes& shapes = question.shapes->collision();
  const Real near = driftTolerance * (a.shape.radius() + b.shape.radius());
  PairTruth truth;
  int meeting = 0;
  bool followed = false;
  const Link *nearestA = nullptr, *nearestB = nullptr;
  // The nearest links, and those with the earliest contact
  for (const Link& partA : question.linksA) {
    for (const Link& partB : question.linksB) {
      const Shape &shapeA = shapes[partA.shape.index()], &shapeB = shapes[partB.shape.index()];
      distances_.begin(shapeA, partA.pose, shapeB, partB.pose);
      const DistanceBounds distance = distances_.refine();
      if (distance.upper < truth.distance.upper) {
        truth.distance = distance;
        nearestA = &partA;
        nearestB = &partB;
      }
      if (distance.upper == 0.0) {
        ++meeting;
        depths_.begin(shapeA, partA.pose, shapeB, partB.pose);
        WorkClock clock;
        truth.penetration = depths_.refine(TimeBudget(clock, depthBudget));
        addContacts(shapeA, partA.pose, shapeB, partB.pose, 0.0, truth.manifold);
        continue;
      }
      const ContactTime contact =
          timeToContact(distances_, shapeA, {partA.pose, a.velocity}, shapeB,
                        {partB.pose, b.velocity}, driftHorizon, near);
      if (!followed || contact.noContactBefore < truth.contact.noContactBefore)
        truth.contact = contact;
      followed = true;
    }
  }
  const Real gap = truth.distance.upper;
  if (meeting == 0 && nearestA && gap <= nearShare * std::min(a.shape.radius(), b.shape.radius()))
    addContacts(shapes[nearestA->shape.index()], nearestA->pose, shapes[nearestB->shape.index()],
                nearestB->pose, (1.0 + 1e-6) * gap, truth.manifold);
  std::ranges::stable_sort(truth.manifold.points, std::greater(), &ManifoldPoint::depth);
  // A translation that separates two links need not separate the others
  if (meeting > 1) truth.penetration.reset();
  if (question.timed) truth.times = timesOf(question);
  if (question.timed && question.level > 0) truth.tightestBound = tightestBoundOf(question);
  return {{a.key, b.key}, question.time, truth, question.moved};
}

std::optional<PairReport> PairInspection::report(const Flight& flight, const UiState& ui) {
  const auto a = indexOf(flight, ui.view.picked.a), b = indexOf(flight, ui.view.picked.b);
  if (!a || !b) return std::nullopt;
  const engine::FrameOutput& output = flight.output();
  const BodyState &first = output.bodies[*a], &second = output.bodies[*b];
  const auto shapes = flight.shapes().shapes();
  PairReport report;
  report.shapeA = shapes[first.shape.index()].name;
  report.shapeB = shapes[second.shape.index()].name;
  report.keyA = first.key;
  report.keyB = second.key;
  report.unimportant = first.unimportant || second.unimportant;
  report.centreDistance = glm::distance(first.pose.position, second.pose.position);
  report.radius = std::min(first.shape.radius(), second.shape.radius());

  report.meeting = secondsToMeeting(first, second, flight.world().time());
  report.horizon = jointHorizon(first, second, flight.world().time());

  const auto found = [&](const Detection* detection) -> const DetectedPair* {
    if (!detection) return nullptr;
    const auto pair = std::ranges::find(detection->pairs, pairOf(*a, *b), &DetectedPair::bodies);
    return pair == detection->pairs.end() ? nullptr : &*pair;
  };
  if (const DetectedPair* pair = found(output.detection)) {
    report.inBroadPhase = true;
    report.refinement = pair->refinement;
  }
  if (output.detection)
    for (const PostponedPair& postponed : output.detection->postponed)
      if (postponed.pair == pairOf(*a, *b)) report.wait = postponed.wait;
  report.looked = output.detection != nullptr;
  if (report.looked && !report.inBroadPhase && !report.wait)
    report.wait = shorterWait(*output.detection, *a, *b);
  if (const DetectedPair* pair = found(output.reference)) report.reference = pair->refinement;

  // Too slow for every frame: compute it only when it can be compared with something
  if (ui.pace.paused || flight.inUse().method == Method::Both) {
    const Real time = flight.world().time();
    // Times and bounds of other trees or methods do not apply
    if (shapes_ != flight.sharedShapes() || narrow_ != flight.scene().narrow) forget();
    if (!(requested_ == ui.view.picked) || requestedTime_ != time) {
      TruthWorker::Question question(flight.sharedShapes(), first, second, time);
      question.moved = moved_;
      if (ui.pace.paused) question.timed = flight.scene();
      const bool open = report.inBroadPhase && report.refinement.verdict == Verdict::Possible;
      if (open && report.refinement.stage == Stage::Spheres)
        question.level = report.refinement.level;
      truths_.ask(std::move(question));
      requested_ = ui.view.picked;
      requestedTime_ = time;
      shapes_ = flight.sharedShapes();
      narrow_ = flight.scene().narrow;
    }
    report.truth = truths_.answer(ui.view.picked, time, moved_);
    report.truthIsOfNow = report.truth.has_value();
    if (!report.truth && !ui.pace.paused) report.truth = truths_.latest(ui.view.picked, moved_);
  }
  return report;
}

std::optional<NearestPoints> PairInspection::nearestPoints(const Flight& flight,
                                                           const UiState& ui) {
  if (!ui.pace.paused) return std::nullopt;
  const auto truth = truths_.answer(ui.view.picked, flight.world().time(), moved_);
  if (!truth || truth->distance.upper == 0.0) return std::nullopt;
  return NearestPoints{truth->distance.pointA, truth->distance.pointB};
}

std::optional<ContactManifold> PairInspection::manifold(const Flight& flight, const UiState& ui) {
  if (!ui.pace.paused) return std::nullopt;
  auto truth = truths_.answer(ui.view.picked, flight.world().time(), moved_);
  if (!truth || truth->manifold.points.empty()) return std::nullopt;
  return std::move(truth->manifold);
}

}  // namespace nearmiss::app::fly
