// SPDX-License-Identifier: MIT
#include <engine/record/record_head.h>
#include <engine/record/record_writers.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "record/record_file.h"

namespace nearmiss::engine {
namespace detail {

std::string milliseconds(std::chrono::nanoseconds time) {
  return fmt::format("{:.6f}", static_cast<double>(time.count()) * 1e-6);
}

}  // namespace detail

RecordWriter::RecordWriter() noexcept = default;
RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;
RecordWriter::~RecordWriter() = default;

std::optional<Error> RecordWriter::error() const { return file_->error(); }
Result<Success> RecordWriter::close() { return file_->close(); }

namespace {

struct Column {
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the rows; the head of the file contains every meaning.
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
    Column{"next_detection_s", "simulation time of the next call, at the earliest"},
    Column{"touching", "pairs whose touch goes on: it ends 0.25 s of simulation after they parted"},
    Column{"touches_ended", "touches that ended"},
    Column{"responses", "times that the response threw a pair apart"},
    Column{"ships_postponed", "ships whose neighbours were not looked for, over detections"},
    Column{"longest_wait", "detections that have left out one pair or ship so far"},
    Column{"pairs_forced", "of pairs_broad those that might not wait, whatever the budget"},
    Column{"coll_late", "collisions answered after their pair had waited"},
    Column{"most_late", "detections that one of these pairs had waited"},
    Column{"spent_ms", "what detection took on the budget clock"},
    Column{"preemptions", "times that another process took the core while ships moved"},
    Column{"resp_l1", "pairs handed to the response, over detections, whose finest level was 1"},
    Column{"resp_l2", "the same for level 2"},
    Column{"resp_l3", "the same for level 3"},
    Column{"resp_l4", "the same for level 4"},
    Column{"resp_l5", "the same for level 5: the triangles"},
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
  fmt::format_to(to, ",{},{},{},{},{},{},{}", f.bodiesPostponed, f.maxPassedOver, f.pairsForced,
                 f.collisionsLate, f.maxLate, milliseconds(f.spent), f.preemptions);
  for (std::size_t level = 1; level < f.responded.size(); ++level)
    fmt::format_to(to, ",{}", f.responded[level]);
  out += '\n';
}

}  // namespace

Result<ProfileWriter> ProfileWriter::open(const std::filesystem::path& file,
                                          const RecordHead& head) {
  // The head, the meaning of each column, then the column names
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

namespace {

/// Microseconds, the unit of the trace format.
std::string microseconds(double nanoseconds) { return fmt::format("{:.3f}", nanoseconds * 1e-3); }

}  // namespace

Result<TraceWriter> TraceWriter::open(const std::filesystem::path& file) {
  auto opened = RecordFile::open(file, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
  if (!opened) return opened.error();
  TraceWriter writer;
  writer.file_ = *std::move(opened);
  return writer;
}

void TraceWriter::add(const FrameProfile& f) {
  if (file_->failed()) return;
  const auto append = [this](std::string_view event) {
    file_->lines() += std::exchange(empty_, false) ? "\n" : ",\n";
    file_->lines() += event;
  };
  // Phases are consecutive from the start of the frame
  using Phase = std::pair<const char*, FrameProfile::Duration>;
  const std::array<Phase, 10> phases{{{"input", f.input},
                                      {"motion", f.motion},
                                      {"broad phase", f.broad},
                                      {"narrow phase", f.narrow},
                                      {"response", f.response},
                                      {"watching", f.watching},
                                      {"render", f.render},
                                      {"swap", f.swap},
                                      {"slack", f.slack},
                                      {"other", f.other}}};
  double at = f.wallSeconds * 1e9;
  append(
      fmt::format("{{\"name\":\"slack\",\"ph\":\"C\",\"pid\":1,\"ts\":{},"
                  "\"args\":{{\"ms\":{}}}}}",
                  microseconds(at), detail::milliseconds(f.slack)));
  // JSON has no infinity: omit frames with an unknown bound
  if (std::isfinite(f.worstBound))
    append(
        fmt::format("{{\"name\":\"worst bound\",\"ph\":\"C\",\"pid\":1,\"ts\":{},"
                    "\"args\":{{\"m\":{:.9g}}}}}",
                    microseconds(at), f.worstBound));
  for (const auto& [name, duration] : phases) {
    if (duration.count() <= 0) continue;
    const auto length = static_cast<double>(duration.count());
    append(
        fmt::format("{{\"name\":\"{}\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":{},"
                    "\"dur\":{},\"args\":{{\"frame\":{}}}}}",
                    name, microseconds(at), microseconds(length), f.frame));
    at += length;
  }
  file_->flushIfDue(f.wallSeconds);
}

Result<Success> TraceWriter::close() {
  file_->lines() += "\n]}\n";
  return RecordWriter::close();
}

namespace {

/// `text`, or empty if the level was not reached.
std::string reached(bool isReached, const std::string& text) {
  return isReached ? text : std::string();
}

}  // namespace

Result<PairCallWriter> PairCallWriter::open(const std::filesystem::path& file,
                                            const RecordHead& head) {
  std::string beginning = headText(head);
  beginning +=
      "# columns: frame: number of the frame from 0; sub: detection within the frame from 0; a, b: "
      "places of the ships; bsp_ns: the reference method to its end, in ns; st_l1_ns to st_l5_ns: "
      "from the start until that level was complete, in ns, empty if it was not reached; deepest: "
      "last level completed; hit_bsp: 1 if the reference found contact; hit_l5: 1 if the finest "
      "level found contact; bound_l1 to bound_l4: separation bound at that level in m, empty if it "
      "was not reached or found separate; tests_l1 to tests_l5: tests of spheres and of boxes "
      "beside "
      "them from the start until that level was complete, empty if it was not reached; "
      "triangle_tests: pairs of triangles compared\n"
      "frame,sub,a,b,bsp_ns,st_l1_ns,st_l2_ns,st_l3_ns,st_l4_ns,st_l5_ns,deepest,hit_bsp,hit_l5,"
      "bound_l1,bound_l2,bound_l3,bound_l4,tests_l1,tests_l2,tests_l3,tests_l4,tests_l5,"
      "triangle_tests\n";
  auto opened = RecordFile::open(file, std::move(beginning));
  if (!opened) return opened.error();
  PairCallWriter writer;
  writer.file_ = *std::move(opened);
  return writer;
}

void PairCallWriter::add(std::span<const PairCall> calls, double wallSeconds) {
  if (file_->failed()) return;
  auto to = std::back_inserter(file_->lines());
  for (const PairCall& call : calls) {
    fmt::format_to(to, "{},{},{},{},{}", call.frame, call.sub, call.a, call.b,
                   call.reference.count());
    for (std::size_t l = 0; l < call.level.size(); ++l)
      fmt::format_to(
          to, ",{}",
          reached(static_cast<int>(l) < call.deepest, fmt::format("{}", call.level[l].count())));
    fmt::format_to(to, ",{},{:d},{:d}", call.deepest, call.hitReference, call.hitLevel5);
    for (const Real bound : call.bound)
      fmt::format_to(to, ",{}", reached(!std::isnan(bound), fmt::format("{:.9g}", bound)));
    for (std::size_t l = 0; l < call.boundTests.size(); ++l)
      fmt::format_to(
          to, ",{}",
          reached(static_cast<int>(l) < call.deepest, fmt::format("{}", call.boundTests[l])));
    fmt::format_to(to, ",{}\n", call.triangleTests);
  }
  file_->flushIfDue(wallSeconds);
}

}  // namespace nearmiss::engine
