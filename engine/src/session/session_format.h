// SPDX-License-Identifier: MIT
/// Variable-length encoding, identical on every machine; small numbers take one byte.
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
  /// Seven bits per byte, least significant first.
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

/// Reads past the end or of malformed bytes return 0, and failed() stays true from then on.
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
  /// Reads a number of at most `most`.
  std::uint32_t numberUpTo(std::uint32_t most) noexcept {
    const std::uint64_t value = number();
    if (value > most) failed_ = true;
    return failed_ ? 0 : static_cast<std::uint32_t>(value);
  }
  std::uint32_t index() noexcept { return numberUpTo(std::numeric_limits<std::uint32_t>::max()); }
  /// Reads the length of a list whose elements take at least `elementBytes` each.
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
  /// Remaining bytes.
  [[nodiscard]] std::size_t left() const noexcept { return left_.size(); }

 private:
  std::string_view left_;
  bool failed_ = false;
};

// The parts of a session file: header, compressed blocks with checksums, and end marker.

/// Returns magic and version.
[[nodiscard]] std::string sessionBeginning();
/// Packs items into a block of at least `leastBytes`. Throws std::bad_alloc.
[[nodiscard]] std::string packedBlock(std::string_view items, std::size_t leastBytes = 0);
/// As above, padded if necessary so that unpackBlock() accepts it.
[[nodiscard]] std::string readableBlock(std::string_view items);
/// Returns the end marker, which follows the last block of a closed session.
[[nodiscard]] std::string sessionEnd(std::uint64_t frames);

enum class BlockKind : std::uint8_t {
  Whole,
  End,      ///< end of the session, with the total number of frames
  Cut,      ///< the file ends here or within the block
  Damaged,  ///< the checksum does not match
};
/// The next block, removed from the front of the bytes of a file.
struct NextBlock {
  BlockKind kind = BlockKind::Cut;
  std::string_view packed;   ///< of a whole block, for unpackBlock()
  std::uint64_t frames = 0;  ///< of an end marker
};
[[nodiscard]] NextBlock readBlock(std::string_view& bytes);

/// Protects against decompression bombs: the items of a block have at most this many bytes, or at
/// most maxUnpacking times the size of the block, whichever is more. Typical flights stay below a
/// tenth.
inline constexpr std::size_t maxItemsOfSmallBlock = std::size_t{4} << 20, maxUnpacking = 1024;
/// Unpacks a block. Returns false if it is malformed or has more items than its size allows. Throws
/// std::bad_alloc.
[[nodiscard]] bool unpackBlock(std::string_view packed, std::string& items);

/// Removes the header. Returns the version, or 0 if the file is not a session.
[[nodiscard]] std::uint32_t readHeader(std::string_view& bytes);
/// Version 1 lacks HandAct, and version 2 its kinds Push and Steer and shots of other ships;
/// otherwise they are the same.
inline constexpr std::uint32_t sessionVersion = 3;

// The items of a block.

/// Maximum position and velocity of a HandAct along each axis [m, m/s]: far beyond any flight, and
/// small enough that its square is finite in the single precision of drawing.
inline constexpr Real maxActSize = 1e12;

/// Exceeds the detections of any frame: at most a thousand steps, and one at its end.
inline constexpr std::uint32_t maxDetections = 2000;

enum class SessionItem : std::uint8_t { Scene = 1, Frame = 2 };

/// `head` is set for the first scene only.
void appendScene(const SessionScene& scene, const RecordHead& head, std::string& out);
/// Appends a frame as differences from `before`, the previous frame in the block;
/// default-constructed for the first.
void appendFrame(const SessionFrame& frame, const SessionInput& before, std::string& out);

/// Reads the next item after its type byte. Returns false if it is malformed or exceeds a limit:
/// times are from 0 to maxFrameSeconds, hand acts within maxActSize, and detections at most
/// maxDetections. Throws std::bad_alloc.
bool readScene(PackedReader& from, SessionScene& scene, RecordHead& head);
bool readFrame(PackedReader& from, const SessionInput& before, SessionFrame& frame);

}  // namespace nearmiss::engine
