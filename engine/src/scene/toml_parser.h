// SPDX-License-Identifier: MIT
/// The parser of TOML, which reports faults by exceptions or, in builds without them, as values.
#pragma once

#include <engine/scene/toml_file.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Parses a text that parseToml() has checked. Errors: BadFormat, with line and column.
[[nodiscard]] Result<toml::table> parsedTable(std::string_view text, const std::string& origin);

[[nodiscard]] inline Error errorOf(const toml::parse_error& fault, const std::string& origin) {
  return {ErrorCode::BadFormat, fmt::format("{}:{}:{}: {}", origin, fault.source().begin.line,
                                            fault.source().begin.column, fault.description())};
}

}  // namespace nearmiss::engine
