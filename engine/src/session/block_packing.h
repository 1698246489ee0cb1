// SPDX-License-Identifier: MIT
/// Compression of the blocks of a session, by zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Compresses bytes. Throws std::bad_alloc.
[[nodiscard]] std::string compressed(std::string_view bytes);

/// Decompresses into `out` and returns the number of bytes written; `nullopt` if the bytes are
/// invalid or too many. Throws std::bad_alloc, because the bytes may then be valid.
[[nodiscard]] std::optional<std::size_t> decompress(std::string_view packed, std::span<char> out);

/// First bytes of a frame that decompress() skips; its size follows.
inline constexpr std::uint32_t skippableFrame = 0x184D2A50;

}  // namespace nearmiss::engine
