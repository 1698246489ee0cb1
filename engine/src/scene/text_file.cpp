// SPDX-License-Identifier: MIT
#include <engine/scene/toml_file.h>
#include <fmt/format.h>
#include <nearmiss/detail/file_bytes.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

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

}  // namespace nearmiss::engine
