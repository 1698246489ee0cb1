// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nearmiss/detail/file_bytes.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "report/lab_table.h"
#include "report/record.h"

namespace nearmiss::app::report {
namespace {

/// Maximum number of head lines; a typical record has some dozens.
constexpr std::size_t maxHeadLines = 10'000;
/// Maximum bytes of a table as JSON, which is read at once.
constexpr std::uintmax_t maxJsonBytes = std::uintmax_t{256} << 20;
/// Ten times the longest head line; a longer line is not text.
constexpr std::size_t longestLine = std::size_t{1} << 20;
constexpr std::string_view formatName = "nearmiss record ";
/// Start of a measurement stored with the documentation, typed or copied from a record.
constexpr std::string_view measurementBegins = "# commit: ";

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

RecordReader::RecordReader(std::filesystem::path file, std::unique_ptr<std::istream> stream)
    : file_(std::move(file)), stream_(std::move(stream)), buffer_(longestLine) {}

Error RecordReader::fault(std::string_view what) const {
  return {ErrorCode::BadFormat, fmt::format("\"{}\", line {}: {}", file_.string(), line_, what)};
}

RecordReader::Line RecordReader::readLine() {
  stream_->getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  auto length = static_cast<std::size_t>(stream_->gcount());
  if (stream_->bad()) return Line::Failed;
  if (stream_->eof()) return length == 0 ? Line::End : Line::Cut;
  ++line_;
  if (stream_->fail()) return Line::TooLong;
  // The length includes the line end, which may have two characters
  --length;
  if (length > 0 && buffer_[length - 1] == '\r') --length;
  text_ = {buffer_.data(), length};
  return Line::Whole;
}

Result<RecordReader> RecordReader::open(const std::filesystem::path& file) {
  // A pipe might block forever
  std::error_code failed;
  if (std::filesystem::exists(file, failed) && !std::filesystem::is_directory(file, failed) &&
      !std::filesystem::is_regular_file(file, failed))
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot open \"{}\": Not a regular file", file.string())};
  errno = 0;
  auto stream = std::make_unique<std::ifstream>(file, std::ios::binary);
  const int why = std::filesystem::is_directory(file, failed) ? EISDIR : errno;
  if (!*stream || why == EISDIR)
    return Error{ErrorCode::Unreadable, fmt::format("cannot open \"{}\": {}", file.string(),
                                                    std::generic_category().message(why))};
  std::unique_ptr<std::istream> record = std::move(stream);
  if (record->peek() == '{') {
    std::string json;
    const int error = readFile(file, maxJsonBytes, json);
    if (error == EFBIG)
      return Error{ErrorCode::TooLarge,
                   fmt::format("\"{}\" is larger than {} MiB", file.string(), maxJsonBytes >> 20)};
    if (error != 0)
      return Error{ErrorCode::Unreadable, fmt::format("cannot read \"{}\": {}", file.string(),
                                                      std::generic_category().message(error))};
    auto table = recordOfLabTable(json);
    if (!table)
      return Error{table.error().code,
                   fmt::format("\"{}\" {}", file.string(), table.error().message)};
    record = std::make_unique<std::istringstream>(*std::move(table));
  }
  record->clear();
  RecordReader reader(file, std::move(record));
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
        (read != Line::Whole || !(text_.starts_with(fmt::format("# format: {}", formatName)) ||
                                  text_.starts_with(measurementBegins))))
      return foreign("is not a record: its first line is not \"# format: nearmiss record 3\"");
    if (read == Line::TooLong) return fault("the line is too long for a record");
    if (read != Line::Whole) return fault("the file ends before the names of its columns");
    if (!text_.starts_with('#')) return Success{};
    const std::size_t colon = text_.find(": ");
    if (colon == std::string_view::npos || colon < 2) continue;
    if (head_.size() == maxHeadLines) return fault("the head is too long for a record");
    head_.push_back(
        {std::string(text_.substr(2, colon - 2)), std::string(text_.substr(colon + 2)), line_});
  }
}

Result<Success> RecordReader::checkFormat() const {
  if (head_.front().key != "format") return Success{};
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

std::string RecordTable::meaningOf(std::string_view column) const {
  // Format "name: meaning; name [unit]: meaning"; a meaning may contain colons
  std::string_view rest = saidIn(head, "columns");
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("; "), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const std::size_t colon = part.find(": ");
    if (!part.starts_with(column) || colon == std::string_view::npos) continue;
    std::string meaning(part.substr(colon + 2));
    const std::string_view unit = part.substr(column.size(), colon - column.size());
    if (unit.empty()) return meaning;
    if (unit.starts_with(" [") && unit.ends_with(']'))
      return meaning + ", " + std::string(unit.substr(2, unit.size() - 3));
  }
  return {};
}

