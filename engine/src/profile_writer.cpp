// SPDX-License-Identifier: MIT
#include <engine/records.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iterator>

#include <engine/atomic_file.h>
#include "record_text.h"

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
    Column{"frame_ms", "the whole frame; input to slack and watching sum to it"},
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
  for (const FrameProfile::Duration phase :
       {f.input, f.motion, f.broad, f.narrow, f.response, f.render, f.swap, f.slack, f.frameTime})
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

struct ProfileWriter::State {
  static constexpr std::size_t flushAt = 1 << 15;
  static constexpr double flushEvery = 1.0;  ///< seconds of wall time

  std::filesystem::path file;
  int descriptor = -1;
  bool regular = false;
  std::string waiting;        ///< whole lines that are not yet written
  std::uint64_t written = 0;  ///< bytes, whole lines all
  double flushedAt = 0.0;     ///< wall time of the frame in which that was done last
  int error = 0;

  ~State() {
    if (descriptor < 0) return;
    flush();
    ::close(descriptor);
  }

  void flush() {
    if (error == 0 && !waiting.empty()) {
      error = writeFully(descriptor, waiting);
      if (error == 0) written += waiting.size();
      // Of a write that failed half-way keep nothing, so that the file ends with a whole line
      else if (regular && ::ftruncate(descriptor, static_cast<off_t>(written)) != 0)
        regular = false;
    }
    waiting.clear();
  }
};

ProfileWriter::ProfileWriter(ProfileWriter&&) noexcept = default;
ProfileWriter& ProfileWriter::operator=(ProfileWriter&&) noexcept = default;
ProfileWriter::~ProfileWriter() = default;

Result<ProfileWriter> ProfileWriter::open(const std::filesystem::path& file,
                                          const RecordHead& head) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (const int error = errno; descriptor < 0) return cannotWrite(file, error);
  ProfileWriter writer;
  writer.state_ = std::make_unique<State>();
  State& state = *writer.state_;
  state.file = file;
  state.descriptor = descriptor;
  struct stat about {};
  state.regular = ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
  state.waiting.reserve(2 * State::flushAt);

  // Say what the file is, what each column means, and then the columns
  detail::appendHead(head, state.waiting);
  std::string meanings, names;
  for (const Column& column : columns) {
    meanings += fmt::format("{}{}: {}", meanings.empty() ? "" : "; ", column.name, column.meaning);
    names += fmt::format("{}{}", names.empty() ? "" : ",", column.name);
  }
  state.waiting += fmt::format("# columns: times end in _ms; {}\n{}\n", meanings, names);
  state.flush();
  if (state.error != 0) return cannotWrite(file, state.error);
  return writer;
}

void ProfileWriter::add(const FrameProfile& frame) {
  if (state_->error != 0) return;
  appendRow(frame, state_->waiting);
  // Whoever is killed, or loses power, leaves all but the last second
  if (state_->waiting.size() < State::flushAt &&
      frame.wallSeconds < state_->flushedAt + State::flushEvery)
    return;
  state_->flushedAt = frame.wallSeconds;
  state_->flush();
}

std::optional<Error> ProfileWriter::error() const {
  if (state_->error == 0) return std::nullopt;
  return cannotWrite(state_->file, state_->error);
}

Result<Success> ProfileWriter::close() {
  state_->flush();
  if (::close(std::exchange(state_->descriptor, -1)) != 0 && state_->error == 0)
    state_->error = errno;
  if (state_->error != 0) return cannotWrite(state_->file, state_->error);
  return Success{};
}

}  // namespace nearmiss::engine
