// SPDX-License-Identifier: MIT
#include <SDL_clipboard.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "fly/flight_context.h"
#include "fly/modes/bench/bench_mode.h"
#include "fly/modes/bench/bench_pose.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"
#include "fly/view/contact_drawing.h"

namespace nearmiss::app::fly {
namespace {

// The time scale: timeDecades from one microsecond; its end means unlimited
constexpr double timeDecades = 4.0, limitedPart = 0.95;
constexpr Real benchArrow = 0.4;  // arrow length at a contact, relative to the smaller radius
constexpr float benchPanelEms = 25.0f, benchPanelShare = 0.3f, benchPanelInset = 8.0f;

float benchPanelWidth(float em, float window) noexcept {
  return std::min(benchPanelEms * em, benchPanelShare * window);
}

double placeOf(const BenchLimits& limits) noexcept {
  if (!limits.time) return 1.0;
  const double microseconds = 1e-3 * static_cast<double>(limits.time->count());
  return std::clamp(limitedPart * std::log10(std::max(microseconds, 1.0)) / timeDecades, 0.0,
                    limitedPart);
}

std::optional<std::chrono::nanoseconds> timeAt(double place) noexcept {
  if (place > limitedPart + 1e-9) return std::nullopt;
  return std::chrono::nanoseconds(
      std::llround(1e3 * std::pow(10.0, timeDecades * std::max(place, 0.0) / limitedPart)));
}

std::string benchTimeText(std::chrono::nanoseconds time) {
  return formatTime(1e-6 * static_cast<double>(time.count()));
}

std::string rangeText(Real lower, Real upper) {
  const std::string low = lengthText(lower), high = lengthText(upper);
  return low == high ? high : low + " to " + high;
}

std::string depthText(const PenetrationBounds& depth) {
  if (depth.upper == 0.0) return "none";
  // Adding 0 turns -0 into 0
  const Vec3 way = depth.direction + Vec3(0.0);
  return fmt::format("{} along {:.2f} {:.2f} {:.2f}", rangeText(depth.lower, depth.upper), way.x,
                     way.y, way.z);
}

std::string contactText(const BenchReading& reading) {
  const ContactTime& contact = *reading.contact;
  const std::string speed = lengthText(reading.speed) + "/s";
  if (contact.reached) return fmt::format("{:.3g} s at {}", contact.noContactBefore, speed);
  return contact.canRefine ? fmt::format("after {:.3g} s at {}", contact.noContactBefore, speed)
                           : fmt::format("passes by at {}", speed);
}

std::string costText(const BenchCost& cost) {
  if (cost.time.count() < 0) return "too large for it";
  const std::uint64_t tests = cost.work.boundTests + cost.work.triangleTests;
  return tests == 0 ? benchTimeText(cost.time)
                    : fmt::format("{}, {}", benchTimeText(cost.time), counted(tests, "test"));
}

}  // namespace

std::vector<BenchRow> benchRows(const BenchReading& reading) {
  const Refinement& known = reading.known;
  const bool apart = known.verdict == Verdict::Separate;
  std::vector<BenchRow> rows{
      {"verdict", std::string(engine::nameOf(known.verdict)),
       "What the comparison says within the limits."},
      {"level", std::string(engine::nameOfDepth(engine::depthOf(known))),
       "The level that was completed within the limits."},
      {"bound",
       apart                                  ? std::string("apart")
       : std::isfinite(known.separationBound) ? "≤ " + lengthText(known.separationBound)
                                              : std::string("none"),
       "An upper bound on the distance, from the spheres that meet."},
      {"true distance", rangeText(reading.distance.lower, reading.distance.upper),
       "The distance of the bodies themselves."},
      {"penetration", reading.penetration ? depthText(*reading.penetration) : std::string("none"),
       "The shortest way out, along which b leaves a."},
      {"contact points",
       contactWords(reading.manifold.points, reading.manifold.depthKnown, lengthText),
       "The contact manifold; the depth or the gap of its first point."},
      {"contact", reading.contact ? contactText(reading) : std::string("now"),
       "Time to contact where b flies straight at the middle of a."}};
  constexpr std::array<std::string_view, 4> words{
      "What the comparison within the limits takes.",
      "What sphere trees take to the end, triangles included.", "What BSP trees take [H96].",
      "What turned boxes take, as Gottschalk fits and splits them."};
  constexpr std::array<std::string_view, 4> names{"within limits", "spheres", "BSP trees", "boxes"};
  for (std::size_t i = 0; i < reading.costs.size(); ++i)
    rows.push_back({names[i], costText(reading.costs[i]), words[i]});
  return rows;
}

namespace {

/// Rows of the panel, in the order of controls().
enum class BenchControl : std::uint8_t {
  ModelA,
  ModelB,
  InHand,
  Turning,
  Time,
  Level,
  Copy,
  Save,
  Load,
  Apart,
  Leave
};

Control controlOf(Control::Kind kind, std::string_view name, std::string_view words) {
  Control control;
  control.kind = kind;
  control.group = KeyGroup::Detection;
  control.name = name;
  control.words = words;
  return control;
}

}  // namespace

std::vector<Control> BenchMode::controls() const {
  using Kind = Control::Kind;
  std::vector<Control> all;
  const std::vector<std::string> builtIn = engine::builtInModels();
  for (std::size_t i = 0; i < 2; ++i) {
    Control& model = all.emplace_back(
        controlOf(Kind::Choice, i == 0 ? "body a" : "body b",
                  "A built-in model; a file of your own can be dropped on the window."));
    for (const std::string& name : builtIn) model.options.push_back({name, {}});
    const auto known = std::ranges::find(builtIn, setup_.models[i]);
    model.chosen = static_cast<std::size_t>(known - builtIn.begin());
    if (known == builtIn.end())
      model.options.push_back({std::filesystem::path(setup_.models[i]).filename().string(), {}});
  }
  Control& hand =
      all.emplace_back(controlOf(Kind::Choice, "in hand", "The body that keys and mouse move."));
  hand.options = {{"a", {}}, {"b", {}}};
  hand.chosen = inHand_;
  hand.keys = {Action::NextOverlay};
  Control& turning = all.emplace_back(controlOf(
      Kind::Choice, "keys and mouse", "Move the body in hand, or turn it; Shift: the other."));
  turning.options = {{"move", {}}, {"turn", {}}};
  turning.chosen = turning_ ? 1 : 0;
  turning.keys = {Action::Pause};
  Control& time =
      all.emplace_back(controlOf(Kind::Scale, "time", "What one comparison may spend."));
  time.place = placeOf(setup_.limits);
  time.value = setup_.limits.time ? benchTimeText(*setup_.limits.time) : "unlimited";
  Control& level =
      all.emplace_back(controlOf(Kind::Scale, "level", "The finest level that is looked at."));
  level.place = static_cast<double>(setup_.limits.level) / engine::exactDepth;
  level.value = engine::nameOfDepth(setup_.limits.level);
  all.push_back(controlOf(Kind::Press, "copy as CSV", "Poses and all numbers, to the clipboard."));
  Control& save = all.emplace_back(
      controlOf(Kind::Press, "save the pose", "Models, poses and limits, as a file."));
  save.keys = {Action::RecordSession};
  all.push_back(controlOf(Kind::Press, "load the pose", "The pose that was saved last."));
  all.push_back(controlOf(Kind::Press, "side by side", "Place both bodies side by side."));
  Control& leave = all.emplace_back(
      controlOf(Kind::Press, "back to the flight", "Leave the bench; the flight goes on."));
  leave.keys = {Action::Bench};
  return all;
}

void BenchMode::choose(FlightContext& context, const ControlInput& selection) {
  switch (static_cast<BenchControl>(selection.control)) {
    case BenchControl::ModelA:
    case BenchControl::ModelB: {
      const std::vector<std::string> names = engine::builtInModels();
      if (selection.option >= names.size()) return;
      inHand_ = selection.control;
      replace(context, names[selection.option]);
      return;
    }
    case BenchControl::InHand:
      inHand_ = std::min<std::size_t>(selection.option, 1);
      return;
    case BenchControl::Turning:
      turning_ = selection.option == 1;
      return;
    case BenchControl::Time:
      setup_.limits.time =
          timeAt(selection.place.value_or(placeOf(setup_.limits) + 0.05 * selection.step));
      return;
    case BenchControl::Level:
      setup_.limits.level = std::clamp(
          selection.place ? static_cast<int>(std::lround(*selection.place * engine::exactDepth))
                          : setup_.limits.level + selection.step,
          0, engine::exactDepth);
      return;
    case BenchControl::Copy: {
      const std::string text = csv();
      if (text.empty())
        context.warn("nothing to copy yet");
      else if (SDL_SetClipboardText(text.c_str()) != 0)
        context.warn("no clipboard available");
      else
        context.say("bench", "copied: one line of names, one of values");
      return;
    }
    case BenchControl::Save:
      save(context);
      return;
    case BenchControl::Load:
      load(context, poseFile(context));
      return;
    case BenchControl::Apart:
      if (!bench_) return;
      setup_.poses = bench_->sideBySide();
      resetEye(context);
      return;
    case BenchControl::Leave:
      leave(context);
      return;
  }
}

void BenchMode::describe(FlightContext& context, OverlayView& view) {
  if (on())
    view.modes.leftInset =
        benchPanelInset + benchPanelWidth(textSize(), static_cast<float>(context.screen.width));
}

bool BenchMode::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                      std::span<const Ground>) {
  if (!on()) return false;
  const float em = ink.em(), line = ink.line();
  const float wide = benchPanelWidth(em, window.x);
  const Shown now = shown();
  const std::vector<BenchRow> rows =
      now.reading ? benchRows(*now.reading) : std::vector<BenchRow>();
  const std::vector<Control> set = controls();
  // Numbers on top, settings below
  const float numbers = em + line * static_cast<float>(std::max<std::size_t>(rows.size(), 1));
  const float below = em + 1.5f * em * static_cast<float>(set.size());
  const Rect panel{benchPanelInset, benchPanelInset, wide,
                   std::min(numbers + below, window.y - 2.0f * benchPanelInset)};
  context.input.excludeArea(panel);
  ink.fill(panel, palette::panel, 0.92f);
  const Rect inner = panel.inset(0.5f * em);
  float y = inner.y + 0.5f * line;
  if (rows.empty())
    ink.text({inner.x, y},
             loading()           ? "loading ..."
             : now.fault.empty() ? "-"
                                 : now.fault,
             palette::dim);
  for (const BenchRow& row : rows) {
    ink.text({inner.x, y}, row.name, palette::dim, ink.small());
    const float room = inner.width - 7.5f * em;
    const float size = ink.em() * std::min(1.0f, room / std::max(1.0f, ink.textWidth(row.value)));
    ink.sized({inner.x + 7.5f * em, y}, row.value, now.current ? palette::text : palette::dim,
              size);
    context.panels.spots.add({inner.x, y - 0.5f * line, inner.width, line}, row.name, row.words);
    y += line;
  }
  const Rect controlsAt{panel.x, panel.y + numbers, panel.width, panel.height - numbers};
  const bool acceptsInput = !context.ui.pages.pageOpen();
  if (const auto selection = panel_.draw(ink, controlsAt, set, acceptsInput, context.panels.spots))
    choose(context, *selection);
  if (bench_ && now.reading && now.current) {
    const Real radius = std::min(bench_->around(0).radius, bench_->around(1).radius);
    drawContacts(ink, camera_, window, now.reading->manifold.points,
                 {palette::white, benchArrow * radius});
  }
  // The labels of the bodies
  for (std::size_t i = 0; bench_ && on() && i < 2; ++i) {
    const Sphere around = bench_->around(i, setup_.poses[i]);
    glm::vec2 at;
    if (!project(camera_, static_cast<int>(window.x), static_cast<int>(window.y), around.centre,
                 at) ||
        meets(panel, {at.x - em, at.y - em, 3.0f * em, 2.0f * em}))
      continue;
    ink.chip(at, i == 0 ? "a" : "b", i == 0 ? palette::own : palette::drone);
  }
  return true;
}

}  // namespace nearmiss::app::fly
