// SPDX-License-Identifier: MIT
/// Files of TOML, read with all that untrusted text asks for.
#pragma once

#include <nearmiss/result.h>
#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// The whole of a regular file of so many bytes at most; `kind` names it in messages, "a scene
/// file" say. Errors: NotFound, Unreadable, TooLarge.
Result<std::string> readTextFile(const std::filesystem::path& file, std::string_view kind,
                                 std::uintmax_t greatest = std::uintmax_t{1} << 20);

/// `origin` stands for the file in messages. Errors: BadFormat, with line and column.
Result<toml::table> parseToml(std::string_view text, const std::string& origin);

}  // namespace nearmiss::engine
