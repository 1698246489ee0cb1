// SPDX-License-Identifier: MIT
/// Numbers as few bytes: small ones in one, the same on every machine.
#pragma once

#include <engine/session/session.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace nearmiss::engine {

class PackedWriter {
 public:
  explicit PackedWriter(std::string& out) noexcept : out_(out) {}
  void byte(std::uint8_t value) { out_.push_back(static_cast<char>(value)); }
  /// Seven bits to a byte, the lowest first.
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  template <class Word>
  void word(Word value) {
    for (std::size_t k = 0; k < sizeof value; ++k)
      byte(static_cast<std::uint8_t>(value >> (8 * k)));
  }
  void real(double value) { word(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view value) {
    number(value.size());
    out_ += value;
  }

 private:
  std::string& out_;
};

/// Whatever is asked of bytes that end too soon or make no sense is 0, and failed() from then on.
class PackedReader {
 public:
  explicit PackedReader(std::string_view bytes) noexcept : left_(bytes) {}
  std::uint8_t byte() noexcept {
    if (left_.empty()) {
      failed_ = true;
      return 0;
    }
    const auto value = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    return value;
  }
  std::uint64_t number() noexcept {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }
  /// At most `most`.
  std::uint32_t numberUpTo(std::uint32_t most) noexcept {
    const std::uint64_t value = number();
    if (value > most) failed_ = true;
    return failed_ ? 0 : static_cast<std::uint32_t>(value);
  }
  std::uint32_t index() noexcept { return numberUpTo(std::numeric_limits<std::uint32_t>::max()); }
  /// The length of a list, each of whose elements takes at least `elementBytes`.
  std::size_t count(std::size_t elementBytes = 1) noexcept {
    const std::uint64_t value = number();
    if (value > left_.size() / elementBytes) failed_ = true;
    return failed_ ? 0 : static_cast<std::size_t>(value);
  }
  template <class Word>
  Word word() noexcept {
    Word value = 0;
    for (std::size_t k = 0; k < sizeof value; ++k)
      value = static_cast<Word>(value | static_cast<Word>(Word{byte()} << (8 * k)));
    return value;
  }
  double real() noexcept { return std::bit_cast<double>(word<std::uint64_t>()); }
  std::string_view text() noexcept {
    const std::size_t size = count();
    const std::string_view value = left_.substr(0, size);
    left_.remove_prefix(size);
    return value;
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool atEnd() const noexcept { return left_.empty(); }
  /// Number of bytes.
  [[nodiscard]] std::size_t left() const noexcept { return left_.size(); }

 private:
  std::string_view left_;
  bool failed_ = false;
};

// The parts of a session file: its first bytes, blocks that are compressed and have a checksum,
// and its end.

/// Magic and version.
[[nodiscard]] std::string sessionBeginning();
/// Items, packed; of `leastBytes` at least. Throws std::bad_alloc.
[[nodiscard]] std::string packedBlock(std::string_view items, std::size_t leastBytes = 0);
/// The same, never so small that unpackBlock() would refuse it.
[[nodiscard]] std::string readableBlock(std::string_view items);
/// After the last block of a session that was closed.
[[nodiscard]] std::string sessionEnd(std::uint64_t frames);

enum class BlockKind : std::uint8_t {
  Whole,
  End,      ///< the session's, all frames counted
  Cut,      ///< the file ends before the block does, or there is none
  Damaged,  ///< bytes that do not match the checksum
};
/// The next block in the bytes of a file, taken off their front.
struct NextBlock {
  BlockKind kind = BlockKind::Cut;
  std::string_view packed;   ///< of a whole one, for itemsOf()
  std::uint64_t frames = 0;  ///< of an end
};
[[nodiscard]] NextBlock takeBlock(std::string_view& bytes);

/// A block of few bytes may not stand for many: its items have at most this many bytes, or at most
/// maxUnpacking times its own, whichever is more. What most flights pack stays below a tenth of
/// that.
inline constexpr std::size_t maxItemsOfSmallBlock = std::size_t{4} << 20, maxUnpacking = 1024;
/// False: not what packedBlock() makes, or more items than a block of its size may have. Throws
/// std::bad_alloc.
[[nodiscard]] bool unpackBlock(std::string_view packed, std::string& items);

/// Takes the beginning off. Returns the version; 0: the file is no session.
[[nodiscard]] std::uint32_t takeBeginning(std::string_view& bytes);
/// Version 1 knows no acts of the hand; else it is the same.
inline constexpr std::uint32_t sessionVersion = 2;

// The contents of a block of a session file, item by item, as bytes.

/// Metres and metres per second along each axis, of what a hand does: far beyond any flight, and
/// small enough that squares of it are finite in single precision too, which pictures have.
inline constexpr Real maxActSize = 1e12;

/// More detections than a frame has: at most a thousand steps, and one at its end.
inline constexpr std::uint32_t maxDetections = 2000;

enum class SessionItem : std::uint8_t { Scene = 1, Frame = 2 };

/// With the first scene `head` too; else it is empty.
void appendScene(const SessionScene& scene, const RecordHead& head, std::string& out);
/// `before` is the frame before in the same block, of which only differences are written; of the
/// first an empty one.
void appendFrame(const SessionFrame& frame, const SessionInput& before, std::string& out);

/// The next item's bytes, after its first, which says what it is. False: they make no sense, or
/// exceed a limit: a frame's times are from 0 to maxFrameSeconds, no hand puts a ship beyond
/// maxActSize, and it has at most maxDetections. Throw std::bad_alloc.
bool readScene(PackedReader& from, SessionScene& scene, RecordHead& head);
bool readFrame(PackedReader& from, const SessionInput& before, SessionFrame& frame);

}  // namespace nearmiss::engine
