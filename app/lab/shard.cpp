// SPDX-License-Identifier: MIT
#include "lab/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <system_error>

namespace nearmiss::app {
namespace {

bool readWhole(std::string_view text, std::size_t& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Result<Shard> parseShard(const std::string& text) {
  const std::string_view all = text;
  const std::size_t slash = all.find('/');
  Shard shard;
  const bool numbers = slash != std::string_view::npos &&
                       readWhole(all.substr(0, slash), shard.index) &&
                       readWhole(all.substr(slash + 1), shard.count);
  if (!numbers)
    return Error{ErrorCode::BadFormat,
                 fmt::format("\"{}\" is no shard; the second of four is 2/4", text)};
  if (shard.count < 1 || shard.count > mostShards || shard.index < 1 || shard.index > shard.count)
    return Error{ErrorCode::BadFormat,
                 fmt::format("there is no shard {} of {}", shard.index, shard.count)};
  return shard;
}

}  // namespace nearmiss::app
