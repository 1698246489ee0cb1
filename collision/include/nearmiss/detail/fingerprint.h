// SPDX-License-Identifier: MIT
/// A 64-bit fingerprint of a sequence of values, the same on every machine. For cache keys, and for
/// checksums against accidental damage; not secure against forgery.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace nearmiss {

class Fingerprint {
 public:
  /// Each step is a bijection of the state, so two sequences of equal length that differ in one
  /// word never have the same value.
  void add(std::uint64_t word) noexcept {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15;
    state_ ^= state_ >> 32;
  }
  void add(double value) noexcept { add(std::bit_cast<std::uint64_t>(value)); }

  /// Adds the length, then words of eight bytes, the first byte lowest; the last word is padded
  /// with 0.
  void add(std::span<const std::byte> bytes) noexcept {
    add(std::uint64_t{bytes.size()});
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < 8 && i + k < bytes.size(); ++k)
        word |= std::to_integer<std::uint64_t>(bytes[i + k]) << (8 * k);
      add(word);
    }
  }
  void add(std::string_view text) noexcept { add(std::as_bytes(std::span(text))); }

  [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 0x6e6561726d697373;
};

}  // namespace nearmiss
