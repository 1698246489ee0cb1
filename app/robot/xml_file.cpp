// SPDX-License-Identifier: MIT
#include "robot/xml_file.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace nearmiss::app {
namespace {

constexpr std::uintmax_t maxBytes = std::uintmax_t{64} << 20;

Result<std::string> readAll(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed))
    return Error{ErrorCode::NotFound, fmt::format("there is no file \"{}\"", file.string())};
  if (!isFileThere(file))
    return Error{ErrorCode::Unreadable, fmt::format("\"{}\" is no file", file.string())};
  if (std::filesystem::file_size(file, failed) > maxBytes)
    return Error{ErrorCode::TooLarge,
                 fmt::format("\"{}\" is larger than {} MiB", file.string(), maxBytes >> 20)};
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream)
    return Error{ErrorCode::Unreadable, fmt::format("cannot read \"{}\"", file.string())};
  return text;
}

}  // namespace

Result<std::unique_ptr<tinyxml2::XMLDocument>> readXml(const std::filesystem::path& file) {
  const auto text = readAll(file);
  if (!text) return text.error();
  auto document = std::make_unique<tinyxml2::XMLDocument>();
  if (document->Parse(text->data(), text->size()) != tinyxml2::XML_SUCCESS)
    return Error{ErrorCode::BadFormat,
                 fmt::format("\"{}\" is no XML: line {}", file.string(), document->ErrorLineNum())};
  return document;
}

std::string xmlText(const tinyxml2::XMLDocument& document) {
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

std::optional<std::vector<Real>> numbersIn(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  std::vector<Real> numbers;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    if (text.empty()) return numbers;
    std::string_view word = text.substr(0, text.find_first_of(spaces));
    text.remove_prefix(word.size());
    // from_chars() takes no plus
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    Real number = 0.0;
    const char* last = word.data() + word.size();
    const auto [end, fault] = std::from_chars(word.data(), last, number);
    if (fault != std::errc() || end != last || !std::isfinite(number)) return {};
    numbers.push_back(number);
  }
}

bool isFileThere(const std::filesystem::path& file) {
  std::error_code failed;
  return std::filesystem::is_regular_file(file, failed);
}

}  // namespace nearmiss::app
