// SPDX-License-Identifier: MIT
#include <SDL_clipboard.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "fly/flight_context.h"
#include "fly/modes/bench/bench_mode.h"
#include "fly/modes/bench/bench_pose.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

// The time scale: timeDecades from one microsecond; its end means unlimited
constexpr double timeDecades = 4.0, limitedPart = 0.95;
constexpr float benchPanelEms = 26.0f, benchPanelShare = 0.34f;
constexpr float benchNames = 11.0f;                     // width of the names, in letters
constexpr float minPlotEms = 7.0f, maxPlotEms = 30.0f;  // height of the plot

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

/// Adding 0 turns -0 into 0.
std::string directionText(const Vec3& direction) {
  const Vec3 way = direction + Vec3(0.0);
  return fmt::format("{:.2f} {:.2f} {:.2f}", way.x, way.y, way.z);
}

std::string placeText(const Vec3& place) {
  const Vec3 at = place + Vec3(0.0), size = glm::abs(at);
  const Real largest = std::max({size.x, size.y, size.z});
  return largest == 0.0 || (largest >= 1e-2 && largest < 1e4)
             ? fmt::format("{:.3f} {:.3f} {:.3f} m", at.x, at.y, at.z)
             : fmt::format("{:.3g} {:.3g} {:.3g} m", at.x, at.y, at.z);
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
  const std::string time =
      cost.time < std::chrono::nanoseconds(50) ? "< 0.1 µs" : benchTimeText(cost.time);
  return tests == 0 ? time : fmt::format("{}, {}", time, counted(tests, "test"));
}

}  // namespace

float benchPanelWidth(float em, float window) noexcept {
  return std::min(benchPanelEms * em, benchPanelShare * window);
}

std::vector<BenchRow> benchRows(const BenchReading& reading) {
  const Refinement& known = reading.known;
  const DistanceBounds& distance = reading.distance;
  // Spheres that are apart give no upper bound; the nearest points do
  const Real bound = known.verdict == Verdict::Separate ? distance.upper : known.separationBound;
  const PenetrationBounds depth = reading.penetration.value_or(PenetrationBounds{});
  const auto& points = reading.manifold.points;
  const bool touches = distance.upper == 0.0;
  const Vec3 way = distance.pointA - distance.pointB;
  const Vec3 direction = touches                  ? depth.direction
                         : glm::length(way) > 0.0 ? -glm::normalize(way)
                                                  : Vec3(0.0);
  const Vec3 witness = touches && !points.empty() ? 0.5 * (points[0].onA + points[0].onB)
                                                  : 0.5 * (distance.pointA + distance.pointB);
  std::vector<BenchRow> rows{
      {"verdict within limits",
       fmt::format("{}, {}", engine::nameOf(known.verdict),
                   engine::nameOfDepth(engine::depthOf(known))),
       "What the comparison within the limits says, and the level that it completed."},
      {"upper bound on the gap",
       std::isfinite(bound) ? "≤ " + lengthText(bound) : std::string("none within limits"),
       "From the spheres that meet within the limits; if none meet, from the nearest points."},
      {"true gap", rangeText(distance.lower, distance.upper),
       "The distance of the bodies themselves; 0 if they touch."},
      {"penetration depth", rangeText(depth.lower, depth.upper),
       "The length of the shortest way along which b leaves a; 0 if they are separate."},
      {touches ? "b leaves along" : "from a to b", directionText(direction),
       "Unit vector: the shortest way out, or from the nearest point of a to that of b."},
      {touches ? "deepest contact at" : "nearest points at", placeText(witness),
       "The middle of the deepest contact, or of the nearest points, world frame."},
      {"contact points",
       points.empty() ? "0 points" : contactWords(points, reading.manifold.depthKnown, lengthText),
       "The contact manifold, with the depth or the gap of its first point."},
      {"time to contact", reading.contact ? contactText(reading) : std::string("0 s"),
       "If b flies straight towards the centre of a."}};
  for (std::size_t i = 0; i < reading.costs.size(); ++i)
    rows.push_back({benchMethods[i].name, costText(reading.costs[i]), benchMethods[i].words});
  return rows;
}

