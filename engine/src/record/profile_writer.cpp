// SPDX-License-Identifier: MIT
#include <engine/record/record_head.h>
#include <engine/record/record_writers.h>
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>

#include "record/record_file.h"
#include "record/record_text.h"

namespace nearmiss::engine {
namespace {

struct Column {
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the rows; the head of the file repeats every meaning.
constexpr std::array columns{
    Column{"frame", "number of the frame from 0"},
    Column{"t_s", "wall time from the start of the first frame to the start of this one in s"},
    Column{"sim_s", "simulation time at the end of the frame in s"},
    Column{"detector", "narrow phase that drives"},
    Column{"target_ms", "what the frame may last"},
    Column{"predicted_rest_ms", "what everything but detection was expected to take"},
    Column{"budget_ms", "what detection was allowed on the budget clock; inf is no limit"},
    Column{"input_ms", "events and bookkeeping; with the program itself all that is not named"},
    Column{"motion_ms", "controls and integration"},
    Column{"broad_ms", "broad phase"},
    Column{"narrow_ms", "narrow phase"},
    Column{"response_ms", "response to collisions"},
    Column{"render_ms", "drawing"},
    Column{"swap_ms", "showing what was drawn"},
    Column{"slack_ms", "waiting for the frame's end"},
    Column{"other_ms", "what no phase accounts for: bookkeeping between them"},
    Column{"frame_ms", "the whole frame; input to other and watching sum to it"},
    Column{"missed", "1 if the frame took over 1 % more than its target"},
    Column{"exhausted",
           "1 if the budget ended before all that meet were known to the finest level"},
    Column{"ships", "ships in the world"},
    Column{"pairs_broad",
           "pairs whose bounding spheres met and that were looked at, over all "
           "detections of the frame"},
    Column{"pairs_narrow", "of these the ones not found separate"},
    Column{"steps", "levels of pairs completed"},
    Column{"sphere_tests", "tests of bounds against bounds or planes"},
    Column{"tri_tests", "tests of triangles against triangles"},
    Column{"coll_l1", "collisions, counted as they begin, whose finest level was 1"},
    Column{"coll_l2", "the same for level 2"},
    Column{"coll_l3", "the same for level 3"},
    Column{"coll_l4", "the same for level 4"},
    Column{"coll_l5", "the same for level 5: the triangles"},
    Column{"bound_max", "greatest separation bound of these collisions in m; 0 without any"},
    Column{"bound_median", "median separation bound of these collisions in m"},
    Column{"watching_ms", "a reference detector or pair calls beside the driver"},
    Column{"detections", "calls of the detector"},
    Column{"detections_skipped", "that fixed steps would have made besides"},
    Column{"pairs_postponed", "meeting pairs not looked at for want of time, over detections"},
    Column{"longest_wait_s", "simulation time that one of them has waited so far"},
    Column{"next_detection_s", "simulation time of the next call, as known at the frame's end"},
    Column{"touching", "pairs not separate at the last detection"},
    Column{"touches_ended", "touches that ended"},
    Column{"responses", "times that the response threw a pair apart"},
    Column{"ships_postponed", "ships whose neighbours were not looked for, over detections"},
    Column{"longest_wait", "detections that have left out one pair or ship so far"},
    Column{"pairs_forced", "of pairs_broad those that might not wait, whatever the budget"},
    Column{"coll_late", "collisions answered after their pair had waited"},
    Column{"most_late", "detections that one of these pairs had waited"},
    Column{"spent_ms", "what detection took on the budget clock"},
    Column{"preemptions", "times that another process took the core while ships moved"},
};

using detail::milliseconds;

void appendRow(const FrameProfile& f, std::string& out) {
  auto to = std::back_inserter(out);
  const bool limited = f.budget != FrameProfile::Duration::max();
  fmt::format_to(to, "{},{:.6f},{:.6f},{},{},{},{},", f.frame, f.wallSeconds, f.simTime, f.detector,
                 milliseconds(f.target), milliseconds(f.predictedRest),
                 limited ? milliseconds(f.budget) : "inf");
  for (const FrameProfile::Duration phase : {f.input, f.motion, f.broad, f.narrow, f.response,
                                             f.render, f.swap, f.slack, f.other, f.frameTime})
    fmt::format_to(to, "{},", milliseconds(phase));
  fmt::format_to(to, "{:d},{:d},{},{},{},{},{},{}", f.missed, f.exhausted, f.ships, f.pairsBroad,
                 f.pairsNarrow, f.steps, f.sphereTests, f.triangleTests);
  for (std::size_t level = 1; level < f.collisions.size(); ++level)
    fmt::format_to(to, ",{}", f.collisions[level]);
  fmt::format_to(to, ",{:.9g},{:.9g},{},{},{},{},{:.6f},{:.6f},{},{},{}", f.worstBound,
                 f.medianBound, milliseconds(f.watching), f.detections, f.detectionsSkipped,
                 f.pairsPostponed, f.longestWait, f.nextDetection, f.touching, f.touchesEnded,
                 f.responses);
  fmt::format_to(to, ",{},{},{},{},{},{},{}\n", f.bodiesPostponed, f.mostPassedOver, f.pairsForced,
                 f.collisionsLate, f.mostLate, milliseconds(f.spent), f.preemptions);
}

}  // namespace

Result<ProfileWriter> ProfileWriter::open(const std::filesystem::path& file,
                                          const RecordHead& head) {
  // Say what the file is, what each column means, and then the columns
  std::string beginning = headText(head), meanings, names;
  for (const Column& column : columns) {
    meanings += fmt::format("{}{}: {}", meanings.empty() ? "" : "; ", column.name, column.meaning);
    names += fmt::format("{}{}", names.empty() ? "" : ",", column.name);
  }
  beginning += fmt::format("# columns: times end in _ms; {}\n{}\n", meanings, names);
  auto opened = RecordFile::open(file, std::move(beginning));
  if (!opened) return opened.error();
  ProfileWriter writer;
  writer.file_ = *std::move(opened);
  return writer;
}

void ProfileWriter::add(const FrameProfile& frame) {
  if (file_->failed()) return;
  appendRow(frame, file_->lines());
  file_->flushIfDue(frame.wallSeconds);
}

}  // namespace nearmiss::engine
