// SPDX-License-Identifier: MIT
/// Where a surface meets itself, as that of a body that deforms: pairs of its triangles.
///
/// Any number of threads may query the same shape at once; a query object belongs to one thread.
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
  /// Pairs of triangles that meet away from the vertices and edges that they share, the lower
  /// number first: indices in shape.polyhedron().mesh().triangles. Exact; in no particular order,
  /// the same on every machine. At most maxSelfIntersections.
  std::vector<std::array<std::uint32_t, 2>> pairs;
  bool canRefine = true;  ///< false: these are all, or maxSelfIntersections of them
};

/// A resumable search for self-contacts. Keep one query per deforming body: for the same triangles
/// with moved vertices it reuses its memory and what depends on the connectivity alone.
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

  /// Searches until all pairs are found or `budget` is exhausted. Pairs that were found stay in
  /// their places. Valid until the next call.
  /// @pre begin() was called.
  const SelfContacts& refine(const TimeBudget& budget = TimeBudget::unlimited());

  /// @pre begin() was called.
  [[nodiscard]] const SelfContacts& known() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// One search, from scratch.
[[nodiscard]] SelfContacts selfContacts(const Shape& shape,
                                        const TimeBudget& budget = TimeBudget::unlimited());

}  // namespace nearmiss