namespace {

/// Rows of the panel, in the order of controls().
enum class BenchControl : std::uint8_t {
  ModelA,
  ModelB,
  InHand,
  Turning,
  Sweep,
  Time,
  Level,
  Copy,
  Save,
  Load,
  Picture,
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
  hand.chosen = hand_.body;
  hand.keys = {Action::NextOverlay};
  Control& turning = all.emplace_back(controlOf(
      Kind::Choice, "keys and mouse", "Move the body in hand, or turn it; Shift: the other."));
  turning.options = {{"move", {}}, {"turn", {}}};
  turning.chosen = hand_.turning ? 1 : 0;
  turning.keys = {Action::Pause};
  Control& sweep = all.emplace_back(
      controlOf(Kind::Switch, "sweep",
                "Moves the body in hand to the other one and back, which fills the plot."));
  sweep.on = hand_.sweeps();
  sweep.keys = {Action::Run};
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
  Control& picture = all.emplace_back(controlOf(
      Kind::Press, "save a picture", "What the window shows, as PNG; fold the panel to omit it."));
  picture.keys = {Action::Screenshot, Action::FoldPanels};
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
      hand_.endSweep();
      hand_.body = selection.control;
      replace(context, names[selection.option]);
      return;
    }
    case BenchControl::InHand:
      hand_.endSweep();
      hand_.body = std::min<std::size_t>(selection.option, 1);
      return;
    case BenchControl::Turning:
      hand_.turning = selection.option == 1;
      return;
    case BenchControl::Sweep:
      if (bench_) hand_.toggleSweep(reach());
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
    case BenchControl::Picture:
      context.records.screenshotRequested = true;
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
  if (on()) view.modes.leftInset = sceneArea(context).x;
}

/// Draws the rows of numbers from the top of `inner`; returns the height that they take.
float BenchMode::drawNumbers(FlightContext& context, const Ink& ink, const Rect& inner,
                             const Shown& now) {
  const float em = ink.em(), line = ink.line();
  float y = inner.y + 0.5f * line;
  if (!now.reading) {
    ink.text({inner.x, y},
             loading()           ? "loading ..."
             : now.fault.empty() ? "comparing ..."
                                 : now.fault,
             palette::dim);
    return line;
  }
  const std::vector<BenchRow> rows = benchRows(*now.reading);
  const float names = std::min(benchNames * em, 0.45f * inner.width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // The last rows are the costs of the methods
    const std::size_t costs = rows.size() - benchMethods.size();
    if (i == costs) y += 0.3f * line;
    if (i >= costs)
      ink.fill({inner.x, y - 0.25f * em, 0.5f * em, 0.5f * em}, benchMethods[i - costs].colour);
    const float indent = i >= costs ? 0.8f * em : 0.0f;
    const float nameRoom = (names - indent - 0.4f * em) / ink.textWidth(rows[i].name);
    ink.sized({inner.x + indent, y}, rows[i].name, palette::dim,
              std::min(ink.smallSize(), em * nameRoom));
    const float room = inner.width - names;
    const float size =
        ink.em() * std::min(1.0f, room / std::max(1.0f, ink.textWidth(rows[i].value)));
    ink.sized({inner.x + names, y}, rows[i].value, now.current ? palette::text : palette::dim,
              size);
    context.panels.spots.add({inner.x, y - 0.5f * line, inner.width, line}, rows[i].name,
                             rows[i].words);
    y += line;
  }
  return y - 0.5f * line - inner.y;
}

bool BenchMode::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                      std::span<const Ground>) {
  if (!on()) return false;
  const Shown now = shown();
  if (bench_) scene_.label(ink, *bench_, setup_, now.current ? now.reading : nullptr, hand_.body);
  const Rect panel{0.0f, 0.0f, folded_ ? 0.0f : benchPanelWidth(ink.em(), window.x), window.y};
  context.input.excludeArea(panel);
  if (folded_) return true;
  const float em = ink.em();
  ink.fill(panel, palette::panel);
  ink.segment({panel.right(), 0.0f}, {panel.right(), window.y}, palette::panelEdge);
  const Rect inner = panel.inset(0.6f * em);
  float y = inner.y + drawNumbers(context, ink, inner, now) + 0.4f * em;
  // Settings at the bottom, the plot between
  const std::vector<Control> set = controls();
  const float settings = 1.0f * em + 1.5f * em * static_cast<float>(set.size());
  const float plotHeight = std::min(maxPlotEms * em, window.y - y - settings);
  if (plotHeight >= minPlotEms * em) {
    const Rect plot{inner.x, y, inner.width, plotHeight};
    plot_.draw(ink, plot);
    context.panels.spots.add(
        plot, "cost over distance",
        "Times of the last places of the bodies; left of the line they overlap.");
    y += plotHeight;
  }
  const Rect controlsAt{panel.x, y, panel.width, std::min(settings, window.y - y)};
  const bool acceptsInput = !context.ui.pages.pageOpen();
  if (const auto selection = panel_.draw(ink, controlsAt, set, acceptsInput, context.panels.spots))
    choose(context, *selection);
  return true;
}

}  // namespace nearmiss::app::fly
