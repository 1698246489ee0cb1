// SPDX-License-Identifier: MIT
/// Finds which bodies of one list meet bodies of another now, from their states alone.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broad/cell_hash.h"

namespace nearmiss {

/// Reuses its memory. Takes time linear in the sum of the list sizes if bodies are not crowded.
class PresentMeetings {
 public:
  /// Returns every pair of a body of one list and one of the other whose bounding spheres meet;
  /// some pairs may be repeated. The lists must have no body in common. `cell` is in metres, as
  /// wide as most bodies or much wider. The result is valid until the next call.
  [[nodiscard]] std::span<const BodyPair> find(std::span<const BodyState> bodies,
                                               std::span<const std::uint32_t> some,
                                               std::span<const std::uint32_t> others, Real cell);

  /// Number of bodies looked up and pairs compared by the last find().
  [[nodiscard]] std::uint64_t tests() const noexcept { return tests_; }

 private:
  /// A body in one of the cells that it overlaps.
  struct Entry {
    std::uint32_t body = 0, next = 0;
  };
  struct List {
    std::vector<std::uint32_t> bodies;
    std::size_t taken = 0;  ///< number of leading bodies that fitted into the cells so far

    void start(std::span<const std::uint32_t> all) {
      bodies.assign(all.begin(), all.end());
      taken = 0;
    }
    [[nodiscard]] std::span<const std::uint32_t> done() const noexcept {
      return std::span(bodies).first(taken);
    }
    [[nodiscard]] std::span<const std::uint32_t> rest() const noexcept {
      return std::span(bodies).subspan(taken);
    }
  };

  void readRadii(const List& list);
  [[nodiscard]] Real cellFor(Real widest);
  std::span<const std::uint32_t> takeUsual(List& list);
  void meet(std::span<const std::uint32_t> placed, std::span<const std::uint32_t> others);
  void prefetch(std::span<const std::uint32_t> list, std::size_t k) const noexcept;
  [[nodiscard]] bool isUsual(std::uint32_t i) const noexcept;
  [[nodiscard]] std::uint32_t& headOf(const GridCell& cell) noexcept;
  void place(std::uint32_t i);
  void lookUp(std::uint32_t j);
  void compare(std::uint32_t i, std::uint32_t j);

  std::span<const BodyState> bodies_;
  List few_, many_;                   ///< the shorter list and the longer one
  Real perMetre_ = 1.0;               ///< cells per metre
  std::vector<std::uint32_t> heads_;  ///< first of entries_, by hash
  std::vector<Entry> entries_;
  std::vector<Real> radii_;  ///< radii of remaining bodies
  std::vector<BodyPair> pairs_;
  std::uint64_t tests_ = 0;
};

}  // namespace nearmiss
