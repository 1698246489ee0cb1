// SPDX-License-Identifier: MIT
/// Pairs of articulated bodies as pairs of their links.
#pragma once

#include <nearmiss/body_state.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Two links, one of each body.
struct LinkPair {
  std::uint32_t a = 0, b = 0;  ///< indices in the links of their bodies
};

/// The links of all bodies of some pairs as bodies of their own, and which of them may meet. Keeps
/// its memory.
class LinkPairs {
 public:
  /// Whether there is a body with links in any of the pairs.
  [[nodiscard]] static bool among(std::span<const BodyState> bodies,
                                  std::span<const BodyPair> pairs) noexcept;

  void assign(std::span<const BodyState> bodies, std::span<const BodyPair> pairs);

  /// Bodies without links are links of themselves.
  [[nodiscard]] std::span<const BodyState> links() const noexcept { return links_; }
  /// Indices in links(), of all pairs in a row: those whose bounding spheres meet.
  [[nodiscard]] std::span<const BodyPair> pairs() const noexcept { return pairs_; }
  /// By the same index, which link of each body it is.
  [[nodiscard]] const LinkPair& operator[](std::size_t i) const noexcept { return names_[i]; }
  /// The first index in pairs() that belongs to pair `i` of the bodies; that of pair i + 1 is its
  /// end.
  [[nodiscard]] std::size_t first(std::size_t i) const noexcept { return first_[i]; }
  /// How many pairs of links were compared by their bounding spheres.
  [[nodiscard]] std::size_t compared() const noexcept { return compared_; }

 private:
  /// Where the links of a body stand in links().
  struct Range {
    std::uint32_t first = 0, count = 0;  ///< count 0: not there yet
  };
  Range addLinksOf(std::span<const BodyState> bodies, std::uint32_t body);

  std::vector<BodyState> links_;
  std::vector<BodyPair> pairs_;
  std::vector<LinkPair> names_;
  std::vector<std::size_t> first_;
  std::vector<Range> ranges_;  ///< by body
  std::size_t compared_ = 0;
};

}  // namespace nearmiss
