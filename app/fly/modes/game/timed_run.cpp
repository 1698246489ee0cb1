// SPDX-License-Identifier: MIT
#include "fly/modes/game/timed_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "console/text.h"
#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

/// Tolerance for rounding over many steps, simulation seconds.
constexpr Real forgiven = 1e-6;

/// Point between the surfaces of the user's ship and another.
Vec3 placeBetween(const BodyState& own, const BodyState& other) noexcept {
  const Real both = own.shape.radius() + other.shape.radius();
  const Real share = both > 0.0 ? own.shape.radius() / both : 0.5;
  return own.pose.position + share * (other.pose.position - own.pose.position);
}

std::string wordsOf(const engine::NearMiss& miss) {
  return fmt::format("near miss: {}", gapText(miss.distance));
}

std::string wordsOf(const engine::Hit& hit, int levelCap) {
  if (!hit.falseHit()) return "hit";
  const std::string depth =
      hit.stage == Stage::Bounds ? "the bounding spheres" : fmt::format("level {}", hit.level);
  const std::string_view cause = !hit.mayGoOn            ? "the method"
                                 : hit.level >= levelCap ? "the level cap"
                                                         : "the budget";
  return fmt::format("false hit: {} ended at {}, the gap was {}", cause, depth, gapText(hit.gap));
}

}  // namespace

Real TimedRun::wallOf(const Flight& flight) noexcept {
  return engine::hasWall(flight.scene()) ? flight.world().ships().arena().radius
                                         : std::numeric_limits<Real>::infinity();
}

void TimedRun::begin() {
  forgetNear();
  score_ = {};
  running_ = true;
  flown_ = 0.0;
  minBudget_ = Clock::Duration::max();
  maxBudget_ = {};
  events_.clear();
  earned_.clear();
  lastEvent_.clear();
  timesBack_ = 0;
}

void TimedRun::flyBack(const TimedRun& past) {
  const bool running = running_;
  const std::uint32_t times = timesBack_ + 1;
  *this = past;
  // A run that was ended stays ended
  running_ = running_ && running;
  timesBack_ = times;
}

bool TimedRun::take(const engine::FrameOutput& output, std::size_t user, const Shapes& shapes,
                    Clock::Duration budget, int levelCap, Real wall) {
  const BodyState& own = output.bodies[user];
  atWall_ = glm::length(own.pose.position) > wall;
  const Real radius = own.shape.radius();
  events_.clear();
  earned_.clear();
  nearMisses_.take(output, user, shapes);
  hits_.take(output, user, shapes);
  if (!hits_.now().empty()) passStreak_ = 0;
  passStreak_ += static_cast<std::uint32_t>(nearMisses_.ended().size());
  for (const engine::NearMiss& miss : nearMisses_.ended())
    showEvent(wordsOf(miss), atWall_ ? 0 : (running_ ? score_ : free_).take(miss, radius),
              "no points at the wall or at rest", placeBetween(own, output.bodies[miss.ship]));
  for (const engine::Hit& hit : hits_.now()) {
    const std::int64_t points = (running_ ? score_ : free_).take(hit);
    if (running_ || hit.falseHit())
      showEvent(wordsOf(hit, levelCap), points, "nothing to lose",
                placeBetween(own, output.bodies[hit.ship]));
  }
  minBudget_ = std::min(minBudget_, budget);
  maxBudget_ = std::max(maxBudget_, budget);
  if (!running_) return false;
  flown_ = output.profile.simTime;
  running_ = flown_ < length - forgiven;
  return !running_;
}

void TimedRun::showEvent(std::string what, std::int64_t points, std::string_view nothing,
                         const Vec3& place) {
  if (running_) {
    what += points != 0 ? fmt::format(": {:+}", points) : fmt::format(": {}", nothing);
    lastEvent_ = what;
    if (points != 0) earned_.push_back({points, place});
  }
  events_.push_back(std::move(what));
}

RunView TimedRun::view() const noexcept {
  return {std::max(length - flown_, 0.0),
          score_.points(),
          score_.streak(),
          score_.times(),
          lastEvent_,
          {}};
}

engine::BestRun TimedRun::result(const engine::Scene& scene) const {
  engine::BestRun run;
  setScore(run, score_);
  run.scene = scene.name;
  run.seed = scene.seed;
  run.minBudget = minBudget_;
  run.maxBudget = maxBudget_;
  return run;
}

void setScore(engine::BestRun& run, const engine::Score& score) noexcept {
  run.points = score.points();
  run.nearMisses = score.nearMisses().count;
  run.hits = score.hits().count;
  run.falseHits = score.falseHits().count;
  run.longestStreak = score.longestStreak();
}

std::vector<PageGroup> runPage(const engine::Score& score, const engine::BestRun& run,
                               const engine::BestRuns& best, std::optional<std::size_t> rank) {
  const auto line = [](const engine::ScoreLine& of) {
    return fmt::format("{:+} for {}", of.points, of.count);
  };
  PageGroup earned{"What earned it",
                   {{"near misses", line(score.nearMisses())},
                    {"hits", line(score.hits())},
                    {"false hits", line(score.falseHits())},
                    {"longest streak", fmt::format("{}", score.longestStreak())},
                    {"min budget", budgetText(run.minBudget)},
                    {"max budget", budgetText(run.maxBudget)}}};
  return {std::move(earned), {"Next time", {{"", runAdvice(score)}}}, bestRunsGroup(best, rank)};
}

