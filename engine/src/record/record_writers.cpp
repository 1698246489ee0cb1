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

}  // namespace detail

RecordWriter::RecordWriter() noexcept = default;
RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;
RecordWriter::~RecordWriter() = default;

std::optional<Error> RecordWriter::error() const { return file_->error(); }
Result<Success> RecordWriter::close() { return file_->close(); }

}  // namespace nearmiss::engine
