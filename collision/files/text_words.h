// SPDX-License-Identifier: MIT
/// Words and numbers in files of meshes. Every number is rounded once, to the nearest double.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace nearmiss::files {

/// What some programs put before a text, to say that it is UTF-8.
inline constexpr std::string_view utf8Mark = "\xef\xbb\xbf";

/// What the formats of texts do not have in common.
struct TextRules {
  bool continues = false;  ///< a `\` at the end of a line goes on with the next one
  bool comments = true;    ///< what follows a `#` in its line is no word; else `#` is a letter
};

/// The words of a text, with the lines that they are in. Words are parted by spaces, tabs and line
/// ends; the mark of UTF-8 at the beginning is none. A view: the text must outlive it.
class TextWords {
 public:
  explicit TextWords(std::string_view text, const TextRules& rules = {}) noexcept
      : left_(text), rules_(rules) {
    while (left_.starts_with(utf8Mark)) left_.remove_prefix(utf8Mark.size());
  }

  /// Goes to the first line from here on that has a word; false at the end of the text. What is
  /// left of the line before is skipped.
  bool nextLine() noexcept;
  /// The next word of this line, empty at its end.
  std::string_view word() noexcept;
  /// The next word of this line or of one below, empty at the end of the text.
  std::string_view anyWord() noexcept;
  /// What is left of the line, without the spaces around it; it is a name, where `#` is a letter
  /// by any rules.
  std::string_view restOfLine() noexcept;

  /// Of the word that was read last, from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  void skipSpaces() noexcept;
  void skipLine() noexcept;

  std::string_view left_;
  TextRules rules_;
  bool begun_ = false;  ///< a line was gone to
  std::size_t line_ = 1;
};

/// The number that `word` is as a whole, or nothing. `nan` and `inf` are numbers.
[[nodiscard]] std::optional<Real> realOf(std::string_view word);

template <class Integer>
[[nodiscard]] std::optional<Integer> integerOf(std::string_view word) noexcept {
  if (word.starts_with('+')) word.remove_prefix(1);
  Integer value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Half a sentence about a word that should be a number: a decimal comma is named.
[[nodiscard]] std::string noNumber(std::string_view word);

/// Half a sentence on a fault, after its line.
[[nodiscard]] Error faultAt(std::size_t line, std::string_view fault);

/// The next three words of this line as numbers; an error that names the line otherwise.
Result<Vec3> readPoint(TextWords& words);

/// In lower case, whatever the language of the machine.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// The number whose bytes begin at `at`, the lowest first, or the highest. @pre they are there
template <class Number>
[[nodiscard]] Number littleEndian(std::string_view bytes, std::size_t at,
                                  bool highestFirst = false) noexcept {
  std::array<char, sizeof(Number)> own{};
  std::memcpy(own.data(), bytes.data() + at, own.size());
  if (highestFirst != (std::endian::native == std::endian::big))
    std::reverse(own.begin(), own.end());
  return std::bit_cast<Number>(own);
}

// Parts of sentences.
[[nodiscard]] inline std::string asText(std::string_view text) { return std::string(text); }
template <class Integer>
requires std::is_integral_v<Integer>
[[nodiscard]] std::string asText(Integer number) { return std::to_string(number); }
[[nodiscard]] std::string asText(double number);

[[nodiscard]] std::string filledWith(std::string_view sentence, std::span<const std::string> parts);
/// The sentence with each {} replaced by a part.
template <class... Parts>
[[nodiscard]] std::string filled(std::string_view sentence, const Parts&... parts) {
  const std::string texts[] = {asText(parts)...};
  return filledWith(sentence, texts);
}

}  // namespace nearmiss::files
