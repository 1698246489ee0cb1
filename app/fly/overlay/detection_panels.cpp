// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "console/text.h"
#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// Rows of a panel from top to bottom: name on the left, figure on the right.
class Rows {
 public:
  Rows(const Ink& ink, const Rect& rect)
      : ink_(ink), inner_(rect.inset(0.7f * ink.em())), y_(rect.y + 0.5f * ink.em()) {}

  [[nodiscard]] Rect next() {
    const Rect row{inner_.x, y_, inner_.width, ink_.line()};
    y_ += ink_.line();
    return row;
  }
  void title(std::string_view text, std::string_view right, std::string_view spot) {
    const Rect row = next();
    ink_.spot(row, spot);
    const float middle = row.y + 0.5f * row.height;
    ink_.text({row.x, middle}, text, palette::text, ink_.bold());
    ink_.textRight({row.right(), middle}, right, palette::dim, ink_.small());
  }
  void figure(std::string_view name, std::string_view value, Rgb colour = palette::text) {
    write(next(), {name, std::string(value), colour});
  }
  void line(const DetectionLine& line) {
    if (line.heading)
      title(line.left.name, line.left.value, line.left.name);
    else if (line.right.name.empty())
      write(next(), line.left);
    else
      figures(line.left, line.right);
  }
  /// Two figures next to each other.
  void figures(const DetectionRow& left, const DetectionRow& right) {
    const Rect row = next();
    const float half = 0.5f * row.width, apart = 0.4f * ink_.em();
    write({row.x, row.y, half - apart, row.height}, left);
    write({row.x + half + apart, row.y, half - apart, row.height}, right);
  }

 private:
  void write(const Rect& row, const DetectionRow& figure) const {
    const auto& [name, value, colour] = figure;
    const float middle = row.y + 0.5f * row.height;
    ink_.spot(row, name);
    // Use smaller type if they do not fit next to each other
    const float both = ink_.textWidth(name) + ink_.textWidth(value) + 0.5f * ink_.em();
    ImFont* font = both > row.width ? ink_.small() : nullptr;
    ink_.text({row.x, middle}, name, palette::dim, font);
    ink_.textRight({row.right(), middle}, value, colour, font);
  }

  const Ink& ink_;
  Rect inner_;
  float y_;
};

void drawLevelRow(const Ink& ink, const Rect& row, int level, std::uint32_t running,
                  std::uint64_t total, std::uint32_t most) {
  const float middle = row.y + 0.5f * row.height, em = ink.em();
  const Rgb colour = levelColour(level);
  ink.spot(row, "collisions of a level");
  ink.chip({row.x, middle}, engine::nameOfDepth(level), colour);
  const float chip =
      ink.textWidth(engine::nameOfDepth(engine::exactDepth), ink.small()) + 0.7f * em;
  const float totalWidth = ink.textWidth("999 999"), runningWidth = ink.textWidth("9 999");
  const float left = row.x + chip + 0.5f * em;
  const float right = row.right() - totalWidth - runningWidth - 1.1f * em;
  const Rect ground{left, middle - 0.35f * em, right - left, 0.7f * em};
  ink.track(ground);
  const float share = most ? static_cast<float>(running) / static_cast<float>(most) : 0.0f;
  if (running)
    ink.fill({ground.x, ground.y, std::max(2.0f, share * ground.width), ground.height}, colour);
  ink.textRight({row.right() - totalWidth - 0.6f * em, middle}, formatCount(running));
  ink.textRight({row.right(), middle}, formatCount(total), palette::dim);
}

std::string bound(double metres, double radius, std::string_view of = " of the radius") {
  if (!std::isfinite(metres)) return std::string("no bound");
  return fmt::format("{} = {:.1f} %{}", gapText(metres), 100.0 * metres / radius, of);
}

/// Time until the finest levels that the pair reached: "L1 0.3 µs, L2 not reached", "L4 9.1 µs,
/// exact 20 µs".
std::string levelTimes(const PairTimes& times) {
  std::string text;
  for (std::size_t i = 0; i < times.level.size(); ++i) {
    const std::string_view name = engine::nameOfDepth(static_cast<int>(i) + 1);
    const bool reached = times.level[i] > 0.0;
    const bool before = i > 0 && times.level[i - 1] > 0.0;
    // The last level that was reached, and the next one
    const bool last = reached && (i + 2 >= times.level.size() || !(times.level[i + 1] > 0.0));
    if (last || (!reached && (i == 0 || before)))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                          reached ? formatTime(1e-3 * times.level[i]) : "not reached");
  }
  return text;
}

/// Time of BSP trees relative to the time of the spheres until their last level.
std::string againstReference(const PairTimes& times) {
  double last = 0.0;
  for (const double level : times.level) last = std::max(last, level);
  const std::string time = formatTime(1e-3 * times.reference);
  return last > 0.0 ? fmt::format("{} = {:.1f} ×", time, times.reference / last)
                    : fmt::format("{}", time);
}

