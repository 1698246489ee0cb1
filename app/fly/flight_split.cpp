// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "console/gap_text.h"
#include "fly/flight_loop.h"
#include "fly/overlay/ink.h"
#include "fly/pace.h"

namespace nearmiss::app {
namespace {

using Side = SplitFlight::Side;
using SteadyTime = std::chrono::steady_clock;

/// What is written while this lives stands so far to the right.
class Shifted {
 public:
  Shifted(ImDrawList& list, float by) : list_(list), by_(by), first_(list.VtxBuffer.Size) {}
  ~Shifted() {
    for (int i = first_; i < list_.VtxBuffer.Size; ++i) list_.VtxBuffer[i].pos.x += by_;
  }
  Shifted(const Shifted&) = delete;
  Shifted& operator=(const Shifted&) = delete;

 private:
  ImDrawList& list_;
  float by_;
  int first_;
};

bool needsBspTrees(const std::string& narrow) {
  const NarrowPhaseEntry* entry = findNarrowPhase(narrow);
  return entry && entry->needsBspTrees;
}

}  // namespace

engine::BudgetRule FlightLoop::userBudget() const noexcept {
  engine::BudgetRule rule = budgetRule(ui_);
  rule.leastShare = flight_->scene().budget.leastShare;
  return rule;
}

double FlightLoop::detectionScale() const noexcept { return ui_.eraMode ? ui_.eraScale : 1.0; }

void FlightLoop::toggleSplit() {
  if (split_) {
    leaveSplit();
    say("split", "one view again: the right half flies on");
    return;
  }
  if (run_.running()) {
    say("split", "a run for points flies alone");
    return;
  }
  if (flight_->calls()) {
    say("split", "pairs are being timed into a file: one view only");
    return;
  }
  // Two different methods, unless they are chosen
  if (flight_->method() != Method::SphereTree) wantMethod(Method::SphereTree);
  splitAwaited_ = !splitAwaited_;
  pursueSplit();
  if (splitAwaited_) say("split", "the BSP trees are being built; the split view follows");
}

/// Begins the view that is wanted, as soon as there is what it flies by.
void FlightLoop::pursueSplit() {
  if (!splitAwaited_ || !flight_ || flight_->player()) return;
  if (leftHalf_.narrow.empty())
    leftHalf_ = options_.leftHalf.value_or(HalfChoice{"bsp", "", usualBudget("bsp")});
  if (needsBspTrees(leftHalf_.narrow) && !flight_->shapes().hasBspTrees()) return;
  splitAwaited_ = false;
  beginSplit();
  if (!split_) return;
  // Few machines of today are short of time
  eraBefore_ = ui_.eraMode;
  if (!ui_.eraMode) apply(Action::EraMode);
  say("split", fmt::format("one flight, two detectors; on both sides detection takes {:.0f} times "
                           "as long as on this machine ({})",
                           detectionScale(), localKeyName(Action::EraMode)));
}

/// From where the flight stands.
void FlightLoop::beginSplit() {
  auto begun = SplitFlight::begin(leftHalf_, *flight_, options_);
  if (!begun) {
    split_.reset();
    toasts_.add(begun.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  split_ = *std::move(begun);
  leftView_.clear();
  statistics_.reset();
}

void FlightLoop::leaveSplit() {
  splitAwaited_ = false;
  if (!split_) return;
  split_.reset();
  if (!eraBefore_) ui_.eraMode = false;
  resetMeasurements();
  account_.beginAt(SteadyTime::now());
}

void FlightLoop::nextLeftMethod() {
  if (!split_) {
    say("split", fmt::format("{} splits the view first", localKeyName(Action::SplitView)));
    return;
  }
  const auto phases = narrowPhaseCatalog();
  std::size_t at = 0;
  while (at < phases.size() && phases[at].name != leftHalf_.narrow) ++at;
  do {
    at = (at + 1) % phases.size();
  } while (phases[at].needsBspTrees && !flight_->shapes().hasBspTrees());
  if (auto changed = split_->setLeft(std::string(phases[at].name)); !changed) {
    toasts_.add(changed.error().message, wallSeconds(), Toasts::Kind::Warning);
    return;
  }
  leftHalf_ = split_->leftChoice();
  say("split", fmt::format("left: {}; {}", phases[at].name, phases[at].summary));
}

/// A turn of both machines.
void FlightLoop::advanceSplit() {
  split_->endTurn(flight_->target());
  split_->beginTurn();
  // Late frames last as long as others in simulated time, so that both fly the same ones
  if (split_->wantsInput()) split_->give(frameInput(nextStep(flight_->scene(), ui_.speed(), {})));
  const auto began = SteadyTime::now();
  split_->fly(*flight_, userBudget(), detectionScale());
  turnWork_ = std::chrono::duration<double>(SteadyTime::now() - began).count();
  if (const auto fault = split_->takeFault())
    toasts_.add(fault->code == ErrorCode::Cancelled
                    ? std::string("cancelled: the left half keeps its trees")
                    : "the left half keeps its trees: " + fault->message,
                wallSeconds(), Toasts::Kind::Warning);
  if (split_->half(Side::Left).advanced)
    leftView_.take(split_->left(), markSeconds_, markLifetime(), wallSeconds());
  ++framesFlown_;
  if (!split_->half(Side::Right).advanced) return;
  profile_ = flight_->output().profile;
  if (ghost_) ghost_->follow(*flight_, split_->rightInput());
  marks_.update(*flight_, markSeconds_, markLifetime());
  feelHits();
  advanced_ = true;
}

void FlightLoop::drawHalves(int width, int height) {
  const int half = width / 2;
  const double turn = double{ImGui::GetIO().DeltaTime};
  const auto passed = [&](Side side) { return split_->half(side).advanced ? turn : 0.0; };
  double drawing = 0.0, shortest = 1e9;
  std::size_t triangles = 0;
  const auto draw = [&](const DrawFrame& frame, int x, int wide) {
    const auto began = SteadyTime::now();
    renderer_.draw(frame, Viewport{x, wide, height}, quality_.quality());
    glFinish();
    const double took = std::chrono::duration<double>(SteadyTime::now() - began).count();
    drawing += took;
    shortest = std::min(shortest, took);
    triangles += renderer_.shipTriangles();
  };
  draw(leftView_.compose(split_->left(), ui_, cameraRig_, passed(Side::Left), wallSeconds()), 0,
       half);

  const BodyState& ship = flight_->output().bodies[flight_->simulation().userIndex()];
  cameraRig_.lookAt(focusOf(*flight_, ui_.picked));
  camera_ = cameraRig_.update(ship.pose, ship.shape.radius(), passed(Side::Right));
  DrawFrame frame =
      scene_.compose(*flight_, marks_, impacts_, ui_, camera_, cameraRig_.seenBy(), wallSeconds());
  const auto before = eyeTrail_.before(camera_.pose, passed(Side::Right));
  if (ui_.cues) frame.eyeBefore = before;
  if (ghost_) frame.ghosts = ghost_->shipsBeside(*flight_);
  draw(frame, half, width - half);
  // On the work clock only counted work takes time, and its pictures are alike
  if (flight_->scene().clock != engine::ClockKind::Wall) return;
  // What took longer was disturbed by what else runs here; and where drawing alone fills a frame
  // nothing could be seen of detection
  const std::chrono::nanoseconds drawn(std::llround(1e9 * shortest));
  split_->drew(std::min(drawn, flight_->target() / 2));
  constexpr double slowest = 1.0 / 30.0, reserve = 0.05;
  const double most = (1.0 - reserve) * std::max(seconds(flight_->target()), slowest);
  quality_.drew(triangles, drawing, most - turnWork_);
}

void FlightLoop::labelHalves(const Ink& ink, glm::vec2 window, std::span<const Ground> grounds) {
  const glm::vec2 half(std::floor(0.5f * window.x), window.y);
  const Rect& scene = overlay_.sceneArea();
  const Rect area{0.0f, scene.y, half.x, scene.height};
  leftView_.label(ink, split_->left(), ui_, half, area, grounds);
  {
    const Shifted right(*ink.list(), half.x);
    std::vector<Ground> shifted(grounds.begin(), grounds.end());
    for (Ground& ground : shifted) ground.rect.x -= half.x;
    scene_.label(ink, marks_, ui_, half, shifted);
    if (ui_.cues && ui_.overlay != OverlayMode::Off)
      cues_.draw(ink, *flight_, camera_, cameraRig_.looksAhead(), half, area);
    if (ghost_) labelGhost(ink, half);
  }
  const Rect& above = overlay_.statusArea();
  ink.segment({half.x, above.bottom()}, {half.x, window.y}, palette::text, 2.0f);
}

void FlightLoop::describeHalves(OverlayView& view) {
  const auto name = [](const Flight& flight, bool trees) {
    return trees ? fmt::format("{}, {}", flight.methodName(), flight.treeName())
                 : std::string(flight.methodName());
  };
  const auto usesTrees = [](const Flight& flight) {
    const NarrowPhaseEntry* entry =
        findNarrowPhase(flight.simulation().detector().narrowPhase().name());
    return entry && entry->needsSphereTrees;
  };
  const Flight& left = split_->left();
  halfMethods_ = {name(left, usesTrees(left)), name(*flight_, usesTrees(*flight_))};
  halfBudgets_ = {"budget " + engine::budgetText(split_->leftChoice().budget),
                  "budget " + engine::budgetText(userBudget())};
  bothMethods_ = fmt::format("{} | {}", left.methodName(), flight_->methodName());
  const double ahead = std::max(left.world().time(), flight_->world().time());
  const auto halfView = [&](Side side, const Flight& flight) {
    const Half& half = split_->half(side);
    return HalfView{side == Side::Left ? "left" : "right",
                    halfMethods_[side],
                    halfBudgets_[side],
                    &half.history,
                    &half.statistics,
                    ahead - flight.world().time()};
  };
  view.halves = {halfView(Side::Left, left), halfView(Side::Right, *flight_)};
  view.history = &split_->half(Side::Right).history;
  view.statistics = &split_->half(Side::Right).statistics;
  view.method = bothMethods_;
}

void FlightLoop::toggleGhost() {
  if (ghost_) {
    ghost_.reset();
    say("ghost", "exact ghost: off");
    return;
  }
  beginGhost();
  if (ghost_)
    say("ghost",
        "exact ghost: the same flight with all the time for detection, seen through where "
        "it is elsewhere");
}

void FlightLoop::beginGhost() {
  ghost_.reset();
  if (auto begun = Ghost::begin(*flight_); begun)
    ghost_.emplace(*std::move(begun));
  else
    toasts_.add(begun.error().message, wallSeconds(), Toasts::Kind::Warning);
}

void FlightLoop::labelGhost(const Ink& ink, glm::vec2 window) const {
  constexpr double least = 0.02;  // ship radii
  if (ui_.overlay == OverlayMode::Off || ghost_->ownApart() < least * flight_->shipRadius()) return;
  const BodyState& ship = flight_->output().bodies[flight_->simulation().userIndex()];
  scene_.joinWith(ink, {ship.pose.position, ghost_->ownPlace()},
                  fmt::format("exact result: {} away", gapText(ghost_->ownApart())), window);
}

}  // namespace nearmiss::app
