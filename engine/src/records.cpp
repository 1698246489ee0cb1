// SPDX-License-Identifier: MIT
#include <engine/records.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

#include <engine/atomic_file.h>
#include "record_text.h"

namespace nearmiss::engine {
namespace detail {

std::string milliseconds(std::chrono::nanoseconds time) {
  return fmt::format("{:.6f}", static_cast<double>(time.count()) * 1e-6);
}

void appendHead(const RecordHead& head, std::string& out) {
  for (const auto& [key, value] : head) {
    std::string line = fmt::format("# {}: {}", key, value);
    for (char& c : line)
      if (c == '\n' || c == '\r') c = ' ';
    out += line + '\n';
  }
}

}  // namespace detail

namespace {

/// Written after the number of the level; empty where the level was not reached.
std::string reached(bool isReached, const std::string& text) {
  return isReached ? text : std::string();
}

/// Microseconds, the unit of the trace format.
std::string microseconds(double nanoseconds) { return fmt::format("{:.3f}", nanoseconds * 1e-3); }

void appendEvent(std::string& out, std::string_view event) {
  if (out.back() == '}') out += ",\n";
  out += event;
}

}  // namespace

Result<Success> writePairCalls(const std::filesystem::path& file, const RecordHead& head,
                               std::span<const PairCall> calls) {
  std::string out;
  detail::appendHead(head, out);
  out +=
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
  auto to = std::back_inserter(out);
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
  return writeWhole(file, out);
}

Result<Success> writeTrace(const std::filesystem::path& file,
                           std::span<const FrameProfile> frames) {
  std::string out = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  for (const FrameProfile& f : frames) {
    // The phases of a frame follow one another from its start
    using Phase = std::pair<const char*, FrameProfile::Duration>;
    const std::array<Phase, 9> phases{{{"input", f.input},
                                       {"motion", f.motion},
                                       {"broad phase", f.broad},
                                       {"narrow phase", f.narrow},
                                       {"response", f.response},
                                       {"watching", f.watching},
                                       {"render", f.render},
                                       {"swap", f.swap},
                                       {"slack", f.slack}}};
    double at = f.wallSeconds * 1e9;
    appendEvent(out, fmt::format("{{\"name\":\"slack\",\"ph\":\"C\",\"pid\":1,\"ts\":{},"
                                 "\"args\":{{\"ms\":{}}}}}",
                                 microseconds(at), detail::milliseconds(f.slack)));
    // JSON knows no infinity: a frame whose bound is unknown has no sample
    if (std::isfinite(f.worstBound))
      appendEvent(out, fmt::format("{{\"name\":\"worst bound\",\"ph\":\"C\",\"pid\":1,\"ts\":{},"
                                   "\"args\":{{\"m\":{:.9g}}}}}",
                                   microseconds(at), f.worstBound));
    for (const auto& [name, duration] : phases) {
      if (duration.count() <= 0) continue;
      const auto length = static_cast<double>(duration.count());
      appendEvent(out, fmt::format("{{\"name\":\"{}\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":{},"
                                   "\"dur\":{},\"args\":{{\"frame\":{}}}}}",
                                   name, microseconds(at), microseconds(length), f.frame));
      at += length;
    }
  }
  out += "\n]}\n";
  return writeWhole(file, out);
}

}  // namespace nearmiss::engine
