// SPDX-License-Identifier: MIT
#include "fly/modes/bench/bench_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <utility>

#include "fly/flight_context.h"
#include "fly/loop/canvas.h"
#include "fly/loop/frame_times.h"
#include "fly/modes/bench/bench_pose.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr Real benchMoveRate = 0.5;  // radii of the body per second
constexpr Real benchTurnRate = 0.8;  // radians per second
constexpr Real benchTurnPerPixel = 0.008;
constexpr double benchDistance = 3.2;  // relative to both radii

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

Quat about(const Vec3& axis, Real angle) { return glm::angleAxis(angle, axis); }

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
              fmt::format("arrows, {}, {} or the mouse move a body; {}: the other, {}: "
                          "turn",
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

/// The eye orbits a sphere around both bodies.
void BenchMode::resetEye(FlightContext& context) {
  CameraRig& rig = context.view.rig;
  rig = CameraRig();
  rig.setMode(CameraMode::Orbit);
  rig.face(0.35, 0.25);
  rig.glide(benchDistance, 0.0, 1e9);
  if (!bench_) return;
  const Sphere a = bench_->around(0, setup_.poses[0]), b = bench_->around(1, setup_.poses[1]);
  const Real apart = glm::distance(a.centre, b.centre);
  focus_.radius = std::max({0.5 * (apart + a.radius + b.radius), a.radius, b.radius});
  const Vec3 way = apart > 0.0 ? (b.centre - a.centre) / apart : Vec3(0.0);
  const Real along = std::clamp(0.5 * (apart + b.radius - a.radius), 0.0, apart);
  focus_.centre = a.centre + along * way;
}

void BenchMode::leave(FlightContext& context) {
  if (!on()) return;
  UiState before = before_->ui;
  before.view.muted = context.ui.view.muted;
  before.view.reduceFlashing = context.ui.view.reduceFlashing;
  context.ui = before;
  context.view.rig = before_->rig;
  before_.reset();
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
  setup.models[inHand_] = model;
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
  if (auto latest = reader_.latest(); latest && latest->of.bench == bench_) answer_ = latest;
  if (!answer_) return {};
  const bool current = samePlaces(answer_->of.setup, setup_);
  if (!answer_->reading) return {nullptr, current, answer_->reading.error().message};
  return {&*answer_->reading, current, {}};
}

void BenchMode::turn(std::size_t body, const Quat& by) noexcept {
  Pose& pose = setup_.poses[body];
  const Vec3 middle = bench_->around(body, pose).centre;
  pose.rotation = glm::normalize(by * pose.rotation);
  pose.position = middle - pose.rotation * bench_->around(body).centre;
}

bool BenchMode::grab(FlightContext& context, const glm::vec2& at) {
  if (!on() || !bench_) return on();
  double nearest = 1e300;
  for (std::size_t i = 0; i < 2; ++i) {
    const Sphere around = bench_->around(i, setup_.poses[i]);
    glm::vec2 middle, edge;
    const Vec3 aside = camera_.pose.rotation * Vec3(around.radius, 0.0, 0.0);
    if (!project(camera_, context.screen.width, context.screen.height, around.centre, middle) ||
        !project(camera_, context.screen.width, context.screen.height, around.centre + aside, edge))
      continue;
    const double away = glm::distance(middle, at);
    if (away > std::max(glm::distance(middle, edge), 12.0f) || away >= nearest) continue;
    nearest = away;
    inHand_ = i;
  }
  return true;
}

bool BenchMode::pull(FlightContext& context, const glm::vec2& by, bool turns) {
  if (!on() || !bench_) return on();
  const Quat& eye = camera_.pose.rotation;
  const Vec3 right = eye * Vec3(1, 0, 0), up = eye * Vec3(0, 1, 0);
  if (turns != turning_) {
    turn(inHand_, about(up, benchTurnPerPixel * by.x) * about(right, benchTurnPerPixel * by.y));
    return true;
  }
  const Vec3 middle = bench_->around(inHand_, setup_.poses[inHand_]).centre;
  const Real depth = -(glm::conjugate(eye) * (middle - camera_.pose.position)).z;
  const Real perPixel = 2.0 * std::tan(0.5 * camera_.fieldOfView) * std::max(depth, 0.0) /
                        std::max(1, context.screen.height);
  setup_.poses[inHand_].position += perPixel * (Real{by.x} * right - Real{by.y} * up);
  return true;
}

/// Moves the body by held keys, relative to the eye.
void BenchMode::move(FlightContext& context) {
  const engine::ShipControl& sticks = context.steering.control;
  const Real passed = std::min(context.times.turnSeconds, longestRealFrame);
  const Quat& eye = camera_.pose.rotation;
  const Vec3 right = eye * Vec3(1, 0, 0), up = eye * Vec3(0, 1, 0), back = eye * Vec3(0, 0, 1);
  if (sticks.roll != 0.0) turn(inHand_, about(back, -benchTurnRate * passed * sticks.roll));
  if (turning_) {
    if (sticks.yaw != 0.0 || sticks.pitch != 0.0)
      turn(inHand_, about(up, -benchTurnRate * passed * sticks.yaw) *
                        about(right, -benchTurnRate * passed * sticks.pitch));
    return;
  }
  const Real way = benchMoveRate * passed * bench_->around(inHand_).radius;
  setup_.poses[inHand_].position +=
      way * (-sticks.yaw * right + sticks.pitch * up - sticks.thrust * back);
}

bool BenchMode::handle(FlightContext& context, Action action) {
  using enum Action;
  if (!on() || action == Bench || commandOf(action).isSafeIn(SafeIn::Bench)) return false;
  if (action == NextOverlay)
    inHand_ = 1 - inHand_;
  else if (action == Pause)
    turning_ = !turning_;
  else if (action == NextCamera || action == ResetCamera)
    resetEye(context);
  else if (action == RecordSession)
    save(context);
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
  move(context);
  // Options that end a flight or request a picture also count these frames
  FrameTimes& times = context.times;
  times.profile = {};
  times.profile.frame = times.framesFlown++;
  times.advanced = true;
  return true;
}

void BenchMode::compose(const BenchReading* reading) {
  bodies_.clear();
  spheres_.clear();
  lines_.clear();
  for (std::uint32_t i = 0; i < 2; ++i) {
    ShipInstance body;
    body.shape = i;
    body.pose = setup_.poses[i];
    body.tint = linear(i == 0 ? palette::own : palette::drone);
    body.outline = i == inHand_ ? 1.0f : 0.0f;
    bodies_.push_back(body);
  }
  if (!reading) return;
  constexpr std::size_t maxDrawn = 12;
  const glm::vec3 colour = srgb(levelColour(engine::depthOf(reading->known)));
  for (std::size_t i = 0; i < std::min(maxDrawn, reading->contacts.size()); ++i)
    for (const Sphere& sphere : {reading->contacts[i].a, reading->contacts[i].b})
      spheres_.push_back({sphere, colour, 0.8f, true});
  if (reading->distance.upper > 0.0)
    lines_.push_back({reading->distance.pointA, reading->distance.pointB, glm::vec3(1.0f)});
  if (reading->penetration) {
    const Vec3 from = bench_->around(1, setup_.poses[1]).centre;
    lines_.push_back({from, from + reading->penetration->upper * reading->penetration->direction,
                      srgb(palette::overrun)});
  }
}

bool BenchMode::draw(FlightContext& context, Canvas& canvas) {
  if (!on()) return false;
  if (!bench_) {
    Canvas::clear();
    return true;
  }
  const Shown now = shown(context.options.window.headless || unattended(context.options));
  camera_ = context.view.rig.update({focus_.centre}, focus_.radius, 0.0);
  camera_.nearPlane = 0.01 * focus_.radius;
  camera_.farPlane = 200.0 * focus_.radius;
  compose(now.current ? now.reading : nullptr);
  DrawFrame frame;
  frame.camera = camera_;
  frame.ships = bodies_;
  frame.spheres = spheres_;
  frame.lines = lines_;
  frame.backdrop = srgb(palette::plot);
  canvas.draw(bench_->shapes(), frame, context.screen.width, context.screen.height);
  return true;
}

}  // namespace nearmiss::app::fly
