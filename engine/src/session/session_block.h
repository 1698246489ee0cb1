// SPDX-License-Identifier: MIT
/// The parts of a session file: its first bytes, blocks that are compressed and have a checksum,
/// and its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Magic and version.
[[nodiscard]] std::string sessionBeginning();
/// Items, packed.
[[nodiscard]] std::string packedBlock(std::string_view items);
/// After the last block of a session that was closed.
[[nodiscard]] std::string sessionEnd(std::uint64_t frames);

enum class BlockKind : std::uint8_t {
  Whole,
  End,      ///< the session's, all frames counted
  Cut,      ///< the file ends before the block does, or there is none
  Damaged,  ///< bytes that do not match the checksum
};
/// What comes next in the bytes of a file, taken off their front.
struct NextBlock {
  BlockKind kind = BlockKind::Cut;
  std::string_view packed;   ///< of a whole one, for itemsOf()
  std::uint64_t frames = 0;  ///< of an end
};
[[nodiscard]] NextBlock takeBlock(std::string_view& bytes);

/// False: not what packedBlock() makes.
[[nodiscard]] bool unpackBlock(std::string_view packed, std::string& items);

/// Takes the beginning off. Returns the version; 0: the file is no session.
[[nodiscard]] std::uint32_t takeBeginning(std::string_view& bytes);
inline constexpr std::uint32_t sessionVersion = 1;

}  // namespace nearmiss::engine
