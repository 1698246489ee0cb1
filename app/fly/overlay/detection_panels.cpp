// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>

#include <algorithm>
#include <cmath>

#include "console/gap_text.h"
#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app {
namespace {

/// Rows of a panel from top to bottom: a name at the left, a figure at the right.
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
    const Rect row = next();
    const float middle = row.y + 0.5f * row.height;
    ink_.spot(row, name);
    // Both in smaller type where there is no room for them beside each other
    const float both = ink_.textWidth(name) + ink_.textWidth(value) + 0.5f * ink_.em();
    ImFont* font = both > row.width ? ink_.small() : ink_.regular();
    ink_.text({row.x, middle}, name, palette::dim, font);
    ink_.textRight({row.right(), middle}, value, colour, font);
  }

 private:
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
  ink.fill(ground, palette::black, 0.35f);
  const float share = most ? static_cast<float>(running) / static_cast<float>(most) : 0.0f;
  if (running)
    ink.fill({ground.x, ground.y, std::max(2.0f, share * ground.width), ground.height}, colour);
  ink.textRight({row.right() - totalWidth - 0.6f * em, middle}, formatCount(running));
  ink.textRight({row.right(), middle}, formatCount(total), palette::dim);
}

Line bound(double metres, double radius) {
  if (!std::isfinite(metres)) return Line("no bound");
  return Line("{} = {:.1f} %", gapText(metres), 100.0 * metres / radius);
}

/// What each level of the pair takes from the start on, "0.4 0.9 1.5 - - us".
Line levelTimes(const PairTimes& times) {
  std::string text;
  for (const double level : times.level)
    text += level > 0.0 ? fmt::format("{:.{}f} ", level, level < 9.95 ? 1 : 0) : "- ";
  return Line("{}us", text);
}

/// What BSP trees take, and how often the last level that the spheres needed would fit into it.
Line againstReference(const PairTimes& times) {
  double last = 0.0;
  for (const double level : times.level) last = std::max(last, level);
  const Line time = formatTime(1e-3 * times.reference);
  return last > 0.0 ? Line("{} = x {:.1f}", std::string_view(time), times.reference / last)
                    : Line("{}", std::string_view(time));
}

/// How far apart and how soon together, or how deep in each other.
Line truthText(const PairTruth& truth) {
  if (truth.distance.upper == 0.0)
    return truth.penetration ? Line("0; {} parts them", gapText(truth.penetration->upper))
                             : Line("0");
  if (truth.contact.reached)
    return Line("{}; adrift, 0 in {:.2f} s", gapText(truth.distance.upper),
                truth.contact.noContactBefore);
  return Line("{}", gapText(truth.distance.upper));
}

DetectionRow budgetRow(const ShownNumbers& shown) {
  const bool unlimited = shown.last.budget == engine::FrameProfile::Duration::max();
  const Line allowed = formatTime(shown.allowed);
  if (unlimited) return {"budget used", Line("no limit")};
  if (shown.allowed < 1e-4) {
    const double spent = std::chrono::duration<double, std::milli>(shown.mean.spent).count();
    return {"budget used", Line("{}, none left", std::string_view(formatTime(spent))),
            palette::narrow};
  }
  if (shown.used > 10.0)
    return {"budget used", Line("{:.0f} times {}", shown.used, std::string_view(allowed)),
            palette::narrow};
  return {"budget used", Line("{:.1f} % of {}", 100.0 * shown.used, std::string_view(allowed)),
          shown.used > 1.05 ? palette::narrow : palette::text};
}

}  // namespace

