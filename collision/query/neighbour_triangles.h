// SPDX-License-Identifier: MIT
/// The triangles of one body that are near a triangle of another, taken some at once.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Keeps its memory.
class NeighbourTriangles {
 public:
  void clear() noexcept {
    all_.clear();
    next_ = 0;
  }

  /// Lists those whose boxes are within `reach` metres of the box of a triangle.
  /// @param toOther moves the triangle into the frame of `other`
  void list(const TriangleMesh& mesh, std::uint32_t triangle, const Pose& toOther,
            const Polyhedron& other, Real reach) {
    clear();
    Box box;
    for (const Vec3& corner : mesh.corners(triangle)) box.include(transformed(toOther, corner));
    other.forEachTriangleIn({box.low - reach, box.high + reach},
                            [&](std::uint32_t near) { all_.push_back(near); });
  }

  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  /// How many were taken.
  [[nodiscard]] std::size_t taken() const noexcept { return next_; }
  /// Puts the first `count`, modulo their number, behind the others.
  void rotate(std::size_t count) noexcept {
    if (all_.empty()) return;
    std::rotate(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(count % all_.size()),
                all_.end());
  }
  [[nodiscard]] bool someLeft() const noexcept { return next_ < all_.size(); }

  /// The next few, of which `atOnce` at most; valid until the next list.
  [[nodiscard]] std::span<const std::uint32_t> take(std::size_t atOnce) noexcept {
    const std::size_t count = std::min(atOnce, all_.size() - next_);
    next_ += count;
    return std::span(all_).subspan(next_ - count, count);
  }

 private:
  std::vector<std::uint32_t> all_;
  std::size_t next_ = 0;
};

}  // namespace nearmiss
