// SPDX-License-Identifier: MIT
#include <engine/scene/toml_file.h>

#include <fmt/format.h>

#include "scene/toml_parser.h"

namespace nearmiss::engine {
namespace {

/// Number of the first line with too many dots; 0: none. Each dot may open a nested table, and the
/// parser recurses into them.
std::size_t lineOfTooManyDots(std::string_view text) noexcept {
  constexpr int most = 256;
  std::size_t line = 1;
  int dots = 0;
  for (const char c : text) {
    if (c == '\n') {
      ++line;
      dots = 0;
    }
    if (c == '.' && ++dots > most) return line;
  }
  return 0;
}

}  // namespace

Result<toml::table> parseToml(std::string_view text, const std::string& origin) {
  if (const std::size_t line = lineOfTooManyDots(text))
    return Error{ErrorCode::BadFormat,
                 fmt::format("{}:{}: more dots in one line than any key needs", origin, line)};
  return parsedTable(text, origin);
}

std::string tomlNumber(Real value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string tomlText(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\')
      text += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      text += c;
  }
  return text + '"';
}

}  // namespace nearmiss::engine