std::array<DetectionRow, panelLines::detection> detectionRows(const OverlayView& view,
                                                              const ShownNumbers& shown) {
  const FrameStatistics& since = *view.statistics;
  const auto percent = [](std::uint64_t part, std::uint64_t all) {
    return all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0.0;
  };
  const std::uint64_t looks = since.detections + since.detectionsSkipped;
  return {
      {{"worst bound", bound(shown.runningWorst, view.shipRadius)},
       {"median bound", bound(shown.runningMedian, view.shipRadius)},
       budgetRow(shown),
       {"budget exhausted", Line("{} = {:.1f} %", std::string_view(formatCount(since.exhausted)),
                                 percent(since.exhausted, since.frames))},
       {"touching; ended, responses",
        Line("{}; {}, {}", shown.last.touching, std::string_view(formatCount(since.touchesEnded)),
             std::string_view(formatCount(since.responses)))},
       {"detector's calls",
        Line("{}, {:.0f} % silent", std::string_view(formatCount(since.detections)),
             percent(since.detectionsSkipped, looks))},
       {"next meeting", !view.earliestMeeting ? Line("not foreseen")
                        : *view.earliestMeeting <= 0.0
                            ? Line("now")
                            : Line("in {:.2f} s", *view.earliestMeeting)},
       {shown.last.pairsPostponed > 0 ? "pairs; waiting, skipped" : "pairs; tests",
        shown.last.pairsPostponed > 0
            ? Line("{}; {}, {} times", shown.last.pairsBroad, shown.last.pairsPostponed,
                   shown.last.mostPassedOver)
            : Line("{}; {}, {}", shown.last.pairsBroad,
                   std::string_view(formatCount(shown.last.sphereTests)),
                   std::string_view(formatCount(shown.last.triangleTests)))}}};
}

void drawLevelPanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                    const ShownNumbers& shown, bool inFull) {
  ink.edge(rect);
  Rows rows(ink, rect);
  rows.title("Collisions by level", Line("{} frames     total", shown.runningFrames),
             "Collisions by level");
  const std::uint32_t most = *std::max_element(shown.running.begin() + 1, shown.running.end());
  for (int level = 1; level < engine::depths; ++level) {
    const auto i = static_cast<std::size_t>(level);
    drawLevelRow(ink, rows.next(), level, shown.running[i], shown.total[i], most);
  }
  if (!inFull) return;
  for (const DetectionRow& row : detectionRows(view, shown))
    rows.figure(row.name, row.value, row.colour);
}

void drawStatisticsPanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                         const ShownNumbers& shown) {
  ink.edge(rect);
  Rows rows(ink, rect);
  const FrameStatistics& since = *view.statistics;
  rows.title("Frame time",
             Line("{} frames since reset", std::string_view(formatCount(since.frames))),
             "frames since reset");
  const auto cells = [&](std::string_view n1, double v1, std::string_view n2, double v2) {
    const Rect row = rows.next();
    const float middle = row.y + 0.5f * row.height, half = 0.5f * row.width;
    ink.spot({row.x, row.y, half, row.height}, n1);
    ink.spot({row.x + half, row.y, half, row.height}, n2);
    ink.text({row.x, middle}, n1, palette::dim);
    ink.textRight({row.x + half - 0.6f * ink.em(), middle}, formatTime(v1));
    ink.text({row.x + half + 0.6f * ink.em(), middle}, n2, palette::dim);
    ink.textRight({row.right(), middle}, formatTime(v2));
  };
  cells("mean", since.frameTime.mean(), "p50", shown.p50);
  cells("sd", since.frameTime.sd(), "p95", shown.p95);
  cells("max", since.frameTime.max(), "p99", shown.p99);
  cells("detection", since.detection.mean(), "p99.9", shown.p99_9);
}

