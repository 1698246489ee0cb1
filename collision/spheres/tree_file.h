// SPDX-License-Identifier: MIT
/// The bytes of tree files: magic, kind, version, length and checksum, followed by a payload.
/// Untrusted when read. The layout is in docs/file-formats.md. Opening files is in
/// shape/tree_files.h.
#pragma once

#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/result.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace nearmiss {

/// The kind of content, given by four letters in the file.
struct TreeFileKind {
  std::array<char, 4> letters;
  std::uint32_t version;  ///< version of the payload; other versions are rejected with WrongVersion
  std::string_view noun;  ///< for messages, e.g. "sphere tree"
};

/// Assembles a payload, little endian on every machine.
class PayloadWriter {
 public:
  void u32(std::uint32_t value) { little(value); }
  void u64(std::uint64_t value) { little(value); }
  void f64(double value) { little(std::bit_cast<std::uint64_t>(value)); }
  /// Writes the length as u32, then the bytes.
  void text(std::string_view value);
  /// Writes the count as u64, then each element as a sequence of 32-bit words.
  template <class T>
  void words(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 && alignof(T) <= 4);
    u64(values.size());
    rawWords(std::as_bytes(std::span(values)));
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  template <class T>
  void little(T value) {
    for (std::size_t k = 0; k < sizeof value; ++k)
      bytes_.push_back(static_cast<std::byte>(value >> (8 * k)));
  }
  void rawWords(std::span<const std::byte> native);
  std::vector<std::byte> bytes_;
};

/// Reads values from a payload. After the first value that does not fit, all others are zero or
/// empty, and finished() is false, so one check at the end is enough.
class PayloadReader {
 public:
  explicit PayloadReader(std::span<const std::byte> payload) noexcept : left_(payload) {}
  [[nodiscard]] std::uint32_t u32() noexcept { return little<std::uint32_t>(); }
  [[nodiscard]] std::uint64_t u64() noexcept { return little<std::uint64_t>(); }
  [[nodiscard]] double f64() noexcept { return std::bit_cast<double>(little<std::uint64_t>()); }
  [[nodiscard]] std::string text(std::size_t most);
  /// Compares the count with the remaining bytes before allocating.
  template <class T>
  [[nodiscard]] std::vector<T> words() {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 && alignof(T) <= 4);
    const std::uint64_t count = u64();
    std::vector<T> values;
    if (failed_ || count > left_.size() / sizeof(T)) {
      fail();
      return values;
    }
    values.resize(static_cast<std::size_t>(count));
    rawWords(std::as_writable_bytes(std::span(values)));
    return values;
  }
  /// Returns true if every value fitted and nothing is left over.
  [[nodiscard]] bool finished() const noexcept { return !failed_ && left_.empty(); }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// Number of remaining bytes.
  [[nodiscard]] std::size_t left() const noexcept { return left_.size(); }

 private:
  template <class T>
  T little() noexcept {
    T value = 0;
    if (left_.size() < sizeof value) {
      fail();
      return 0;
    }
    for (std::size_t k = 0; k < sizeof value; ++k)
      value |= static_cast<T>(std::to_integer<T>(left_[k]) << (8 * k));
    left_ = left_.subspan(sizeof value);
    return value;
  }
  void rawWords(std::span<std::byte> native) noexcept;
  void fail() noexcept {
    failed_ = true;
    left_ = {};
  }
  std::span<const std::byte> left_;
  bool failed_ = false;
};

inline constexpr std::size_t headerSize = 32;
inline constexpr std::uint64_t maxPayload = std::uint64_t{1} << 30;

/// The payload as described by a valid header.
struct PayloadMark {
  std::uint64_t length = 0, checksum = 0;
};

[[nodiscard]] std::uint64_t checksumOf(std::span<const std::byte> payload) noexcept;
/// Returns the header of a payload.
[[nodiscard]] PayloadWriter headerOf(const TreeFileKind& kind, std::span<const std::byte> payload);
/// Validates the header of a container of `size` bytes; `name` is used in messages.
/// Errors: BadFormat, WrongVersion, TooLarge.
[[nodiscard]] Result<PayloadMark> provenMark(std::span<const std::byte> header, std::uint64_t size,
                                             std::string_view name, const TreeFileKind& kind);

/// Returns the payload in the bytes of a file, after validation of the header and the checksum.
/// Errors: BadFormat, WrongVersion, TooLarge.
[[nodiscard]] Result<std::span<const std::byte>> provenPayload(std::span<const std::byte> bytes,
                                                               std::string_view name,
                                                               const TreeFileKind& kind);

/// Returns the bytes of a file: header and payload. Errors: TooLarge.
[[nodiscard]] Result<std::vector<std::byte>> treeContainer(std::span<const std::byte> payload,
                                                           std::string_view name,
                                                           const TreeFileKind& kind);

/// Returns an error with the sentence "`what` '`file`': `why`".
[[nodiscard]] Error treeFileError(ErrorCode code, std::string_view what, std::string_view file,
                                  std::string_view why);
/// Returns the error for a payload that is not of `kind`: BadFormat with the file's name.
[[nodiscard]] Error badPayload(std::string_view file, const TreeFileKind& kind,
                               std::string_view fault);

/// Maximum length of a builder's name, bytes.
inline constexpr std::size_t longestBuilderName = 64;

void putSphereTree(PayloadWriter& out, const SphereTree::Data& data);
/// Reads a sphere tree. Returns nothing if the coverage has no valid value. Validate the rest once
/// the reader has finished.
[[nodiscard]] std::optional<SphereTree::Data> takeSphereTree(PayloadReader& in);

void putBspTree(PayloadWriter& out, const BspTree::Data& data);
/// Reads a BSP tree. Returns nothing if there are more nodes than bytes. Validate as above.
[[nodiscard]] std::optional<BspTree::Data> takeBspTree(PayloadReader& in);

inline constexpr TreeFileKind sphereTreeKind{{'S', 'P', 'H', 'T'}, 5, "sphere tree"};

/// Reads the payload of a sphere tree file. Errors: BadFormat.
[[nodiscard]] Result<SphereTreeFile> sphereTreeIn(std::span<const std::byte> payload,
                                                  std::string_view file);
/// Returns the payload of a sphere tree file. Errors: BadFormat for what would be rejected when
/// read.
[[nodiscard]] Result<PayloadWriter> payloadOf(const SphereTreeFile& contents,
                                              std::string_view file);

}  // namespace nearmiss
