// SPDX-License-Identifier: MIT
/// What of a surface encloses something: all of a solid, or its closed parts one by one.
#pragma once

#include <nearmiss/polyhedron.h>

#include <vector>

namespace nearmiss {

class SolidParts {
 public:
  /// @param polyhedron must outlive this
  explicit SolidParts(const Polyhedron& polyhedron);

  /// Whether nothing is enclosed.
  [[nodiscard]] bool empty() const noexcept { return surfaces().empty(); }
  /// Whether `point` (body frame) is enclosed, decided exactly.
  [[nodiscard]] bool contains(const Vec3& point) const;
  /// Closed surfaces that enclose it all, each by itself.
  [[nodiscard]] const std::vector<const TriangleMesh*>& surfaces() const noexcept {
    return surfaces_;
  }

 private:
  const Polyhedron* solid_ = nullptr;  ///< null: the parts count
  std::vector<Polyhedron> parts_;
  std::vector<const TriangleMesh*> surfaces_;
};

}  // namespace nearmiss
