// SPDX-License-Identifier: MIT
#include <engine/record/record_writers.h>
#include <fmt/format.h>

#include <utility>

#include "record/record_file.h"
#include "record/record_text.h"

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

RecordWriter::RecordWriter() noexcept = default;
RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;
RecordWriter::~RecordWriter() = default;

std::optional<Error> RecordWriter::error() const { return file_->error(); }
Result<Success> RecordWriter::close() { return file_->close(); }

}  // namespace nearmiss::engine
