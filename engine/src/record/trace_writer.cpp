// SPDX-License-Identifier: MIT
#include <engine/record/record_writers.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "record/record_file.h"
#include "record/record_text.h"

namespace nearmiss::engine {
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
  // The phases of a frame follow one another from its start
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
  // JSON has no infinity: a frame whose bound is unknown has no sample
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

}  // namespace nearmiss::engine
