// SPDX-License-Identifier: MIT
#include <engine/record/record_head.h>
#include <engine/record/record_writers.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "record/record_file.h"
#include "record/record_text.h"

namespace nearmiss::engine {
namespace {

/// Written after the number of the level; empty where the level was not reached.
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
