// SPDX-License-Identifier: MIT
#include "lab/turk_tables.h"

#include <fmt/format.h>

#include <limits>

namespace nearmiss::app {

void addTurkTables(LabResult& result) {
  LabTable table{"turk", "look-ahead against Turk's grid, until the first collision", {}, {}, {},
                 {}};
  table.columns = {
      {"bodies", "cubes that fly"},
      {"run", "its number"},
      {"method", "broad phase"},
      {"collided", "1: two cubes met before the end"},
      {"end_s", "simulation time of the first collision, or of the last frame"},
      {"frames", "until then"},
      {"calls", "of these, those in which the method had to look at all bodies"},
      {"detection_us", "wall time of all frames"},
      {"integrator_us", "the same of the motion"},
      {"slowest_us", "the slowest frame"},
      {"speedup", "detection time of the grid to that of the method"},
      {"speedup_with_integrator", "the same with the motion in both"},
      {"slowest_ratio", "slowest frame of the method to that of the grid"},
      {"break_even_s", "from when on it stays ahead of the grid, missing if never"},
      {"crossings_percent", "of three times C(2N over 2), by projection, before the first meeting"},
      {"tests", "of spheres or of bounds in all frames"},
      {"tests_a_frame", "the same, a mean"},
      {"model_speedup", "computed: tests of the grid to those of the method"},
      {"paper_speedup", "as published, for collisions after a quarter of a second"}};
  table.notes = {
      "model_speedup is the ratio under the papers' cost of a test: then a test of bounds cost as "
      "much as a test of spheres, some hundred instructions of slow arithmetic each, and memory, "
      "bookkeeping and the comparison of states with promises next to nothing; it is a model and "
      "no measurement, and too kind to the grid, whose cells are not counted"};
  table.figures = {{"Speed-up over Turk's grid",
                    "A point a flight: measured, and by the model",
                    "points",
                    "end_s",
                    {"speedup", "model_speedup", "paper_speedup"},
                    {"method"},
                    "xy",
                    "simulation time of the first collision, s",
                    "speed-up",
                    {}}};
  LabTable frames{"turk_frames", "frames by their detection time", {}, {}, {}, {}};
  frames.columns = {{"bodies", "cubes that fly"},
                    {"method", "broad phase"},
                    {"frame_us", "the middle of a bin, microseconds"},
                    {"frames", "in the bin, of all runs"}};
  frames.figures = {{"Frames by their detection time",
                     "How many frames take how long",
                     "steps",
                     "frame_us",
                     {"frames"},
                     {"method", "bodies"},
                     "xy",
                     "detection in a frame, us",
                     "frames",
                     {}}};
  result.tables = {table, frames};
}

void addTurkRow(LabResult& result, std::size_t item, const TurkRecord& record,
                const TurkRecord& grid) {
  // From when on the look-ahead wins in the papers, seconds, and by how much [Y04, "Evaluation"]
  constexpr Real papersBreakEven = 0.25;
  constexpr const char* papersSpeedup = "10";
  const bool own = record.method == grid.method;
  const double model = record.tests > 0
                           ? static_cast<double>(grid.tests) / static_cast<double>(record.tests)
                           : std::numeric_limits<double>::quiet_NaN();
  result.table("turk").add(
      item,
      fmt::format(
          "{},{},{},{:d},{:.6f},{},{},{:.3f},{:.3f},{:.3f},{:.4f},{:.4f},{:.4f},{},{:.6g},{},{:.4g}"
          ",{},{}",
          record.bodies, record.run, record.method, record.collided, record.end, record.frames,
          record.calls, record.detectionUs, record.integratorUs, record.slowestUs, record.speedup,
          record.speedupWithIntegrator, record.slowestRatio,
          record.breakEven < record.end ? fmt::format("{:.6f}", record.breakEven) : "",
          record.crossingsPercent, record.tests,
          static_cast<double>(record.tests) / static_cast<double>(record.frames),
          numberCell(model, 4), !own && record.end > papersBreakEven ? papersSpeedup : ""));
}

void addTurkFrames(LabResult& result, std::size_t item, const TurkFrames& frames) {
  for (std::size_t bin = 0; bin < FrameHistogram::bins; ++bin)
    if (frames.histogram.frames[bin] > 0)
      result.table("turk_frames")
          .add(item, fmt::format("{},{},{:.4g},{}", frames.bodies, frames.method,
                                 FrameHistogram::middleOf(bin), frames.histogram.frames[bin]));
}

}  // namespace nearmiss::app
