// SPDX-License-Identifier: MIT
/// Finds where a surface intersects itself, such as that of a deforming body, as pairs of
/// triangles.
///
/// Thread-safe for concurrent queries of the same shape; a query object belongs to one thread.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace nearmiss {

struct SelfContacts {
  /// Pairs of triangles that intersect away from shared vertices and edges, the lower index first:
  /// indices in shape.polyhedron().mesh().triangles. Exact. The order is arbitrary but the same on
  /// every machine. At most maxSelfIntersections.
  std::vector<std::array<std::uint32_t, 2>> pairs;
  bool canRefine = true;  ///< false: all pairs, or maxSelfIntersections of them, were found
};

/// A resumable search for self-contacts. Keep one query per deforming body: if only the vertices
/// have moved, it reuses its memory and all data that depend on connectivity alone.
///
/// If a step throws std::bad_alloc, call begin() before the next one. Moved-from queries can only
/// be assigned to or destroyed.
class SelfContactQuery {
 public:
  SelfContactQuery();
  SelfContactQuery(SelfContactQuery&&) noexcept;
  SelfContactQuery& operator=(SelfContactQuery&&) noexcept;
  ~SelfContactQuery();

  /// Starts a search. Takes time linear in the triangles, about as long as a refit.
  void begin(const Shape& shape);

  /// Searches until all pairs are found or `budget` is exhausted. Pairs found earlier keep their
  /// positions. The result is valid until the next call.
  /// @pre begin() was called.
  const SelfContacts& refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// Returns the pairs found so far.
  /// @pre begin() was called.
  [[nodiscard]] const SelfContacts& known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Runs one complete search.
[[nodiscard]] SelfContacts selfContacts(const Shape& shape,
                                        const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