PageGroup bestRunsGroup(const engine::BestRuns& best, std::optional<std::size_t> rank,
                        std::string_view scene) {
  PageGroup table{"Best runs", {}};
  for (std::size_t i = 0; i < best.runs.size(); ++i)
    if (scene.empty() || best.runs[i].scene == scene)
      table.rows.push_back(
          {fmt::format("{}. {} points", table.rows.size() + 1, best.runs[i].points),
           runText(best.runs[i]) + (i == rank ? ", this run" : "")});
  if (table.rows.empty()) table.rows.push_back({"", "none yet"});
  return table;
}

std::string runAdvice(const engine::Score& score) {
  const std::int64_t lost = -(score.hits().points + score.falseHits().points);
  if (score.nearMisses().count == 0)
    return "Fly towards the others at full thrust, and turn aside at the last moment.";
  if (lost > score.nearMisses().points / 4)
    return fmt::format("Turn aside earlier: {} cost {} points.",
                       counted(score.hits().count + score.falseHits().count, "hit"), lost);
  if (score.falseHits().count > 0)
    return fmt::format("Give detection more time ({}): {} came from too little of it.",
                       firstKeyName(Action::BudgetUp),
                       counted(score.falseHits().count, "false hit"));
  if (score.longestStreak() < engine::Score::maxTimes)
    return fmt::format("Go for a streak: {} passes without a hit multiply points by {}.",
                       engine::Score::maxTimes, engine::Score::maxTimes);
  return "Closer: a pass at no distance earns five times as much as one at the limit.";
}

void RunMode::toggle(FlightContext& context) {
  if (run_.running()) {
    giveUp(context);
    return;
  }
  // The scenes of missions and duels have their own points
  if (context.modes.hasGame()) {
    (void)context.restart(context.flight().scene().seed);
    return;
  }
  // Points are for a single flight
  context.modes.split.leave(context);
  if (context.restart(context.flight().scene().seed)) begin(context);
}

void RunMode::beginReplay(const engine::SessionPlayer& player) {
  const std::filesystem::path folder = engine::bestRunsFolder();
  std::error_code failed;
  const std::filesystem::path file = std::filesystem::absolute(player.session().file(), failed);
  replaysRun_ = !folder.empty() && std::filesystem::equivalent(file.parent_path(), folder, failed);
  marks_.clear();
  level_ = engine::levelAfter(0);
  if (replaysRun_) run_.begin();
}

void RunMode::endReplay() noexcept {
  if (std::exchange(replaysRun_, false)) run_.giveUp();
  marks_.clear();
}

std::uint64_t RunMode::replayFrom(std::uint64_t frame) {
  if (!replaysRun_) return frame - 1;
  while (!marks_.empty() && marks_.back().frame >= frame) marks_.pop_back();
  if (marks_.empty()) {
    run_.begin();
    return 0;
  }
  run_ = marks_.back().run;
  return marks_.back().frame;
}

void RunMode::saveReplayMark(const engine::SessionPlayer& player) {
  constexpr std::uint64_t every = 64;  // frames
  const std::uint64_t at = player.position();
  if (replaysRun_ && at % every == 0 && (marks_.empty() || marks_.back().frame < at))
    marks_.push_back({at, run_});
}

void RunMode::giveUp(FlightContext& context) {
  if (!on()) return;
  run_.giveUp();
  context.say("run", "the run is given up");
}

void RunMode::beginAgain(FlightContext& context) {
  if (on() || (context.ui.pages.runEnd && !context.modes.hasGame())) begin(context);
}

/// Starts at the beginning of a scene at normal speed, so that runs are comparable.
void RunMode::begin(FlightContext& context) {
  run_.begin();
  floating_.clear();
  const std::filesystem::path folder = engine::bestRunsFolder();
  const Result<engine::BestRuns> table =
      folder.empty() ? Result<engine::BestRuns>(engine::BestRuns{}) : engine::readBestRuns(folder);
  if (table && !table->note.empty()) context.warn(table->note);
  // Without a home folder levels last as long as the program
  const std::string& scene = context.flight().scene().name;
  level_ = engine::levelAfter(
      std::max(won_[scene], table ? engine::levelsWon(*table, scene) : std::size_t{0}));
  context.ui.pages.runEnd = false;
  context.ui.pace.paused = false;
  context.ui.pace.speedExponent = 0;
}

void RunMode::saveMark(const engine::FlightPast& past) {
  const std::uint64_t frame = past.end() - 1;
  if (!marks_.empty() && frame <= marks_.back().frame) marks_.clear();
  while (!marks_.empty() && marks_.front().frame < past.begin()) marks_.pop_front();
  if (frame == past.lastSnapshot()) marks_.push_back({frame, run_});
}

