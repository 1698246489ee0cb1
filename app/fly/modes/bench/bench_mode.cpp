// SPDX-License-Identifier: MIT
#include "fly/modes/bench/bench_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "fly/flight_context.h"
#include "fly/loop/canvas.h"
#include "fly/loop/frame_times.h"
#include "fly/modes/bench/bench_pose.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr double stillSeconds = 0.4;  // then the eye moves

/// Returns the level that a key sets.
std::optional<int> levelOf(Action action) noexcept {
  using enum Action;
  constexpr std::array caps{Cap1, Cap2, Cap3, Cap4, Cap5};
  static_assert(caps.size() == engine::exactDepth);
  if (action == CapNone) return engine::exactDepth;
  const auto cap = std::ranges::find(caps, action);
  if (cap == caps.end()) return std::nullopt;
  return 1 + static_cast<int>(cap - caps.begin());
}

}  // namespace

/// The state of the window before the bench was opened.
struct BenchMode::Before {
  UiState ui;
  CameraRig rig;
};

void BenchMode::toggle(FlightContext& context) {
  if (on())
    leave(context);
  else if (setup_.models[0].empty())
    enter(context, {"lamp", "truck"});
  else
    enter(context, setup_.models);
}

void BenchMode::enter(FlightContext& context, const std::array<std::string, 2>& models) {
  context.modes.tour.leave(context);
  UiState& ui = context.ui;
  before_ = std::make_shared<Before>(Before{ui, context.view.rig});
  ui.pages = {};
  ui.view.overlay = OverlayMode::Off;
  ui.steering.mouseSteering = false;
  resetEye(context);
  context.toasts.clear();
  context.say("bench",
              fmt::format("arrows, {}, {} or the mouse move a body; beside it the mouse orbits; "
                          "{}: the other, {}: turn",
                          localKeyName(Action::ThrustForward), localKeyName(Action::ThrustBack),
                          localKeyName(Action::NextOverlay), localKeyName(Action::Pause)));
  if (bench_ && models == setup_.models) return;
  BenchSetup setup;
  setup.models = models;
  placed_ = false;
  const std::filesystem::path& file = context.options.benchPose;
  std::error_code failed;
  if (!file.empty() && std::filesystem::exists(file, failed)) {
    if (auto read = readBench(file); !read) {
      context.warn(read.error().message);
    } else {
      // Keep the requested models
      setup.poses = read->poses;
      setup.limits = read->limits;
      placed_ = true;
    }
  } else if (!file.empty()) {
    context.say("pose", fmt::format("\"{}\" does not exist yet: the bodies are placed side by side",
                                    file.string()));
  }
  requestModels(context, setup);
}

/// The eye orbits both bodies.
void BenchMode::resetEye(FlightContext& context) {
  CameraRig& rig = context.view.rig;
  rig = CameraRig();
  rig.setMode(CameraMode::Orbit);
  rig.face(0.35, 0.25);
  rig.glide(BenchScene::wholeView, 0.0, 1e9);
  hand_.endSweep();
  if (bench_) scene_.setBodies(*bench_);
}

void BenchMode::leave(FlightContext& context) {
  if (!on()) return;
  UiState before = before_->ui;
  before.view.muted = context.ui.view.muted;
  before.view.volumes = context.ui.view.volumes;
  before.view.reduceFlashing = context.ui.view.reduceFlashing;
  context.ui = before;
  context.view.rig = before_->rig;
  before_.reset();
  context.toasts.forget("bench");
  loader_.cancel();
  context.times.beginFrame();
}

/// Loads a built-in model as in flights, and a file in its own frame and unit.
void BenchMode::requestModels(FlightContext& context, const BenchSetup& setup) {
  std::vector<engine::ModelFile> files;
  const std::vector<std::string> builtIn = engine::builtInModels();
  for (const std::string& model : setup.models) {
    const auto found = engine::findModel(model);
    if (context.warnIfFailed(found)) return;
    files.push_back({*found, std::ranges::find(builtIn, model) == builtIn.end()});
  }
  wanted_ = setup;
  loader_.load(std::move(files), context.options, "Loading the bench");
}