/// Distance and time to contact, or penetration depth.
std::string truthText(const PairTruth& truth) {
  if (truth.distance.upper == 0.0)
    return truth.penetration
               ? fmt::format("overlapping; {} to separate", gapText(truth.penetration->upper))
               : std::string("touching");
  if (truth.contact.reached)
    return fmt::format("{}; contact in {:.2f} s", gapText(truth.distance.upper),
                       truth.contact.noContactBefore);
  return fmt::format("{}", gapText(truth.distance.upper));
}

DetectionRow budgetRow(const ShownNumbers& shown) {
  constexpr std::string_view name = "budget used";
  if (!shown.measured) return {name, "–"};
  if (!shown.allowed) return {name, shown.instant.budget};
  if (*shown.allowed < 1e-4)
    return {name, formatTime(milliseconds(shown.frame.spent)) + ", none left", palette::narrow};
  const double used = shown.used.value_or(0.0);
  const std::string allowed = formatTime(*shown.allowed);
  if (used > 10.0) return {name, fmt::format("{:.0f} × {}", used, allowed), palette::narrow};
  return {name, fmt::format("{:.1f} % of {}", 100.0 * used, allowed),
          used > 1.05 ? palette::narrow : palette::text};
}

std::string earliestText(const std::optional<double>& seconds) {
  if (!seconds) return "not foreseen";
  return *seconds <= 0.0 ? "now" : fmt::format("in {:.2f} s", *seconds);
}

}  // namespace

std::string contactWords(std::span<const ManifoldPoint> points, bool known,
                         std::string (*lengthText)(double metres)) {
  if (points.empty()) return "none";
  const std::string count = counted(points.size(), "point");
  if (!known) return count + ", depth unknown";
  const Real depth = points.front().depth;
  return depth < 0.0 ? fmt::format("{}, gap {}", count, lengthText(-depth))
                     : fmt::format("{}, {} deep", count, lengthText(depth));
}

std::array<DetectionLine, detectionLines> detectionFigures(const OverlayView& view,
                                                           const ShownNumbers& shown) {
  const engine::FrameProfile& last = shown.frame;
  const double radius = view.flight.shipRadius;
  const auto heading = [](std::string_view text, std::string right = {}) {
    return DetectionLine{{text, std::move(right)}, {}, true};
  };
  const auto count = [](std::string_view name, std::uint64_t n) {
    return DetectionRow{name, std::string(formatCount(n))};
  };
  return {
      heading("Last frames", counted(shown.runningFrames, "frame")),
      DetectionLine{{"worst bound", bound(shown.runningWorst, radius)}},
      DetectionLine{{"median bound", bound(shown.runningMedian, radius)}},
      heading("This frame"),
      DetectionLine{budgetRow(shown)},
      DetectionLine{{"earliest possible contact", earliestText(shown.instant.earliestMeeting)}},
      DetectionLine{count("touching now", last.touching), count("pairs tested", last.pairsBroad)},
      DetectionLine{count("pairs waiting", last.pairsPostponed),
                    {"longest wait", last.pairsPostponed > 0 ? counted(last.maxPassedOver, "call")
                                                             : std::string("–")}},
      DetectionLine{count("BV tests", last.sphereTests),
                    count("triangle tests", last.triangleTests)}};
}

std::array<DetectionLine, 7> statisticFigures(const ShownNumbers& shown) {
  const FrameStatistics& since = shown.since;
  const auto time = [](std::string_view name, std::optional<double> ms) {
    return DetectionRow{name, timeText(ms)};
  };
  const auto known = [&since](double ms) {
    return since.frames > 0 ? std::optional(ms) : std::nullopt;
  };
  const std::uint64_t looks = since.detections + since.detectionsSkipped;
  return {
      DetectionLine{time("mean", known(since.frameTime.mean())), time("p50", shown.p50)},
      DetectionLine{time("sd", known(since.frameTime.sd())), time("p95", shown.p95)},
      DetectionLine{time("max", known(since.frameTime.max())), time("p99", shown.p99)},
      DetectionLine{time("detection", known(since.detection.mean())), time("p99.9", shown.p99_9)},
      DetectionLine{{"budget exhausted", fmt::format("{} = {:.1f} %", formatCount(since.exhausted),
                                                     percentOf(since.exhausted, since.frames))}},
      DetectionLine{
          {"detector calls", fmt::format("{}, {:.0f} % skipped", formatCount(since.detections),
                                         percentOf(since.detectionsSkipped, looks))}},
      DetectionLine{{"bounces", formatCount(since.responses)},
                    {"contacts ended", formatCount(since.touchesEnded)}}};
}

void drawLevelPanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                    const ShownNumbers& shown, bool inFull) {
  ink.edge(rect);
  Rows rows(ink, rect);
  rows.title("Collisions", "last frames     since reset", "Collisions by level");
  const std::uint32_t most = *std::max_element(shown.running.begin() + 1, shown.running.end());
  for (int level = 1; level < engine::depths; ++level) {
    const auto i = static_cast<std::size_t>(level);
    drawLevelRow(ink, rows.next(), level, shown.running[i], shown.since.collisions[i], most);
  }
  if (!inFull) return;
  for (const DetectionLine& line : detectionFigures(view, shown)) rows.line(line);
}

void drawStatisticsPanel(const Ink& ink, const Rect& rect, const ShownNumbers& shown) {
  ink.edge(rect);
  Rows rows(ink, rect);
  rows.title("Since reset", counted(shown.since.frames, "frame"), "frames since reset");
  for (const DetectionLine& line : statisticFigures(shown)) rows.line(line);
}

void drawPairInspector(const Ink& ink, const Rect& rect, const OverlayView& view) {
  ink.edge(rect);
  Rows rows(ink, rect);
  const PairReport& pair = *view.pair;
  const std::string names = fmt::format("{} {}, {} {}{}", pair.shapeA, pair.keyA, pair.shapeB,
                                        pair.keyB, pair.unimportant ? ", unimportant" : "");
  rows.title("Pair", names, "Pair");
  rows.figure("centres apart", gapText(pair.centreDistance));
  // For touching ships the contact is more informative than the time to it
  if (pair.truth && !pair.truth->manifold.points.empty())
    rows.figure("contact", contactWords(pair.truth->manifold.points,
                                        pair.truth->manifold.depthKnown, gapText));
  else
    rows.figure("can meet", !pair.meeting ? fmt::format("not within {:.3g} s", pair.horizon)
                            : *pair.meeting <= 0.0 ? std::string("now")
                                                   : fmt::format("in {:.2f} s", *pair.meeting));
  const Refinement& found = pair.refinement;
  if (pair.inBroadPhase) {
    const Rect row = rows.next();
    const float middle = row.y + 0.5f * row.height;
    const std::string_view level = engine::nameOfDepth(engine::depthOf(found));
    const float width = ink.textWidth(level, ink.small()) + 0.7f * ink.em();
    ink.spot(row, "verdict");
    ink.text({row.x, middle}, "verdict", palette::dim);
    ink.chip({row.right() - width, middle}, level, levelColour(engine::depthOf(found)));
    ink.textRight(
        {row.right() - width - 0.5f * ink.em(), middle},
        found.byInnerSpheres ? "contact, by inner spheres" : engine::nameOf(found.verdict));
    const bool apart = found.verdict == Verdict::Separate;
    const std::string_view mark = found.conservative ? "" : "~ ";
    rows.figure(found.betweenSolids ? "solids apart at most" : "surfaces apart at most",
                apart ? std::string("–")
                      : fmt::format("{}{}", mark, bound(found.separationBound, pair.radius, "")));
    const auto tightest = pair.truth && !apart ? pair.truth->tightestBound : std::nullopt;
    rows.figures(
        {"estimate", apart ? "–" : gapText(found.separationEstimate)},
        tightest ? DetectionRow{"tightest bound", gapText(*tightest)}
                 : DetectionRow{"sphere pairs", apart ? "–" : formatCount(found.collidingSpheres)});
  } else {
    rows.figure("verdict", pair.wait     ? fmt::format("waiting for {}",
                                                       counted(pair.wait->detections, "detection"))
                           : pair.looked ? std::string("bounding spheres apart")
                                         : std::string("not looked at"));
    for (int i = 0; i < 2; ++i) (void)rows.next();
  }
  if (pair.truth) {
    const double distance = pair.truth->distance.upper;
    const bool broken = pair.truthIsOfNow && pair.inBroadPhase &&
                        found.verdict != Verdict::Separate &&
                        distance > found.separationBound * (1.0 + 1e-9) + 1e-12;
    rows.figure("true distance",
                broken ? gapText(distance) + ", BEYOND THE BOUND" : truthText(*pair.truth),
                broken ? palette::overrun : palette::text);
  } else {
    rows.figure("true distance", view.ui->pace.paused ? "..." : "when paused");
  }
  const auto& times = pair.truth ? pair.truth->times : std::optional<PairTimes>();
  if (times) rows.figure("time to level", levelTimes(*times));
  if (times && times->reference > 0.0 && !pair.reference)
    rows.figure("time by BSP trees", againstReference(*times));
  if (pair.reference) {
    const bool touch = pair.reference->verdict == Verdict::Contact;
    const bool missed = touch && pair.inBroadPhase && found.verdict == Verdict::Separate;
    const std::string_view says = missed ? "contact, MISSED" : touch ? "contact" : "separate";
    rows.figure(
        "reference says",
        times ? fmt::format("{}, {}", says, againstReference(*times)) : fmt::format("{}", says),
        missed ? palette::overrun : palette::text);
  }
}

}  // namespace nearmiss::app::fly
