// SPDX-License-Identifier: MIT
#include "page/page_flight.h"

#include <engine/flight/depth.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "page/page_models.h"
#include "page/page_rows.h"

namespace nearmiss::engine {
namespace {

constexpr std::size_t maxSpherePairs = 64;
constexpr Clock::Duration maxDistanceWork = std::chrono::milliseconds(1);

std::string quotedJson(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

std::string_view PageColumns::named(std::string_view kind) noexcept {
  struct Kind {
    std::string_view name, columns;
  };
  constexpr std::array kinds{
      Kind{"input", input},           Kind{"bodies", bodies},     Kind{"pairs", pairs},
      Kind{"collisions", collisions}, Kind{"spheres", spheres},   Kind{"contact", contact},
      Kind{"statistics", statistics}, Kind{"distance", distance}, Kind{"comparison", comparison}};
  const auto found = std::ranges::find(kinds, kind, &Kind::name);
  return found == kinds.end() ? std::string_view() : found->columns;
}

Result<std::unique_ptr<PageFlight>> PageFlight::open(std::string_view text, bool shots) {
  auto scene = parseScene(text, "the scene");
  if (!scene) return scene.error();
  scene->arena.flown = true;
  scene->playerShots = shots;
  auto shapes = PageModels::all().shapesOf(*scene);
  if (!shapes) return shapes.error();
  auto flight = std::make_unique<PageFlight>();
  auto simulation = makeSimulation(*scene, **shapes, flight->work_);
  if (!simulation) return simulation.error();
  flight->scene_ = *std::move(scene);
  flight->shapes_ = *std::move(shapes);
  flight->simulation_ = *std::move(simulation);
  flight->input_.levelCap = flight->scene_.maxLevel;
  return flight;
}

Result<std::unique_ptr<PageFlight>> PageFlight::replay(std::string_view bytes) {
  auto session = RecordedSession::fromBytes(bytes, FilePath("the session"));
  if (!session) return session.error();
  auto player = SessionPlayer::open(
      *std::move(session), [](const Scene& scene, const std::vector<SessionShape>& flown,
                              BuildProgress*) { return PageModels::all().shapesOf(scene, flown); });
  if (!player) return player.error();
  auto flight = std::make_unique<PageFlight>();
  flight->scene_ = (*player)->scene();
  flight->shapes_ = (*player)->shapes();
  flight->player_ = *std::move(player);
  return flight;
}

Result<Success> PageFlight::setMethod(const std::string& narrow) {
  if (player_) return Error{ErrorCode::Unsupported, "a session has its own method"};
  auto detector = makeDetector(broadPhaseOf(scene_), narrow, *shapes_);
  if (!detector) return detector.error();
  simulation_->setDetector(*std::move(detector));
  scene_.narrow = narrow;
  return Success{};
}

FrameInput PageFlight::frameInput(Real dt) {
  FrameInput input;
  input.control = {input_.thrust, input_.pitch, input_.yaw, input_.roll};
  input.stopShip = input_.stop != 0;
  acts_.assign(static_cast<std::size_t>(std::clamp(input_.shots, 0.0, 8.0)),
               HandAct{.kind = HandAct::Kind::Shoot});
  if (!simulation_->shots().armed()) acts_.clear();
  input.acts = acts_;
  input.dt = dt;
  input.detectStep = scene_.detectStep;
  input.levelCap = static_cast<int>(std::clamp(input_.levelCap, 0.0, 1000.0));
  input.tighten = scene_.tighten;
  input.coherence = scene_.coherence;
  const auto orders = refinementOrderCatalog();
  const auto order = static_cast<std::size_t>(std::max(0.0, input_.order));
  if (order < orders.size()) input.order = orders[order].order;
  input.response = scene_.response;
  input.instants = scene_.instants;
  input.importance = scene_.importance;
  const Vec3 look(input_.look[0], input_.look[1], input_.look[2]);
  if (const Real length = glm::length(look); length > 0.0 && std::isfinite(length)) {
    View view;
    view.eye = {input_.eye[0], input_.eye[1], input_.eye[2]};
    view.direction = look / length;
    input.view = view;
  }
  return input;
}

Result<Success> PageFlight::step(Real dt, double budgetUs, bool counted) {
  if (player_) {
    if (player_->atEnd()) return Error{ErrorCode::Unsupported, "the session is at its end"};
    auto flown = player_->step();
    if (!flown) return flown.error();
    take(**flown);
    return Success{};
  }
  FrameInput input = frameInput(dt);
  input.detectionBudget = budgetOf(budgetUs);
  simulation_->setBudgetClock(counted ? static_cast<Clock&>(work_) : wall_);
  take(simulation_->advance(input));
  return Success{};
}

Result<Success> PageFlight::seek(std::uint64_t frame) {
  if (!player_) return Error{ErrorCode::Unsupported, "only a session can be searched"};
  if (frame < 1 || frame > player_->session().frames())
    return Error{ErrorCode::Unsupported,
                 fmt::format("the session has the frames 1 to {}", player_->session().frames())};
  auto flown = player_->seek(frame);
  if (!flown) return flown.error();
  if (*flown) take(**flown);
  return Success{};
}

void PageFlight::take(const FrameOutput& output) {
  output_ = &output;
  if (player_) {
    scene_ = player_->scene();
    shapes_ = player_->shapes();
  }
}

std::uint64_t PageFlight::hash() const noexcept { return stateHash(simulation().world().ships()); }

std::string_view PageFlight::difference() const noexcept {
  if (!player_ || !player_->difference()) return {};
  return player_->difference()->text;
}

const std::string& PageFlight::about() {
  std::string names, levels;
  for (std::uint32_t i = 0; i < shapes_->shapes().size(); ++i) {
    const LoadedShape& shape = shapes_->shapes()[i];
    if (i > 0) names += ',', levels += ',';
    names += quotedJson(shape.name);
    levels += fmt::format("{}", shapes_->sphereTree(i).levelCount());
  }
  const World& world = simulation().world();
  about_ = fmt::format(
      R"({{"scene":{},"narrow":{},"broad":{},"tree":{},"frameMs":{},"step":{},"detectStep":{},)"
      R"("shapes":[{}],"levels":[{}],"user":{},"ships":{},"arena":{},"seed":{},"session":{},)"
      R"("frames":{},"position":{},"warning":{},"recordedBy":{}}})",
      quotedJson(scene_.name), quotedJson(scene_.narrow), quotedJson(broadPhaseOf(scene_)),
      quotedJson(scene_.tree), scene_.frameMs, frameStep(scene_), scene_.detectStep, names, levels,
      simulation().userIndex(), world.states().size(), world.ships().arena().radius, scene_.seed,
      player_ ? "true" : "false", player_ ? player_->session().frames() : 0,
      player_ ? player_->position() : 0, quotedJson(player_ ? player_->session().warning() : ""),
      quotedJson(player_ ? player_->session().headValue("build") : ""));
  return about_;
}

const std::vector<double>& PageFlight::bodies() {
  rows_.clear();
  const World& world = simulation().world();
  const auto states = world.states();
  const std::size_t shots = simulation().shots().count();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const BodyState& body = states[i];
    for (std::uint32_t k = 0; k < linkCount(body); ++k) {
      const Link part = linkOf(body, k);
      rows_.push_back(static_cast<double>(i));
      rows_.push_back(part.shape.index());
      add(rows_, part.pose.position);
      const Quat& q = part.pose.rotation;
      rows_.insert(rows_.end(), {q.x, q.y, q.z, q.w});
      add(rows_, body.velocity);
      rows_.insert(rows_.end(), {body.shape.radius(), world.ships().control(i).thrust,
                                 i + shots >= states.size() ? 1.0 : 0.0});
    }
  }
  return rows_;
}

const std::vector<double>& PageFlight::pairs() {
  rows_.clear();
  shown_.clear();
  if (!output_ || !output_->detection) return rows_;
  const auto& pairs = output_->detection->pairs;
  // A detection from before the end of the frame says that nothing touches now
  if (output_->detection->time != simulation().world().time()) return rows_;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Refinement& found = pairs[i].refinement;
    if (found.verdict == Verdict::Separate) continue;
    shown_.push_back(i);
    rows_.insert(rows_.end(),
                 {static_cast<double>(pairs[i].bodies.a), static_cast<double>(pairs[i].bodies.b),
                  static_cast<double>(found.verdict), static_cast<double>(depthOf(found)),
                  found.separationBound, found.conservative ? 1.0 : 0.0,
                  found.verdict == Verdict::Contact ? 1.0 : 0.0});
    add(rows_, pointBetween(found.deepest));
    rows_.push_back(pairs[i].waited.detections);
    rows_.push_back(found.level);
  }
  return rows_;
}

const std::vector<double>& PageFlight::collisions() {
  rows_.clear();
  if (!output_) return rows_;
  for (const Collision& collision : output_->collisions) {
    const Refinement& found = collision.refinement;
    rows_.insert(rows_.end(),
                 {static_cast<double>(collision.a), static_cast<double>(collision.b),
                  static_cast<double>(found.verdict), static_cast<double>(depthOf(found)),
                  found.separationBound, found.conservative ? 1.0 : 0.0});
    const auto& contact = collision.contact;
    const Vec3 apart = found.deepest.a.centre - found.deepest.b.centre;
    const Real length = glm::length(apart);
    add(rows_, contact ? contact->mean.position : pointBetween(found.deepest));
    add(rows_, contact ? contact->mean.normal : length > 0.0 ? apart / length : Vec3(0, 1, 0));
    rows_.push_back(contact ? static_cast<double>(contact->count) : 0.0);
    rows_.push_back(contact ? contact->points().front().depth : 0.0);
    rows_.push_back(collision.waited.detections);
  }
  return rows_;
}

const std::vector<double>& PageFlight::statistics() {
  rows_.assign(PageColumns::count(PageColumns::statistics), 0.0);
  const World& world = simulation().world();
  if (!output_) {
    rows_[1] = world.time();
    return rows_;
  }
  const FrameProfile& p = output_->profile;
  const auto us = [](FrameProfile::Duration time) {
    return time == FrameProfile::Duration::max() ? std::numeric_limits<double>::infinity()
                                                 : 1e-3 * static_cast<double>(time.count());
  };
  std::size_t next = 0;
  const auto put = [&](auto value) { rows_[next++] = static_cast<double>(value); };
  put(p.frame), put(world.time()), put(p.detections), put(p.detectionsSkipped);
  put(us(p.budget)), put(us(p.spent)), put(us(p.motion)), put(us(p.broad)), put(us(p.narrow));
  put(us(p.response)), put(p.exhausted), put(p.steps), put(p.sphereTests), put(p.triangleTests);
  put(p.pairsBroad), put(p.pairsNarrow), put(p.pairsPostponed), put(p.bodiesPostponed);
  put(p.pairsForced), put(p.touching), put(p.responses), put(p.worstBound), put(p.medianBound);
  for (const std::uint32_t count : p.collisions) put(count);
  put(p.nextDetection), put(p.ships), put(p.collisionsLate);
  return rows_;
}

const std::vector<double>& PageFlight::spheres(std::uint32_t shape, int level) {
  rows_.clear();
  const SphereTree& tree = shapes_->sphereTree(shape);
  tree.spheresOf(std::clamp(level, 0, tree.levelCount() - 1), ids_);
  for (const SphereId id : ids_) add(rows_, tree.sphere(id));
  return rows_;
}

const std::vector<double>& PageFlight::contact(std::uint32_t pair) {
  rows_.clear();
  if (pair >= shown_.size()) return rows_;
  simulation().detector().contacts(shown_[pair], maxSpherePairs, contacts_);
  for (const ContactSpheres& contact : contacts_) {
    add(rows_, contact.a);
    add(rows_, contact.b);
  }
  return rows_;
}

const std::vector<double>& PageFlight::distance(std::uint32_t a, std::uint32_t b) {
  const auto states = simulation().world().states();
  DistanceBounds nearest;
  nearest.lower = std::numeric_limits<Real>::infinity();
  if (a < states.size() && b < states.size()) {
    WorkClock clock;
    const TimeBudget budget(clock, maxDistanceWork);
    nearest.canRefine = false;
    for (std::uint32_t i = 0; i < linkCount(states[a]); ++i)
      for (std::uint32_t j = 0; j < linkCount(states[b]); ++j) {
        const Link partA = linkOf(states[a], i), partB = linkOf(states[b], j);
        query_.begin(shapes_->collision()[partA.shape.index()], partA.pose,
                     shapes_->collision()[partB.shape.index()], partB.pose);
        const DistanceBounds known = query_.refine(budget);
        const Real lower = std::min(nearest.lower, known.lower);
        const bool open = nearest.canRefine || known.canRefine;
        if (known.upper < nearest.upper) nearest = known;
        nearest.lower = lower;
        nearest.canRefine = open;
      }
  } else {
    nearest.lower = 0.0;
  }
  rows_ = {nearest.lower, nearest.upper};
  add(rows_, nearest.pointA);
  add(rows_, nearest.pointB);
  rows_.push_back(nearest.canRefine ? 1.0 : 0.0);
  return rows_;
}

}  // namespace nearmiss::engine
