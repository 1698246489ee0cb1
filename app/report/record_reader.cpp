// SPDX-License-Identifier: MIT
#include "report/record_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

namespace nearmiss::app {
namespace {

/// A line of the longest head is a tenth of that; what has no line end by then is no text.
constexpr std::size_t longestLine = std::size_t{1} << 20;
constexpr std::string_view formatName = "nearmiss record ";

}  // namespace

std::optional<double> numberIn(std::string_view text) noexcept {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, value);
  if (text.empty() || failed != std::errc() || rest != end || std::isnan(value))
    return std::nullopt;
  return value;
}

std::string_view saidIn(std::span<const HeadLine> head, std::string_view key) noexcept {
  for (const HeadLine& line : head)
    if (line.key == key) return line.value;
  return {};
}

RecordReader::RecordReader(std::filesystem::path file, std::ifstream stream)
    : file_(std::move(file)), stream_(std::move(stream)), buffer_(longestLine) {}

Error RecordReader::fault(std::string_view what) const {
  return {ErrorCode::BadFormat, fmt::format("\"{}\", line {}: {}", file_.string(), line_, what)};
}

RecordReader::Line RecordReader::readLine() {
  stream_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  auto length = static_cast<std::size_t>(stream_.gcount());
  if (stream_.bad()) return Line::Failed;
  if (stream_.eof()) return length == 0 ? Line::End : Line::Cut;
  ++line_;
  if (stream_.fail()) return Line::TooLong;
  // The line end is counted and not stored; on some systems it has two characters
  --length;
  if (length > 0 && buffer_[length - 1] == '\r') --length;
  text_ = {buffer_.data(), length};
  return Line::Whole;
}

Result<RecordReader> RecordReader::open(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::error_code failed;
  const int why = std::filesystem::is_directory(file, failed) ? EISDIR : errno;
  if (!stream || why == EISDIR)
    return Error{ErrorCode::Unreadable, fmt::format("cannot open \"{}\": {}", file.string(),
                                                    std::generic_category().message(why))};
  RecordReader reader(file, std::move(stream));
  if (const auto read = reader.readHead(); !read) return read.error();
  if (const auto known = reader.checkFormat(); !known) return known.error();
  if (const auto named = reader.nameColumns(); !named) return named.error();
  return reader;
}

Result<Success> RecordReader::readHead() {
  const auto foreign = [this](std::string_view why) {
    return Error{ErrorCode::Unsupported, fmt::format("\"{}\" {}", file_.string(), why)};
  };
  for (Line read = readLine();; read = readLine()) {
    if (read == Line::Failed)
      return Error{ErrorCode::Unreadable, foreign("cannot be read").message};
    if (line_ == 0 && read == Line::End) return foreign("is empty");
    const bool isRecord = !head_.empty();
    if (!isRecord &&
        (read != Line::Whole || !text_.starts_with(fmt::format("# format: {}", formatName))))
      return foreign("is not a record: its first line is not \"# format: nearmiss record 3\"");
    if (read == Line::TooLong) return fault("the line is too long for a record");
    if (read != Line::Whole) return fault("the file ends before the names of its columns");
    if (!text_.starts_with('#')) return Success{};
    const std::size_t colon = text_.find(": ");
    if (colon == std::string_view::npos || colon < 2) continue;
    head_.push_back(
        {std::string(text_.substr(2, colon - 2)), std::string(text_.substr(colon + 2)), line_});
  }
}

Result<Success> RecordReader::checkFormat() const {
  const std::string version = head_.front().value.substr(formatName.size());
  if (version == "2" || version == "3") return Success{};
  return Error{ErrorCode::WrongVersion,
               fmt::format("\"{}\" is a record of version {}; versions 2 and 3 are read",
                           file_.string(), version)};
}

Result<Success> RecordReader::nameColumns() {
  split();
  namesLine_ = line_;
  for (const std::string_view name : cells_) {
    if (name.empty()) return fault("a column has no name");
    if (std::find(columns_.begin(), columns_.end(), name) != columns_.end())
      return fault(fmt::format("two columns are named \"{}\"", name));
    columns_.emplace_back(name);
  }
  return Success{};
}

void RecordReader::split() {
  cells_.clear();
  for (std::size_t from = 0;;) {
    const std::size_t comma = text_.find(',', from);
    cells_.push_back(text_.substr(from, comma - from));
    if (comma == std::string_view::npos) return;
    from = comma + 1;
  }
}

RecordKind RecordReader::kind() const noexcept {
  const auto has = [this](std::string_view name) {
    return std::find(columns_.begin(), columns_.end(), name) != columns_.end();
  };
  if (!saidIn(head_, "experiment").empty()) return RecordKind::Table;
  if (has("bsp_ns") || has("st_l1_ns")) return RecordKind::PairCalls;
  if (has("frame") && (has("frame_ms") || has("target_ms") || has("narrow_ms")))
    return RecordKind::Profile;
  return RecordKind::Table;
}

Result<std::vector<std::size_t>> RecordReader::find(std::span<const std::string_view> names) const {
  std::vector<std::size_t> places;
  std::vector<std::string_view> missing;
  for (const std::string_view name : names) {
    const auto at = std::find(columns_.begin(), columns_.end(), name);
    if (at == columns_.end()) missing.push_back(name);
    places.push_back(static_cast<std::size_t>(at - columns_.begin()));
  }
  if (missing.empty()) return places;
  return Error{ErrorCode::BadFormat,
               fmt::format("\"{}\", line {}: without the column{} {}", file_.string(), namesLine_,
                           missing.size() == 1 ? "" : "s", fmt::join(missing, ", "))};
}

Result<bool> RecordReader::next() {
  switch (readLine()) {
    case Line::End:
      return false;
    case Line::Cut:
      cutShort_ = true;
      return false;
    case Line::TooLong:
      return fault("the line is too long for a record");
    case Line::Failed:
      return Error{ErrorCode::Unreadable,
                   fmt::format("\"{}\" cannot be read to its end", file_.string())};
    case Line::Whole:
      break;
  }
  split();
  if (cells_.size() != columns_.size())
    return fault(fmt::format("{} cells instead of {}", cells_.size(), columns_.size()));
  return true;
}

Result<double> RecordReader::number(std::size_t column) const {
  if (const auto value = numberIn(cells_[column])) return *value;
  return fault(
      fmt::format("\"{}\" in the column {} is not a number", cells_[column], columns_[column]));
}

Result<double> RecordReader::finite(std::size_t column) const {
  auto value = number(column);
  if (!value || std::isfinite(*value)) return value;
  return fault(fmt::format("\"{}\" in the column {} is not a finite number", cells_[column],
                           columns_[column]));
}

Result<std::optional<double>> RecordReader::numberIfAny(std::size_t column) const {
  if (cells_[column].empty()) return std::optional<double>();
  const auto value = number(column);
  if (!value) return value.error();
  return std::optional<double>(*value);
}

}  // namespace nearmiss::app
