// SPDX-License-Identifier: MIT
#include "running/run.h"

#include <engine/base/threads.h>
#include <engine/flight/depth.h>
#include <engine/flight/pair_calls.h>
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/session/session.h>
#include <fmt/format.h>
#include <nearmiss/advanced/fallbacks.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "console/text.h"
#include "running/frame_loop.h"
#include "running/scene_shapes.h"

namespace nearmiss::app {
namespace {

using engine::FrameProfile;

/// The output files of a run.
class Records {
 public:
  static Result<Records> open(const Options& options, const engine::RecordHead& head) {
    Records records;
    records.options_ = &options;
    records.head_ = head;
    auto opened = openRecords(options, head);
    if (!opened) return opened.error();
    records.open_ = *std::move(opened);
    return records;
  }

  /// Adds a frame. `calls` are the pair calls of the frame, if any; they are cleared.
  void add(const FrameProfile& frame, engine::PairCalls* calls) {
    summary_.add(frame);
    write("profile", open_.profile, frame);
    write("trace", open_.trace, frame);
    if (!calls) return;
    write("table of pair calls", open_.calls, calls->calls(), frame.wallSeconds);
    calls->clear();
  }

  /// Returns true if all requested files were written.
  bool close(std::uint64_t hash) {
    const auto finish = [this](const Result<Success>& written) {
      if (!written) complain(written.error().message);
      whole_ = whole_ && written;
    };
    if (open_.profile) finish(open_.profile->close());
    if (open_.trace) finish(open_.trace->close());
    if (open_.calls) finish(open_.calls->close());
    if (!options_->records.summary.empty())
      finish(summary_.write(options_->records.summary, head_, hash));
    return whole_;
  }

  [[nodiscard]] const engine::RunSummary& summary() const noexcept { return summary_; }

 private:
  Records() = default;

  template <class Writer>
  void write(std::string_view name, std::optional<Writer>& writer, const auto&... what) {
    if (!writer) return;
    writer->add(what...);
    // Report the failure once and continue, because the run itself is valid
    if (const auto error = writer->error()) {
      complain(fmt::format("{}; the {} ends here", error->message, name));
      whole_ = false;
      writer.reset();
    }
  }