void BenchMode::pollModels(FlightContext& context) {
  auto outcome = loader_.take();
  if (!outcome) return;
  if (!outcome->loaded) {
    const Error& error = outcome->loaded.error();
    if (error.code == ErrorCode::Cancelled)
      context.say("bench", "cancelled; nothing changed");
    else if (bench_ || !unattended(context.options))
      context.warn(error.message);
    else
      context.fail(error);
    return;
  }
  const auto& shapes = outcome->loaded->shapes;
  for (const engine::LoadedShape& shape : shapes->shapes())
    for (const std::string& note : shape.notes) context.warn(note);
  auto bench = std::make_shared<Bench>(shapes);
  const std::array<Pose, 2> apart = bench->sideBySide();
  for (std::size_t i = 0; i < 2; ++i) {
    if (placed_) continue;
    const auto stays = [&](std::size_t body) {
      return bench_ && wanted_.models[body] == setup_.models[body];
    };
    wanted_.poses[i] = stays(0) || stays(1) ? setup_.poses[i] : apart[i];
    // A replacement gets centre and rotation of the previous body
    if (!stays(i) && stays(1 - i))
      wanted_.poses[i].position = bench_->around(i, setup_.poses[i]).centre -
                                  setup_.poses[i].rotation * bench->around(i).centre;
  }
  setup_ = wanted_;
  bench_ = std::move(bench);
  answer_.reset();
  requested_.reset();
  plot_.clear();
  resetEye(context);
}

bool BenchMode::drop(FlightContext& context, const std::filesystem::path& file) {
  if (!on()) return false;
  if (file.extension() == ".toml")
    load(context, file);
  else
    replace(context, file.string());
  return true;
}

void BenchMode::replace(FlightContext& context, const std::string& model) {
  BenchSetup setup = setup_;
  setup.models[hand_.body] = model;
  placed_ = false;
  requestModels(context, setup);
}

void BenchMode::load(FlightContext& context, const std::filesystem::path& file) {
  auto read = readBench(file);
  if (context.warnIfFailed(read)) return;
  if (bench_ && read->models == setup_.models) {
    setup_ = *read;
    resetEye(context);
    context.say("bench", fmt::format("pose of \"{}\"", file.string()));
    return;
  }
  placed_ = true;
  requestModels(context, *read);
}

std::filesystem::path BenchMode::poseFile(const FlightContext& context) const {
  const std::filesystem::path& named = context.options.benchPose;
  return named.empty() ? std::filesystem::path(defaultBenchFile) : named;
}

void BenchMode::save(FlightContext& context) const {
  const std::filesystem::path file = poseFile(context);
  if (auto saved = saveBench(setup_, file); !saved)
    context.warn(withRemedy(saved.error().message));
  else
    noteFile(context, "pose saved to", file);
}

std::string BenchMode::csv() {
  const Shown now = shown(true);
  return now.reading ? csvOf(setup_, *now.reading) : std::string();
}

BenchMode::Answer BenchMode::answerQuestion(Question question) {
  Result<BenchReading> reading = question.bench->read(question.setup);
  return {std::move(question), std::move(reading)};
}

BenchMode::Shown BenchMode::shown(bool wait) {
  if (!bench_) return {};
  if (!requested_ || !samePlaces(*requested_, setup_)) {
    requested_ = setup_;
    reader_.ask({bench_, setup_});
  }
  if (wait) reader_.await();
  if (auto latest = reader_.latest(); latest && latest->of.bench == bench_ && latest != answer_) {
    if (answer_ && answer_->of.setup.limits != latest->of.setup.limits) plot_.forgetLimited();
    answer_ = latest;
    if (answer_->reading) plot_.add(*answer_->reading);
  }
  if (!answer_) return {};
  const bool current = samePlaces(answer_->of.setup, setup_);
  if (!answer_->reading) return {nullptr, current, answer_->reading.error().message};
  return {&*answer_->reading, current, {}};
}

