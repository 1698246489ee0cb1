// SPDX-License-Identifier: MIT
#include "scene/toml_parser.h"

namespace nearmiss::engine {

Result<toml::table> parsedTable(std::string_view text, const std::string& origin) {
  try {
    return toml::table(toml::parse(text, std::string_view(origin)));
  } catch (const toml::parse_error& fault) {
    return errorOf(fault, origin);
  }
}

}  // namespace nearmiss::engine
