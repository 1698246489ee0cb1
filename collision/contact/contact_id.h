// SPDX-License-Identifier: MIT
/// Ids of manifold points, which encode the touching features.
#pragma once

#include <cstdint>

namespace nearmiss {

enum class ContactKind : std::uint8_t { VertexOfA, VertexOfB, Edges, Depth };

/// @param first, second indices below 2^31
[[nodiscard]] constexpr std::uint64_t contactId(ContactKind kind, std::uint64_t first,
                                                std::uint64_t second) noexcept {
  return std::uint64_t{static_cast<std::uint8_t>(kind)} << 62 | first << 31 | second;
}
[[nodiscard]] constexpr std::uint64_t contactIdOfVertex(bool ofB, std::uint32_t vertex) noexcept {
  return contactId(ofB ? ContactKind::VertexOfB : ContactKind::VertexOfA, 0, vertex);
}
/// @param pair a's edge in the upper half
[[nodiscard]] constexpr std::uint64_t contactIdOfEdges(std::uint64_t pair) noexcept {
  return contactId(ContactKind::Edges, pair >> 32, pair & 0xffffffff);
}

[[nodiscard]] constexpr ContactKind contactKindOf(std::uint64_t id) noexcept {
  return static_cast<ContactKind>(id >> 62);
}
[[nodiscard]] constexpr std::uint32_t contactVertexOf(std::uint64_t id) noexcept {
  return static_cast<std::uint32_t>(id & 0x7fffffff);
}
/// Returns the pair given to contactIdOfEdges().
[[nodiscard]] constexpr std::uint64_t contactEdgesOf(std::uint64_t id) noexcept {
  return (id >> 31 & 0x7fffffff) << 32 | (id & 0x7fffffff);
}

}  // namespace nearmiss