bool BenchMode::grab(FlightContext& context, const glm::vec2& at) {
  if (!on() || !bench_) return on();
  hand_.endSweep();
  if (at.x >= sceneArea(context).x) hand_.grab(reach(), at);
  return true;
}

bool BenchMode::pull(FlightContext& context, const glm::vec2& by, bool turns) {
  if (!on() || !bench_) return on();
  if (hand_.orbits())
    context.view.rig.drag(double{by.x}, double{by.y});
  else
    hand_.pull(reach(), by, turns);
  return true;
}

bool BenchMode::handle(FlightContext& context, Action action) {
  using enum Action;
  if (!on() || action == Bench || commandOf(action).isSafeIn(SafeIn::Bench)) return false;
  if (action == NextOverlay)
    hand_.endSweep(), hand_.body = 1 - hand_.body;
  else if (action == Pause)
    hand_.turning = !hand_.turning;
  else if (action == NextCamera || action == ResetCamera)
    resetEye(context);
  else if (action == RecordSession)
    save(context);
  else if (action == FoldPanels)
    folded_ = !folded_;
  else if (action == Run && bench_)
    hand_.toggleSweep(reach());
  else if (const auto level = levelOf(action))
    setup_.limits.level = *level;
  else if (commandOf(action).does)
    context.say("bench",
                fmt::format("the flight waits; {} leaves the bench", localKeyName(Action::Bench)));
  return true;
}

bool BenchMode::advance(FlightContext& context) {
  if (!on()) return false;
  pollModels(context);
  if (context.ui.waits() || !bench_) return true;
  const double step =
      inRealTime(context) ? std::min(context.times.turnSeconds, longestRealFrame) : 1.0 / 60.0;
  hand_.move(reach(), context.steering.control, step);
  // Options that end a flight or request a picture also count these frames
  FrameTimes& times = context.times;
  times.profile = {};
  times.profile.frame = times.framesFlown++;
  times.advanced = true;
  return true;
}

Rect BenchMode::sceneArea(const FlightContext& context) const {
  const auto width = static_cast<float>(context.screen.width);
  const float left = folded_ ? 0.0f : benchPanelWidth(textSize(), width);
  return {left, 0.0f, width - left, static_cast<float>(context.screen.height)};
}

bool BenchMode::draw(FlightContext& context, Canvas& canvas) {
  if (!on()) return false;
  Canvas::clear();
  if (!bench_) return true;
  const bool repeats = context.options.window.headless || unattended(context.options);
  const Shown now = shown(repeats);
  const Rect area = sceneArea(context);
  const bool moved = std::ranges::any_of(std::array<std::size_t, 2>{0, 1}, [&](std::size_t i) {
    return setup_.poses[i].position != lastPoses_[i].position ||
           setup_.poses[i].rotation != lastPoses_[i].rotation;
  });
  still_ = moved ? 0.0 : still_ + context.times.turnSeconds;
  lastPoses_ = setup_.poses;
  const bool atOnce = repeats && !hand_.sweeps();
  scene_.look(context.view.rig, setup_.poses, area, hand_.sweeps() || still_ < stillSeconds,
              atOnce ? std::numeric_limits<double>::infinity() : context.times.turnSeconds);
  const DrawFrame& frame =
      scene_.compose(*bench_, setup_, now.current ? now.reading : nullptr, hand_.body);
  const auto left = static_cast<int>(area.x);
  canvas.draw(bench_->shapes(), frame,
              Viewport{left, context.screen.width - left, context.screen.height});
  return true;
}

}  // namespace nearmiss::app::fly
