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

/// The byte order mark that some programs put before a text in UTF-8.
inline constexpr std::string_view utf8Mark = "\xef\xbb\xbf";

/// Differences between text formats.
struct TextRules {
  bool continues = false;  ///< a `\` at the end of a line continues it with the next one
  /// `#` starts a comment that ends with the line; otherwise `#` is a letter
  bool comments = true;
};

/// The words of a text, and their lines. Words are separated by spaces, tabs and line ends. Skips a
/// UTF-8 byte order mark at the beginning. A view: the text must outlive it.
class TextWords {
 public:
  explicit TextWords(std::string_view text, const TextRules& rules = {}) noexcept
      : left_(text), rules_(rules) {
    while (left_.starts_with(utf8Mark)) left_.remove_prefix(utf8Mark.size());
  }

  /// Advances to the next line that has a word, at first the first one of the text. Skips the rest
  /// of the current line. Returns false at the end of the text.
  bool nextLine() noexcept;
  /// Returns the next word of this line, empty at its end.
  std::string_view word() noexcept;
  /// Returns the next word of this line or a later one, empty at the end of the text.
  std::string_view anyWord() noexcept;
  /// Returns the rest of the line without surrounding spaces. It is treated as a name, in which `#`
  /// is always a letter.
  std::string_view restOfLine() noexcept;

  /// Line of the word read last, counted from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  void skipSpaces() noexcept;
  void skipLine() noexcept;

  std::string_view left_;
  TextRules rules_;
  bool begun_ = false;  ///< a line was begun
  std::size_t line_ = 1;
};

/// Returns the number if `word` is one as a whole, otherwise nothing. `nan` and `inf` are numbers.
[[nodiscard]] std::optional<Real> realOf(std::string_view word);

template <class Integer>
[[nodiscard]] std::optional<Integer> integerOf(std::string_view word) noexcept {
  if (word.starts_with('+')) word.remove_prefix(1);
  Integer value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Returns half a sentence about a word that should be a number; mentions a decimal comma.
[[nodiscard]] std::string noNumber(std::string_view word);

/// Returns an error with half a sentence about a fault, prefixed by its line.
[[nodiscard]] Error faultAt(std::size_t line, std::string_view fault);

/// Reads the next three words of this line as numbers; otherwise returns an error that names the
/// line.
Result<Vec3> readPoint(TextWords& words);

/// Returns the text in lower case, independently of the locale.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// Returns the number whose bytes begin at `at`, lowest or highest byte first.
/// @pre the bytes exist
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
/// Returns the sentence with each {} replaced by a part.
template <class... Parts>
[[nodiscard]] std::string filled(std::string_view sentence, const Parts&... parts) {
  const std::string texts[] = {asText(parts)...};
  return filledWith(sentence, texts);
}

}  // namespace nearmiss::files
