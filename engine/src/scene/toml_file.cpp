// SPDX-License-Identifier: MIT
#include <engine/scene/toml_file.h>

#include <fmt/format.h>
#include <nearmiss/detail/file_bytes.h>

#include <cerrno>
#include <system_error>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

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

Result<std::string> readTextFile(const fs::path& file, std::string_view kind,
                                 std::uintmax_t maxBytes) {
  // Regular files only: a device could be endless
  std::error_code failed;
  if (!fs::exists(file, failed))
    return Error{ErrorCode::NotFound, fmt::format("cannot open \"{}\" ({}).", file.string(),
                                                  failed ? failed.message() : "No such file")};
  if (!fs::is_regular_file(file, failed))
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot open \"{}\" (Not a regular file).", file.string())};
  const Error tooLarge{ErrorCode::TooLarge, fmt::format("\"{}\": {} may have {} MiB at most",
                                                        file.string(), kind, maxBytes >> 20)};
  if (const auto size = fs::file_size(file, failed); !failed && size > maxBytes) return tooLarge;
  std::string text;
  const int error = readFile(file, maxBytes, text);
  if (error == EFBIG) return tooLarge;
  if (error != 0)
    return Error{ErrorCode::Unreadable, fmt::format("cannot read \"{}\" ({}).", file.string(),
                                                    std::generic_category().message(error))};
  return text;
}

Result<toml::table> parseToml(std::string_view text, const std::string& origin) {
  if (const std::size_t line = lineOfTooManyDots(text))
    return Error{ErrorCode::BadFormat,
                 fmt::format("{}:{}: more dots in one line than any key needs", origin, line)};
  try {
    return toml::table(toml::parse(text, std::string_view(origin)));
  } catch (const toml::parse_error& fault) {
    return Error{ErrorCode::BadFormat,
                 fmt::format("{}:{}:{}: {}", origin, fault.source().begin.line,
                             fault.source().begin.column, fault.description())};
  }
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
