// SPDX-License-Identifier: MIT
#include <engine/scene/json_limits.h>

#include <array>

namespace nearmiss::engine {

std::string_view jsonExcess(std::string_view text, std::size_t maxNames) noexcept {
  std::array<std::size_t, maxJsonNesting + 1> names{};  // of the open object at each depth
  std::size_t depth = 0;
  bool quoted = false, escaped = false;
  for (const char c : text) {
    if (escaped) {
      escaped = false;
    } else if (quoted) {
      escaped = c == '\\';
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (depth == maxJsonNesting) return "nests deeper than 64 levels";
      names[++depth] = 0;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    } else if (c == ':' && ++names[depth] > maxNames) {
      return "has an object of too many names";
    }
  }
  return {};
}

}  // namespace nearmiss::engine
