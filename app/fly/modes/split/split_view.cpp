// SPDX-License-Identifier: MIT
#include "fly/modes/split/split_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <engine/flight/budget.h>
#include "fly/choices/detection_budget.h"
#include "fly/choices/detection_choice.h"
#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/loop/canvas.h"
#include "fly/loop/frame_times.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

using Side = SplitFlight::Side;
using SteadyTime = std::chrono::steady_clock;

bool needsBspTrees(const std::string& narrow) {
  const NarrowPhaseEntry* entry = findNarrowPhase(narrow);
  return entry && entry->needsBspTrees;
}

/// The narrow phase and its trees.
std::string detectionOf(const Flight& flight) {
  const NarrowPhaseEntry* entry =
      findNarrowPhase(flight.simulation().detector().narrowPhase().name());
  return entry && entry->needsSphereTrees
             ? fmt::format("{}, {}", flight.inUse().narrow, flight.inUse().trees)
             : std::string(flight.inUse().narrow);
}

}  // namespace

void SplitView::toggle(FlightContext& context) {
  if (split_) {
    leave(context);
    context.say("split", "one view again: the right half flies on");
    return;
  }
  if (context.modes.countsPoints()) {
    context.say("split", "a run for points has one view only");
    return;
  }
  if (context.flight().calls()) {
    context.say("split", "pairs are being timed into a file: one view only");
    return;
  }
  if (filmsScene(context)) {
    context.say("split", "a film is being made: one view only");
    return;
  }
  if (context.records.recorder.recordsFrames()) {
    context.say("split", "frame times are being recorded: one view only");
    return;
  }
  context.modes.photo.leave(context);
  // Use two different methods by default
  if (context.flight().inUse().method != Method::SphereTree)
    selectMethod(context, Method::SphereTree);
  awaited_ = !awaited_;
  pursue(context);
  if (!awaited_) return;
  const FlightManager& manager = context.flightManager;
  context.say("split", fmt::format("building the BSP trees takes {}; the split view follows. {} "
                                   "cancels",
                                   estimateText(manager.expectedSeconds()),
                                   localKeyName(Action::SplitView)));
}

void SplitView::pursue(FlightContext& context) {
  if (!awaited_ || !context.hasFlight() || context.replays()) return;
  if (context.modes.duel.duel()) {
    awaited_ = false;
    context.say("split", "a duel is flown with one detector");
    return;
  }
  // Bench and photo mode hide the view, so wait until they are closed
  if (context.modes.bench.on() || context.modes.photo.on()) return;
  // Frames of two machines do not fit in a file for one
  if (context.records.recorder.recordsFrames()) return;
  if (leftHalf_.narrow.empty())
    leftHalf_ = context.options.leftHalf.value_or(HalfChoice{"bsp", "", defaultBudget("bsp")});
  if (needsBspTrees(leftHalf_.narrow) && !context.flight().shapes().hasBspTrees()) return;
  awaited_ = false;
  begin(context, leftHalf_);
  if (!split_) return;
  // Modern machines are rarely short of time
  eraBefore_ = context.ui.detection.eraMode;
  setEraMode(context.ui, true);
  context.say("split",
              fmt::format("one flight, two detectors; on both sides detection takes {:.0f} times "
                          "as long as on this machine ({})",
                          detectionScale(context.ui), localKeyName(Action::EraMode)));
}

/// Starts from the current state of the flight.
void SplitView::begin(FlightContext& context, const HalfChoice& left) {
  // The left half flies no acts. Placed ships are in place in both halves, but the recording gets
  // them from the acts of the next frame
  context.flight().acts().keepPlacedShips();
  auto begun = SplitFlight::begin(left, context.flight(), context.options);
  if (!begun) {
    split_.reset();
    context.warn(begun.error().message);
    return;
  }
  split_ = *std::move(begun);
  left_.clearMarks();
  left_.rig = CameraRig();
  context.times.statistics.reset();
}

void SplitView::beginAgain(FlightContext& context) {
  if (!split_) return;
  leave(context);
  awaited_ = true;
}