Result<RecordTable> readTable(RecordReader reader) {
  RecordTable table;
  table.file = reader.file();
  table.head = reader.head();
  table.columns = reader.columns();
  for (;;) {
    const auto more = reader.next();
    if (!more) return more.error();
    if (!*more) break;
    table.cells.insert(table.cells.end(), reader.cells().begin(), reader.cells().end());
    table.rowLines.push_back(reader.line());
  }
  table.cutShort = reader.cutShort();
  return table;
}

namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> tablesIn(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    // Skip a partial result next to an earlier complete one
    if (at->path().extension() == ".csv" && at->path().stem().extension() != ".partial" &&
        !fs::is_directory(at->path()))
      files.push_back(at->path());
  if (failed)
    return Error{ErrorCode::Unreadable, fmt::format("cannot read the folder \"{}\": {}",
                                                    folder.string(), failed.message())};
  if (files.empty())
    return Error{ErrorCode::Unreadable,
                 fmt::format("the folder \"{}\" holds no .csv file", folder.string())};
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<RecordPath>> recordFiles(std::span<const fs::path> runs) {
  std::vector<RecordPath> files;
  for (const fs::path& run : runs) {
    std::error_code failed;
    if (!fs::is_directory(run, failed)) {
      files.push_back({run, false});
      continue;
    }
    const auto found = tablesIn(run);
    if (!found) return found.error();
    for (const fs::path& file : *found) files.push_back({file, true});
  }
  std::set<std::pair<dev_t, ino_t>> seen;
  for (const RecordPath& each : files) {
    struct stat status {};
    if (::stat(each.file.c_str(), &status) != 0) continue;
    if (!seen.insert({status.st_dev, status.st_ino}).second)
      return Error{ErrorCode::Mismatch, fmt::format("\"{}\" is given twice", each.file.string())};
  }
  return files;
}

namespace {

/// Keys that must agree for times to be comparable.
constexpr std::array<std::string_view, 6> decisiveKeys{"format", "build",    "flags",
                                                       "cpu",    "realtime", "clock"};

std::string_view known(std::string_view said) { return said.empty() ? "unknown" : said; }

/// The largest number in a value; merged parts separate numbers by "; ".
std::optional<double> largestNumberIn(std::string_view said) {
  std::optional<double> largest;
  while (!said.empty()) {
    const std::size_t end = std::min(said.find("; "), said.size());
    const auto number = numberIn(said.substr(0, end));
    if (!number) return std::nullopt;
    largest = std::max(largest.value_or(*number), *number);
    said.remove_prefix(std::min(end + 2, said.size()));
  }
  return largest;
}

}  // namespace

void BusyMachines::add(std::string_view name, std::span<const HeadLine> head) {
  const auto load = largestNumberIn(saidIn(head, "load")),
             cores = largestNumberIn(saidIn(head, "cores"));
  if (!load || !cores || *load <= *cores) return;
  const bool first = names_.empty();
  names_.emplace_back(name);
  minLoad_ = first ? *load : std::min(minLoad_, *load);
  maxLoad_ = first ? *load : std::max(maxLoad_, *load);
  minCores_ = first ? *cores : std::min(minCores_, *cores);
  maxCores_ = first ? *cores : std::max(maxCores_, *cores);
}

std::optional<std::string> BusyMachines::notice() const {
  if (names_.empty()) return std::nullopt;
  constexpr std::size_t most = 3;
  std::string who;
  for (std::size_t i = 0; i < std::min(names_.size(), most); ++i) {
    const bool last = i > 0 && i + 1 == names_.size();
    who += fmt::format("{}\"{}\"", i == 0 ? "" : last ? " and " : ", ", names_[i]);
  }
  if (names_.size() > most) who += fmt::format(" and {} more", names_.size() - most);
  const auto range = [](double low, double high) {
    return low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
  };
  const bool one = names_.size() == 1;
  return fmt::format(
      "The machine of {} was busy before {} began: a load of {} on {} cores. {} times may be too "
      "long.",
      who, one ? "it" : "they", range(minLoad_, maxLoad_), range(minCores_, maxCores_),
      one ? "Its" : "Their");
}

std::optional<std::string> cutNotice(std::string_view name, bool cutShort, std::size_t rows) {
  if (!cutShort) return std::nullopt;
  return fmt::format(
      "\"{}\" ends within a line: that line is left out, and the {} whole rows before it are used.",
      name, rows);
}

std::optional<std::string> whyNotComparable(std::string_view nameA, std::span<const HeadLine> a,
                                            std::string_view nameB, std::span<const HeadLine> b) {
  std::string differences;
  for (const std::string_view key : decisiveKeys) {
    const std::string_view ofA = known(saidIn(a, key)), ofB = known(saidIn(b, key));
    if (ofA == ofB) continue;
    differences += fmt::format("{}{} is \"{}\" in one and \"{}\" in the other",
                               differences.empty() ? "" : "; ", key, ofA, ofB);
  }
  if (differences.empty()) return std::nullopt;
  return fmt::format("Times of \"{}\" and \"{}\" are not compared: {}.", nameA, nameB, differences);
}

}  // namespace nearmiss::app::report
