// SPDX-License-Identifier: MIT
#include <engine/record/series.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/axis.h"
#include "report/html.h"
#include "report/run_sections.h"
#include "report/statistics.h"

namespace nearmiss::app::report {
namespace {

/// Columns to read, in the order of `profileColumns`.
enum Column {
  Frame,
  Target,
  Budget,
  Broad,
  Narrow,
  Slack,
  FrameTime,
  Watching,
  Missed,
  Exhausted,
  Level1,
  Count = Level1 + 5
};
constexpr std::array<std::string_view, Count> profileColumns{
    "frame",    "target_ms", "budget_ms",   "broad_ms", "narrow_ms",
    "slack_ms", "frame_ms",  "watching_ms", "missed",   "exhausted",
    "coll_l1",  "coll_l2",   "coll_l3",     "coll_l4",  "coll_l5"};

void addFrame(const std::array<double, Count>& row, ProfileData& profile) {
  const double frameMs = row[FrameTime] - row[Watching];
  const double detectionMs = row[Broad] + row[Narrow];
  profile.frameMs.push_back(frameMs);
  profile.detectionMs.push_back(detectionMs);

  StripColumn column;
  column.firstFrame = row[Frame];
  column.frames = 1;
  column.frame.add(frameMs);
  column.detection.add(detectionMs);
  column.target.add(row[Target]);
  column.slack.add(row[Slack]);
  // A frame without a limit has no budget to plot
  if (std::isfinite(row[Budget])) column.budget.add(row[Budget]);
  profile.strip.add(column);

  profile.missed += row[Missed] != 0.0;
  profile.exhausted += row[Exhausted] != 0.0;
  for (std::size_t level = 0; level < profile.collisions.size(); ++level)
    profile.collisions[level] += row[Level1 + level];
}

}  // namespace

Result<ProfileData> readProfile(RecordReader reader) {
  const auto places = reader.find(profileColumns);
  if (!places) return places.error();
  ProfileData profile;
  profile.file = reader.file();
  profile.head = reader.head();
  bool waited = false;
  for (;;) {
    const auto more = reader.next();
    if (!more) return more.error();
    if (!*more) break;
    std::array<double, Count> row{};
    for (std::size_t i = 0; i < Count; ++i) {
      const auto value = i == Budget ? reader.number((*places)[i]) : reader.finite((*places)[i]);
      if (!value) return value.error();
      row[i] = *value;
    }
    addFrame(row, profile);
    waited = waited || row[Slack] > 0.0;
  }
  // Older heads lack it; only frames that wait have slack
  if (saidIn(profile.head, "realtime").empty())
    profile.head.push_back({"realtime", waited ? "yes" : "no", 0});
  profile.cutShort = reader.cutShort();
  return profile;
}

namespace {

constexpr std::size_t distributionPoints = 240;

PlotSeries stripSeries(std::string name, PlotMark mark, std::size_t style,
                       const StripColumns& strip, ColumnRange StripColumn::*quantity) {
  PlotSeries series;
  series.name = std::move(name);
  series.mark = mark;
  series.style = style;
  for (const StripColumn& column : strip.columns()) {
    const ColumnRange& range = column.*quantity;
    if (!range.mean()) continue;
    PlotPoint point{column.firstFrame, *range.mean()};
    if (mark == PlotMark::Range) {
      point.low = range.min;
      point.high = range.max;
    }
    series.points.push_back(point);
  }
  return series;
}

/// Returns true if there is anything to draw on a logarithmic axis.
bool anyAbove0(const StripColumns& strip, ColumnRange StripColumn::*quantity) {
  return std::any_of(
      strip.columns().begin(), strip.columns().end(),
      [quantity](const StripColumn& column) { return (column.*quantity).max > 0.0; });
}

bool anyMeasured(const StripColumns& strip, ColumnRange StripColumn::*quantity) {
  return std::any_of(
      strip.columns().begin(), strip.columns().end(),
      [quantity](const StripColumn& column) { return (column.*quantity).count > 0; });
}

Plot stripPlot(const ProfileData& profile) {
  Plot plot;
  plot.title = "Frame by frame";
  plot.xLabel = "frame";
  plot.yLabel = "milliseconds";
  plot.logY = true;
  plot.wide = true;
  plot.says = "Time of each frame and of its detection, and the target of the frame";
  const StripColumns& strip = profile.strip;
  if (strip.framesPerColumn() > 1) {
    plot.series.push_back(
        stripSeries("frame, min to max", PlotMark::Range, 0, strip, &StripColumn::frame));
    plot.says += fmt::format(
        ". Each point is the mean of {} frames; bands go from their minimum to their maximum",
        strip.framesPerColumn());
  }
  plot.series.push_back(stripSeries("frame", PlotMark::Line, 0, strip, &StripColumn::frame));
  plot.series.push_back(
      stripSeries("detection", PlotMark::Line, 1, strip, &StripColumn::detection));
  plot.series.push_back(stripSeries("target", PlotMark::Line, 7, strip, &StripColumn::target));
  if (anyAbove0(strip, &StripColumn::budget))
    plot.series.push_back(
        stripSeries("budget of detection", PlotMark::Line, 3, strip, &StripColumn::budget));
  else
    plot.says += anyMeasured(strip, &StripColumn::budget) ? ". The budget of detection was 0"
                                                          : ". Detection had no budget";
  if (anyAbove0(strip, &StripColumn::slack))
    plot.series.push_back(stripSeries("slack", PlotMark::Line, 2, strip, &StripColumn::slack));
  else
    plot.says += ". No frame waited for its end, so there is no slack";
  return plot;
}

Plot distributionPlot(const ProfileData& profile) {
  Plot plot;
  plot.title = "Distribution of times";
  plot.says =
      "Share of frames that took at most a given time, for the whole frame and for its "
      "detection";
  if (profile.frameMs.size() > distributionPoints)
    plot.says += fmt::format(". Of all frames {} are drawn, evenly by rank", distributionPoints);
  plot.xLabel = "milliseconds";
  plot.yLabel = "share of frames";
  plot.logX = true;
  plot.series.push_back(distributionSeries("frame", profile.frameMs, 0));
  plot.series.push_back(distributionSeries("detection", profile.detectionMs, 1));
  return plot;
}

HtmlTable statisticsTable(const ProfileData& profile) {
  HtmlTable table;
  table.caption = "Milliseconds; percentiles by nearest rank";
  for (const char* name : {"time of", "frames", "mean", "sd", "min", "p50", "p95", "p99", "max"})
    table.headings.push_back({name, ""});
  const auto add = [&table](const char* name, std::span<const double> values) {
    const engine::SeriesSummary s = engine::summarise(values);
    std::vector<std::string> row{name, fmt::format("{}", s.n)};
    for (const double value : {s.mean, s.sd, s.min, s.p50, s.p95, s.p99, s.max})
      row.push_back(s.n == 0 ? std::string() : shortNumber(value));
    table.rows.push_back(std::move(row));
  };
  add("frame", profile.frameMs);
  add("detection", profile.detectionMs);
  return table;
}

HtmlTable collisionTable(const ProfileData& profile) {
  HtmlTable table;
  table.caption = "Collisions, counted as they begin, by the finest level that time allowed";
  table.headings = {{"level", "1 to 4: spheres; 5: triangles"}, {"collisions", ""}, {"share", ""}};
  const double all = std::accumulate(profile.collisions.begin(), profile.collisions.end(), 0.0);
  for (std::size_t i = 0; i < profile.collisions.size(); ++i)
    table.rows.push_back(
        {i + 1 < profile.collisions.size() ? fmt::format("{}", i + 1) : "5 (triangles)",
         shortNumber(profile.collisions[i]),
         all > 0.0 ? fmt::format("{:.1f} %", 100.0 * profile.collisions[i] / all) : ""});
  table.rows.push_back({"all", shortNumber(all), ""});
  return table;
}

}  // namespace

PlotSeries distributionSeries(std::string name, std::span<const double> milliseconds,
                              std::size_t style) {
  PlotSeries series;
  series.name = std::move(name);
  series.mark = PlotMark::Steps;
  series.style = style;
  for (const auto& [value, share] : distributionOf(milliseconds, distributionPoints)) {
    // The function rises from 0 at the smallest value
    if (series.points.empty()) series.points.push_back({value, 0.0});
    series.points.push_back({value, share});
  }
  return series;
}

std::string profileHtml(const ProfileData& profile) {
  if (profile.frameMs.empty()) return paragraphHtml("The file contains no complete frame.");
  std::string text =
      paragraphHtml(fmt::format("{} frames; {} took over 1\u00a0% more than their target; in {} "
                                "the budget ended before every contact was refined to the "
                                "finest level.",
                                profile.frameMs.size(), profile.missed, profile.exhausted));
  text += tableHtml(statisticsTable(profile));
  text += "<div class=\"figures\">\n" + figureHtml(stripPlot(profile)) +
          figureHtml(distributionPlot(profile)) + "<div>" + headingHtml(4, "Collisions by level") +
          tableHtml(collisionTable(profile)) + "</div></div>\n";
  return text;
}

}  // namespace nearmiss::app::report