void SplitView::restart(FlightContext& context) {
  if (split_) begin(context, HalfChoice(split_->leftChoice()));
}

void SplitView::show(FlightContext& context, const HalfChoice& left) {
  awaited_ = false;
  eraBefore_ = context.ui.detection.eraMode;
  begin(context, left);
}

void SplitView::leave(FlightContext& context) {
  awaited_ = false;
  if (!split_) return;
  split_.reset();
  if (!eraBefore_) context.ui.detection.eraMode = false;
  context.resetMeasurements();
  context.times.beginFrame();
}

void SplitView::nextLeftMethod(FlightContext& context) {
  if (!split_) {
    context.say("split", fmt::format("{} splits the view first", localKeyName(Action::SplitView)));
    return;
  }
  const auto phases = narrowPhaseCatalog();
  std::size_t at = 0;
  while (at < phases.size() && phases[at].name != leftHalf_.narrow) ++at;
  do {
    at = (at + 1) % phases.size();
  } while (phases[at].needsBspTrees && !split_->left().shapes().hasBspTrees());
  if (context.warnIfFailed(split_->setLeft(std::string(phases[at].name)))) return;
  leftHalf_ = split_->leftChoice();
  context.say("split", fmt::format("left: {}; {}", phases[at].name, phases[at].summary));
}

PickedShips SplitView::pick(const FlightContext& context, const PickedShips& picked,
                            glm::vec2 click) const {
  const int half = context.screen.width / 2, height = context.screen.height;
  const auto middle = static_cast<float>(half);
  return click.x < middle ? pickAt(split_->left(), picked, left_.camera, half, height, click)
                          : pickAt(context.flight(), picked, context.view.camera, half, height,
                                   click - glm::vec2(middle, 0.0f));
}

bool SplitView::advance(FlightContext& context) {
  if (!split_) return false;
  ageMarks(context);
  if (!consumeStep(context.ui)) return true;
  Flight& flight = context.flight();
  FrameTimes& times = context.times;
  split_->endTurn(targetOf(flight));
  split_->beginTurn();
  // Late frames advance by the same step, so that both halves fly the same frames
  if (split_->needsInput())
    split_->give(frameInput(context, nextStep(flight.scene(), context.ui.pace.speed(), {})));
  const auto began = SteadyTime::now();
  split_->fly(flight, userBudget(context), detectionScale(context.ui));
  turnWork_ = std::chrono::duration<double>(SteadyTime::now() - began).count();
  if (const auto fault = split_->takeFault())
    context.warn(fault->code == ErrorCode::Cancelled
                     ? std::string("cancelled: the left half keeps its trees")
                     : "the left half keeps its trees: " + fault->message);
  if (split_->half(Side::Left).advanced) {
    left_.marks.update(split_->left(), times.markSeconds, markLifetime(context));
    (void)left_.impacts.take(split_->left().output(), pictureSeconds(context));
  }
  ++times.framesFlown;
  if (!split_->half(Side::Right).advanced) return true;
  times.profile = flight.output().profile;
  context.modes.ghost.follow(flight, split_->rightInput());
  mark(context);
  showHits(context);
  times.advanced = true;
  return true;
}