  const Options* options_ = nullptr;
  engine::RecordHead head_;
  OpenRecords open_;
  bool whole_ = true;
  engine::RunSummary summary_;
};

void printWaits(const engine::RunSummary& summary) {
  if (summary.waits().pairs + summary.waits().bodies == 0) return;
  fmt::print("{:<11} {} pairs, {} ships; {} detections and {:.4g} s at most\n", "postponed",
             summary.waits().pairs, summary.waits().bodies, summary.waits().maxPassedOver,
             summary.waits().longest);
  fmt::print("{:<11} {} collisions, by {} detections at most\n", "seen late",
             summary.waits().collisionsLate, summary.waits().maxLate);
}

/// Prints by how much detection exceeded its budget in exhausted frames.
void printOverrun(const engine::RunSummary& summary) {
  const engine::SeriesSummary s = summary.overrunUs();
  if (s.n == 0) return;
  fmt::print(
      "{:<11} p50 {:.1f}, p99 {:.1f}, p99.9 {:.1f}, max {:.1f} us in {} frames short of "
      "time\n",
      "overrun", s.p50, s.p99, s.p99_9, s.max, s.n);
  const engine::SeriesSummary undisturbed = summary.undisturbedOverrunUs();
  if (undisturbed.n == 0)
    fmt::print("{:<11} in each of them another process took the core\n", "");
  else if (undisturbed.n < s.n)
    fmt::print(
        "{:<11} p50 {:.1f}, p99 {:.1f}, p99.9 {:.1f}, max {:.1f} us in the {} of them in "
        "which no other process took the core\n",
        "", undisturbed.p50, undisturbed.p99, undisturbed.p99_9, undisturbed.max, undisturbed.n);
  fmt::print("{:<11} {}\n", "at most", summary.causeOfWorstOverrun());
}

void printSummary(const Options& options, const FrameLoop& loop, const engine::RunSummary& summary,
                  Real simulated) {
  fmt::print("{}: {} frames, {:.1f} s simulated in {:.2f} s{}\n", printable(options.scene.name),
             summary.frames().all, simulated, loop.seconds(), interrupted() ? "; interrupted" : "");
  if (summary.frames().all == 0) return;
  const auto line = [](std::string_view what, const engine::SeriesSummary& s) {
    fmt::print("{:<11} mean {:.3f} ms, p99 {:.3f} ms, max {:.3f} ms\n", what, s.mean, s.p99, s.max);
  };
  line("frame", summary.frameMs());
  line("detection", summary.detectionMs());
  fmt::print("{:<11} {} calls, {} skipped\n", "", summary.calls().made, summary.calls().skipped);
  printWaits(summary);
  printOverrun(summary);
  fmt::print("{:<11} {} frames over {:.4g} ms\n", "missed", summary.frames().missed,
             options.scene.frameMs);
  std::uint64_t all = 0;
  std::string byLevel;
  for (std::size_t level = 0; level < summary.touches().begun.size(); ++level) {
    all += summary.touches().begun[level];
    if (level > 0 || summary.touches().begun[0] > 0)
      byLevel += fmt::format("{}{} {}", byLevel.empty() ? "" : ", ", summary.touches().begun[level],
                             engine::nameOfDepth(static_cast<int>(level)));
  }
  fmt::print("{:<11} {} began: {}; worst bound {}\n", "collisions", all, byLevel,
             gapText(summary.touches().worstBound));
  fmt::print("{:<11} {} ended, {} go on, {} responses\n", "", summary.touches().ended,
             summary.touches().now, summary.touches().responses);
  if (!options.scene.reference.empty())
    fmt::print("{:<11} {} contacts that {} found and {} did not\n", "reference",
               loop.missedByDriver(), options.scene.reference, options.scene.narrow);
  fmt::print("{}", fallbackLines());
}

}  // namespace

int run(const Options& options) {
  if (const int exitCode = checkOutputs(outputsOf(options), inputsOf(options)); exitCode != Ok)
    return exitCode;
  watchForInterrupts();
  const bool bspTrees = engine::needsBspTrees(options.scene) || !options.records.calls.empty();
  // No file is open yet, so an interrupt may end the program
  const auto shapes =
      loadSceneShapes(options.scene, shapeOptions(options, options.scene, bspTrees));
  if (!shapes) return complain(shapes.error(), BadModelOrScene);
  std::unique_ptr<Clock> clock = std::make_unique<SteadyClock>();
  if (options.scene.clock == engine::ClockKind::Work) clock = std::make_unique<WorkClock>();
  const auto simulation = engine::makeSimulation(options.scene, **shapes, *clock);
  if (!simulation) return complain(simulation.error(), BadModelOrScene);

  const engine::RecordHead head =
      engine::recordHead(engine::commitName(), options.scene, **shapes, "none", options.realtime);
  auto records = Records::open(options, head);
  if (!records) return complain(records.error(), Environment);
  std::unique_ptr<engine::PairCalls> calls;
  if (!options.records.calls.empty()) {
    auto made = engine::makePairCalls(options.scene, **shapes);
    if (!made) return complain(made.error(), BadModelOrScene);
    calls = *std::move(made);
  }
  (*simulation)->setPairCalls(calls.get());
  const auto pool = engine::workerPool(options.workers);
  (*simulation)->shareWork(pool.get());
  engine::SessionWriter session;
  if (!options.records.session.empty()) {
    session.begin(engine::sessionSceneOf(options.scene, options.scene.narrow, **shapes, true),
                  head);
    if (auto opened = session.startFile(options.records.session); !opened)
      return complain(opened.error(), session.refusal().empty() ? Environment : BadModelOrScene);
  }
  FrameLoop loop(options, **simulation);
  loop.recordIn(session.writing() ? &session : nullptr);
  loop.run([&](const FrameProfile& frame) { records->add(frame, calls.get()); });

  const std::uint64_t hash = engine::stateHash((*simulation)->world().ships());
  bool whole = records->close(hash);
  if (const auto written = session.close(); !written) {
    complain(written.error().message);
    whole = false;
  }
  printSummary(options, loop, records->summary(), (*simulation)->world().time());
  fmt::print("state 0x{:016x}\n", hash);
  return whole ? Ok : Environment;
}

}  // namespace nearmiss::app
