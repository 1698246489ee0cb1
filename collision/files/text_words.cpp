// SPDX-License-Identifier: MIT
#include "files/text_words.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <version>

#if !defined(__cpp_lib_to_chars)
#include <locale.h>
#endif

namespace nearmiss::files {
namespace {

// Characters that end a word, one bit each.
constexpr std::uint8_t space = 1, lineEnd = 2, hash = 4, backslash = 8;
constexpr std::array<std::uint8_t, 256> kinds = [] {
  std::array<std::uint8_t, 256> all{};
  for (const char c : {' ', '\t', '\v', '\f'}) all[static_cast<unsigned char>(c)] = space;
  for (const char c : {'\n', '\r'}) all[static_cast<unsigned char>(c)] = lineEnd;
  all[static_cast<unsigned char>('#')] = hash;
  all[static_cast<unsigned char>('\\')] = backslash;
  return all;
}();
std::uint8_t kindOf(char c) noexcept { return kinds[static_cast<unsigned char>(c)]; }
bool isSpace(char c) noexcept { return kindOf(c) == space; }
bool isEnd(char c) noexcept { return kindOf(c) == lineEnd; }

/// Returns the nearest double, infinite or 0, of a decimal that is out of range for from_chars.
/// Does not use strtod, whose decimal point depends on the locale.
Real beyondRange(std::string_view word) noexcept {
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  const std::string_view digits = word.substr(0, word.find_first_of("eE"));
  const std::size_t first = digits.find_first_of("123456789");
  const std::size_t point = std::min(digits.find('.'), digits.size());
  // Position of the first digit relative to the point, negative for values below 1; then the
  // exponent is added
  auto places = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  if (const std::size_t e = word.find_first_of("eE"); e != word.npos) {
    std::string_view power = word.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    std::int64_t exponent = 0;
    const auto read = std::from_chars(power.data(), power.data() + power.size(), exponent);
    constexpr std::int64_t endless = std::int64_t{1} << 40;
    if (read.ec == std::errc::result_out_of_range)
      exponent = power.starts_with('-') ? -endless : endless;
    places += std::clamp(exponent, -endless, endless);
  }
  const Real magnitude = places > 0 ? std::numeric_limits<Real>::infinity() : 0.0;
  return negative ? -magnitude : magnitude;
}

#if defined(__cpp_lib_to_chars)
std::from_chars_result realFrom(std::string_view word, Real& value) {
  return std::from_chars(word.data(), word.data() + word.size(), value);
}
#else
/// libc++ has no from_chars for floating point before version 20.
std::from_chars_result realFrom(std::string_view word, Real& value) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string copy(word);
  if (isSpace(word.front()) || word.find_first_of("xX") != word.npos)
    return {word.data(), std::errc::invalid_argument};
  char* end = nullptr;
  errno = 0;
  value = strtod_l(copy.c_str(), &end, plain);
  return {word.data() + (end - copy.c_str()),
          errno == ERANGE ? std::errc::result_out_of_range : std::errc()};
}
#endif

}  // namespace

void TextWords::skipSpaces() noexcept {
  while (!left_.empty()) {
    std::size_t spaces = 0;
    while (spaces < left_.size() && isSpace(left_[spaces])) ++spaces;
    left_.remove_prefix(spaces);
    if (left_.empty()) return;
    if (rules_.comments && left_.front() == '#')
      while (!left_.empty() && !isEnd(left_.front())) left_.remove_prefix(1);
    // A continued line counts as one line
    if (!rules_.continues || left_.size() < 2 || left_[0] != '\\' || !isEnd(left_[1])) return;
    left_.remove_prefix(left_[1] == '\r' && left_.size() > 2 && left_[2] == '\n' ? 3 : 2);
    ++line_;
  }
}

void TextWords::skipLine() noexcept {
  while (!word().empty()) {
  }
  if (left_.empty()) return;
  left_.remove_prefix(left_.starts_with("\r\n") ? 2 : 1);
  ++line_;
}

bool TextWords::nextLine() noexcept {
  if (begun_) skipLine();
  begun_ = true;
  for (skipSpaces(); !left_.empty() && isEnd(left_.front()); skipSpaces()) skipLine();
  return !left_.empty();
}

std::string_view TextWords::word() noexcept {
  begun_ = true;
  skipSpaces();
  const auto ends = static_cast<std::uint8_t>(space | lineEnd | (rules_.comments ? hash : 0) |
                                              (rules_.continues ? backslash : 0));
  std::size_t length = 0;
  for (; length < left_.size(); ++length) {
    const auto kind = static_cast<std::uint8_t>(kindOf(left_[length]) & ends);
    if (kind == 0) continue;
    // Only at the end of a line does it continue with the next one
    if (kind != backslash || (length + 1 < left_.size() && isEnd(left_[length + 1]))) break;
  }
  const std::string_view word = left_.substr(0, length);
  left_.remove_prefix(length);
  return word;
}

std::string_view TextWords::anyWord() noexcept {
  if (const std::string_view here = word(); !here.empty()) return here;
  return nextLine() ? word() : std::string_view();
}

std::string_view TextWords::restOfLine() noexcept {
  while (!left_.empty() && isSpace(left_.front())) left_.remove_prefix(1);
  std::size_t length = 0;
  while (length < left_.size() && !isEnd(left_[length])) ++length;
  std::string_view rest = left_.substr(0, length);
  left_.remove_prefix(length);
  while (!rest.empty() && isSpace(rest.back())) rest.remove_suffix(1);
  return rest;
}

std::optional<Real> realOf(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  // from_chars would accept a second sign
  if (word.empty() || word.front() == '+') return std::nullopt;
  Real value = 0.0;
  const auto [end, fault] = realFrom(word, value);
  if (end != word.data() + word.size()) return std::nullopt;
  if (fault == std::errc::result_out_of_range) return beyondRange(word);
  if (fault != std::errc()) return std::nullopt;
  return value;
}

std::string noNumber(std::string_view word) {
  if (word.empty()) return "a number is missing";
  return filled("\"{}\" is no number{}", word.substr(0, 40),
                word.find(',') != word.npos ? ": decimals follow a point, not a comma" : "");
}

Error faultAt(std::size_t line, std::string_view fault) {
  return {ErrorCode::BadFormat, filled("line {}: {}", line, fault)};
}

Result<Vec3> readPoint(TextWords& words) {
  Vec3 point(0.0);
  for (int axis = 0; axis < 3; ++axis) {
    const std::string_view word = words.word();
    const std::optional<Real> value = realOf(word);
    if (!value) return faultAt(words.line(), noNumber(word));
    point[axis] = *value;
  }
  return point;
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string asText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", number);
  return text;
}

std::string filledWith(std::string_view sentence, std::span<const std::string> parts) {
  std::string filled;
  for (const std::string& part : parts) {
    const std::size_t gap = sentence.find("{}");
    filled.append(sentence.substr(0, gap)).append(part);
    sentence.remove_prefix(gap + 2);
  }
  return filled.append(sentence);
}

}  // namespace nearmiss::files