bool SplitView::draw(FlightContext& context, Canvas& canvas) {
  if (!split_) return false;
  const Flight &left = split_->left(), &right = context.flight();
  const int width = context.screen.width, height = context.screen.height, half = width / 2;
  // A turn has the same length on both machines
  const double turn =
      picturesRepeat(context) ? seconds(targetOf(right)) : double{ImGui::GetIO().DeltaTime};
  const double now = pictureSeconds(context);
  const auto passed = [&](Side side) { return split_->half(side).advanced ? turn : 0.0; };

  for (FlightView* view : {&left_, &context.view})
    view->keepIn(context.panels.overlay.sceneArea(), width, height, true);
  left_.rig.moveAs(context.view.rig);
  left_.look(left, context.ui, passed(Side::Left));
  const HalfDrawn first = canvas.drawHalf(right.sharedShapes(),
                                          left_.compose(left, context.ui, passed(Side::Left), now),
                                          Viewport{0, half, height});

  FlightView& view = context.view;
  view.look(right, context.ui, passed(Side::Right));
  DrawFrame frame = view.compose(right, context.ui, passed(Side::Right), now);
  frame.ghosts = context.view.scene.withGhosts(context.modes.ghost.shipsToDraw(right));
  const HalfDrawn second =
      canvas.drawHalf(right.sharedShapes(), frame, Viewport{half, width - half, height});
  // On the work clock only counted work takes time, so pictures do not depend on drawing
  if (right.scene().clock != engine::ClockKind::Wall) return true;
  // Cap the drawing time: longer frames were disturbed by other processes, and if drawing fills a
  // frame the effect of detection is invisible
  const std::chrono::nanoseconds drawn(std::llround(1e9 * std::min(first.seconds, second.seconds)));
  split_->drew(std::min(drawn, targetOf(right) / 2));
  canvas.fitHalves(first.triangles + second.triangles, first.seconds + second.seconds, turnWork_,
                   seconds(targetOf(right)));
  return true;
}

bool SplitView::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                      std::span<const Ground> grounds) {
  if (!split_) return false;
  const Overlay& overlay = context.panels.overlay;
  const glm::vec2 half(std::floor(0.5f * window.x), window.y);
  const Rect& scene = overlay.sceneArea();
  const Rect area{0.0f, scene.y, half.x, scene.height};
  {
    const InPart part(ink, {0.0f, 0.0f, half.x, half.y});
    left_.label(ink, split_->left(), context.ui, half, area, grounds);
  }
  {
    const InPart part(ink, {half.x, 0.0f, window.x - half.x, half.y});
    std::vector<Ground> shifted(grounds.begin(), grounds.end());
    for (Ground& ground : shifted) ground.rect.x -= half.x;
    context.view.label(ink, context.flight(), context.ui, half, area, shifted);
    context.modes.ghost.labelShips(context, ink, half);
  }
  const Rect& above = overlay.areaOf(Panel::Status);
  ink.segment({half.x, above.bottom()}, {half.x, window.y}, palette::text, 2.0f);
  return true;
}

void SplitView::addShipAreas(const FlightContext& context, glm::vec2 window,
                             std::vector<Rect>& out) const {
  const glm::vec2 half(std::floor(0.5f * window.x), window.y);
  left_.addShipAreas(split_->left(), half, 0.0f, out);
  context.view.addShipAreas(context.flight(), half, half.x, out);
}

std::optional<std::array<Measured, 2>> SplitView::measured() const {
  if (!split_) return std::nullopt;
  const Half &left = split_->half(Side::Left), &right = split_->half(Side::Right);
  return std::array{Measured{&left.history, &left.statistics},
                    Measured{&right.history, &right.statistics}};
}

HalfView SplitView::halfView(const FlightContext& context, Side side, const Flight& flight,
                             double ahead) const {
  return HalfView{side == Side::Left ? "left" : "right", methods_[side], budgets_[side],
                  &context.panels.numbers.half(side), ahead - flight.world().time()};
}

void SplitView::describe(FlightContext& context, OverlayView& view) {
  if (!split_) return;
  const Flight &left = split_->left(), &right = context.flight();
  methods_ = {detectionOf(left), detectionOf(right)};
  // In the time of the simulated machines, as all numbers of the halves
  engine::BudgetRule leftBudget = split_->leftChoice().budget, rightBudget = userBudget(context);
  leftBudget.eraScale = rightBudget.eraScale = 1.0;
  budgets_ = {budgetWords(leftBudget), budgetWords(rightBudget)};
  bothMethods_ = fmt::format("{} | {}", left.inUse().narrow, right.inUse().narrow);
  const double ahead = std::max(left.world().time(), right.world().time());
  view.modes.halves = {halfView(context, Side::Left, left, ahead),
                       halfView(context, Side::Right, right, ahead)};
  view.frames.history = &split_->half(Side::Right).history;
  view.flight.method = bothMethods_;
}

}  // namespace nearmiss::app::fly
