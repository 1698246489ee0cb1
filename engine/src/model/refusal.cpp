// SPDX-License-Identifier: MIT
#include "model/refusal.h"

#include <fmt/format.h>

#include <string>

namespace nearmiss::engine {
namespace {

std::string printable(std::string_view words) {
  constexpr std::size_t longest = 200;
  std::string line(words.substr(0, longest));
  for (char& c : line)
    if (c < ' ' || c > '~') c = '?';
  return words.size() > longest ? line + " ..." : line;
}

}  // namespace

Error refusal(const std::filesystem::path& file, ErrorCode code, std::string_view fault) {
  return {code, fmt::format("\"{}\": {}", file.string(), printable(fault))};
}

}  // namespace nearmiss::engine
