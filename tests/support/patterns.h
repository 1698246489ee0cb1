// SPDX-License-Identifier: MIT
/// Extended regular expressions of POSIX: a unit that includes <regex> takes seconds longer to
/// compile.
#pragma once

#include <regex.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>

namespace nearmiss::test {

class Pattern {
 public:
  explicit Pattern(const char* text) {
    if (::regcomp(&compiled_, text, REG_EXTENDED) != 0) throw std::invalid_argument(text);
  }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern() { ::regfree(&compiled_); }

  /// What the first group matched where the pattern is first found.
  [[nodiscard]] std::optional<std::string> group(const std::string& text) const {
    std::array<regmatch_t, 2> at{};
    if (::regexec(&compiled_, text.c_str(), at.size(), at.data(), 0) != 0) return std::nullopt;
    return groupOf(text, at[1]);
  }

  /// Every match becomes `with` and behind it what the first group matched, if there is one.
  [[nodiscard]] std::string replaced(std::string text, const std::string& with) const {
    std::string result;
    std::array<regmatch_t, 2> at{};
    while (::regexec(&compiled_, text.c_str(), at.size(), at.data(), 0) == 0 &&
           at[0].rm_eo > at[0].rm_so) {
      result += text.substr(0, static_cast<std::size_t>(at[0].rm_so)) + with + groupOf(text, at[1]);
      text.erase(0, static_cast<std::size_t>(at[0].rm_eo));
    }
    return result + text;
  }

 private:
  static std::string groupOf(const std::string& text, const regmatch_t& at) {
    if (at.rm_so < 0) return {};
    return text.substr(static_cast<std::size_t>(at.rm_so),
                       static_cast<std::size_t>(at.rm_eo - at.rm_so));
  }

  regex_t compiled_{};
};

}  // namespace nearmiss::test