void RunMode::flyBack(const FlightContext& context, engine::Rewinder& way) {
  const std::uint64_t position = way.position();
  floating_.clear();
  // In a split view the flight continues without notice here of dropped frames
  const engine::FlightPast& past = *context.flight().past();
  while (!marks_.empty() && marks_.front().frame < past.begin()) marks_.pop_front();
  while (!marks_.empty() && marks_.back().frame > position) marks_.pop_back();
  if (marks_.empty()) return;
  run_.flyBack(marks_.back().run);
  const Flight& flight = context.flight();
  const std::size_t user = flight.simulation().userIndex();
  const Shapes& shapes = flight.shapes().collision();
  // Errors are reported when the flight is continued
  (void)way.fly(marks_.back().frame, position,
                [&](const engine::FlownFrame& frame, const engine::FrameOutput& output) {
                  (void)run_.take(output, user, shapes, frame.budget, frame.levelCap,
                                  TimedRun::wallOf(flight));
                });
}

void RunMode::follow(FlightContext& context, Clock::Duration budget, bool shown) {
  if (const engine::FlightPast* past = context.flight().past()) saveMark(*past);
  const bool over = run_.take(context.flight(), budget, context.ui.detection.levelCap);
  if (!run_.events().empty()) {
    recentEvent_ = run_.events().back();
    recentEventAt_ = context.times.wallSeconds();
  }
  // The player's face and the panel of the run show events, if they are visible
  const OverlayMode overlay = context.ui.view.overlay;
  if (overlay != OverlayMode::Player && (!run_.running() || overlay == OverlayMode::Off))
    for (const std::string& event : run_.events()) context.say("event", event);
  for (const TimedRun::Earned& each : run_.earned()) {
    if (!shown) break;
    floating_.add(each.points, each.place, pictureSeconds(context));
    if (each.points > 0) context.hear({Cue::NearMiss, static_cast<float>(run_.score().streak())});
  }
  if (const engine::SessionPlayer* player = context.flight().player())
    saveReplayMark(*player);
  else if (over)
    end(context);
}

bool RunMode::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                    std::span<const Ground>) {
  if (floating_.count() > 0 && !context.modes.split.on())
    floating_.draw(ink, context.view.camera, window, pictureSeconds(context));
  return false;
}

engine::BestRun RunMode::result(const FlightContext& context) const {
  return run_.result(context.flight().scene());
}

std::string_view RunMode::recentEvent(double wallSeconds) const noexcept {
  constexpr double recent = 2.0;
  return wallSeconds < recentEventAt_ + recent ? std::string_view(recentEvent_)
                                               : std::string_view();
}

std::string RunMode::line() const {
  const RunView run = run_.view();
  return fmt::format("Pass ships closely without touching: {} of {} points, {:.0f} s left.",
                     run.points, level_.goal, run.left);
}

engine::StoredRun keepRun(FlightContext& context, engine::BestRun& run) {
  run.date = fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr)));
  engine::SessionWriter& session = context.flightManager.session();
  engine::SessionSaving save;
  if (session.includesStart())
    save = [&session](const std::filesystem::path& file) { return session.saveCopy(file); };
  const std::filesystem::path folder = engine::bestRunsFolder();
  engine::StoredRun kept;
  if (folder.empty())
    context.warn("the run cannot be saved: no home folder found");
  else if (auto written = engine::storeRun(folder, run, save))
    kept = *std::move(written);
  else
    context.warn("the run cannot be saved: " + written.error().message);
  if (!kept.table.note.empty()) context.warn(kept.table.note);
  return kept;
}

void RunMode::end(FlightContext& context) {
  // No rewinding into a finished run
  if (engine::FlightPast* past = context.flight().past()) past->clear();
  marks_.clear();
  engine::BestRun run = result(context);
  const bool won = run.points >= level_.goal;
  const bool counts = run_.timesBack() == 0;
  if (won && counts) run.level = won_[run.scene] = level_.number;
  engine::StoredRun kept;
  if (counts)
    kept = keepRun(context, run);
  else
    context.note(fmt::format("flown back {}: the run is not among the best",
                             counted(run_.timesBack(), "time")));
  page_ = runPage(run_.score(), run, kept.table, kept.rank);
  const std::string rank = !kept.rank        ? std::string()
                           : *kept.rank == 0 ? std::string(", best run so far")
                                             : fmt::format(", rank {}", *kept.rank + 1);
  title_ = fmt::format("The run is over: {} points{}; level {} {}", run.points, rank, level_.number,
                       won ? std::string("won") : fmt::format("is won by {}", level_.goal));
  context.modes.passes.finish();
  page_.push_back(passesGroup(context));
  context.ui.pages.runEnd = true;
  context.ui.pace.paused = true;
  context.ui.pages.scroll = 0.0f;
}

void RunMode::describe(FlightContext& context, OverlayView& view) {
  if (run_.running() || replaysRun_) {
    view.modes.run = run_.view();
    view.modes.run->level = level_;
  }
  if (context.ui.pages.runEnd && !context.modes.gameEnded()) view.modes.runEnd = {title_, page_};
}

}  // namespace nearmiss::app::fly