void drawPairInspector(const Ink& ink, const Rect& rect, const OverlayView& view) {
  ink.edge(rect);
  Rows rows(ink, rect);
  const PairReport& pair = *view.pair;
  const Line names("{} {}, {} {}", pair.shapeA, pair.keyA, pair.shapeB, pair.keyB);
  rows.title("Pair", names, "Pair");
  rows.figure("centres apart", gapText(pair.centreDistance));
  rows.figure("can meet", !pair.meeting          ? Line("not within {:.3g} s", pair.horizon)
                          : *pair.meeting <= 0.0 ? Line("now")
                                                 : Line("in {:.2f} s", *pair.meeting));
  const Refinement& found = pair.refinement;
  if (pair.inBroadPhase) {
    constexpr std::array<std::string_view, 3> verdicts{"separate", "possible", "contact"};
    const Rect row = rows.next();
    const float middle = row.y + 0.5f * row.height;
    const std::string_view level = engine::nameOfDepth(engine::depthOf(found));
    const float width = ink.textWidth(level, ink.small()) + 0.7f * ink.em();
    ink.spot(row, "verdict");
    ink.text({row.x, middle}, "verdict", palette::dim);
    ink.chip({row.right() - width, middle}, level, levelColour(engine::depthOf(found)));
    ink.textRight({row.right() - width - 0.5f * ink.em(), middle},
                  found.byInnerSpheres ? "contact, by inner spheres"
                                       : verdicts[static_cast<std::size_t>(found.verdict)]);
    const bool apart = found.verdict == Verdict::Separate;
    const std::string_view mark = found.conservative ? "" : "~ ";
    rows.figure(
        found.betweenSolids ? "solids apart at most" : "surfaces apart at most",
        apart ? Line("-")
              : Line("{}{}", mark, std::string_view(bound(found.separationBound, pair.radius))));
    rows.figure("estimate; sphere pairs",
                apart ? Line("-")
                      : Line("{}; {}", gapText(found.separationEstimate), found.collidingSpheres));
  } else {
    rows.figure("verdict", pair.wait ? Line("waits, {} passed over", pair.wait->detections)
                                     : Line("bounding spheres apart"));
    for (int i = 0; i < 2; ++i) (void)rows.next();
  }
  if (pair.truth) {
    const double distance = pair.truth->distance.upper;
    const bool broken = pair.inBroadPhase && found.verdict != Verdict::Separate &&
                        distance > found.separationBound * (1.0 + 1e-9) + 1e-12;
    rows.figure("true distance", truthText(*pair.truth), broken ? palette::overrun : palette::text);
  } else {
    rows.figure("true distance", view.ui->paused ? "..." : "when paused");
  }
  const auto& times = pair.truth ? pair.truth->times : std::optional<PairTimes>();
  if (times) rows.figure("until L1 ... L4, exact", levelTimes(*times));
  if (times && times->reference > 0.0 && !pair.reference)
    rows.figure("the same by BSP trees", againstReference(*times));
  if (pair.reference) {
    const bool touch = pair.reference->verdict == Verdict::Contact;
    const bool missed = touch && pair.inBroadPhase && found.verdict == Verdict::Separate;
    const std::string_view says = missed ? "contact, MISSED" : touch ? "contact" : "separate";
    rows.figure(
        "reference says",
        times ? Line("{}, {}", says, std::string_view(againstReference(*times))) : Line("{}", says),
        missed ? palette::overrun : palette::text);
  }
}

void drawHints(const Ink& ink, const Rect& rect) {
  ink.edge(rect);
  Rows rows(ink, rect);
  using enum Action;
  const auto key = [](Action action) { return firstKeyName(action); };
  const std::array<Line, 4> lines{
      Line("{} {} thrust   {} {} yaw   {} {} roll", key(ThrustForward), key(ThrustBack),
           key(YawLeft), key(YawRight), key(RollLeft), key(RollRight)),
      Line("{} detector   {} trees   {} {} budget", key(NextMethod), key(NextTree), key(BudgetDown),
           key(BudgetUp)),
      Line("{} all keys   {} panel   Esc quit", key(Help), key(OpenControls)),
      Line("{} a tour: what is seen here", key(Tour))};
  for (const std::string_view text : lines) {
    const Rect row = rows.next();
    ink.text({row.x, row.y + 0.5f * row.height}, text);
  }
}

}  // namespace nearmiss::app
