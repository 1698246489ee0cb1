// SPDX-License-Identifier: MIT
/// A solid binary space partition of a polyhedron: every leaf is entirely inside or outside [TN87].
///
/// Thread-safe: trees may be built concurrently, and one tree may be read concurrently.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nearmiss {

class Polyhedron;

/// The plane of one polygon. Points with dot(normal, p) > offset are in front, that is, outside.
struct BspNode {
  static constexpr std::uint32_t in = 0xffffffff;   ///< child: a leaf inside the solid
  static constexpr std::uint32_t out = 0xfffffffe;  ///< child: a leaf outside
  Vec3 normal{0.0};                                 ///< unit, up to rounding
  Real offset = 0.0;                                ///< metres
  std::uint32_t front = out;                        ///< index in nodes(), or a leaf
  std::uint32_t back = in;
  std::uint32_t facesBegin = 0;  ///< triangles on the plane: range in faces()
  std::uint32_t facesEnd = 0;
};

/// A BSP tree. Immutable after construction. If the mesh is not a solid, the classification of
/// leaves is meaningless, but the faces on the planes still partition the surface, so surface
/// contact can be found.
class BspTree {
 public:
  struct Data {
    std::vector<BspNode> nodes;  ///< the root is 0; empty only before construction
    /// Indices in the mesh; a split triangle is listed several times.
    std::vector<std::uint32_t> faces;
    bool solid = false;
  };
  BspTree() = default;
  explicit BspTree(Data data) noexcept;
  [[nodiscard]] static const char* validate(const Data& data, std::uint32_t triangleCount);
  [[nodiscard]] const Data& data() const noexcept { return data_; }
  [[nodiscard]] std::span<const BspNode> nodes() const noexcept { return data_.nodes; }
  [[nodiscard]] bool solid() const noexcept { return data_.solid; }
  /// Returns true if `point` (body frame) lies in an inside leaf; points on a plane count as behind
  /// it. Not exact within rounding of a plane.
  [[nodiscard]] bool inside(const Vec3& point) const noexcept;

 private:
  Data data_;
};

/// Settings of buildBspTree().
struct BspSettings {
  /// Number of polygons tried as the next plane. The one that splits fewest faces is chosen; ties
  /// go to the better balance [H96 §11; TN87].
  int candidates = 16;
  /// Maximum number of fragments; beyond it the build fails with TooLarge.
  std::uint32_t maxFragments = 1u << 24;
};

/// Builds a BSP tree. The mesh may be open; the tree is then not solid. Errors: Cancelled,
/// TooLarge.
Result<BspTree> buildBspTree(const Polyhedron& polyhedron, const BspSettings& settings = {},
                             BuildProgress* progress = nullptr);

[[nodiscard]] std::uint64_t hashOf(const BspSettings& settings);

/// Read and write BSP trees as files, with the guarantees and errors of the sphere trees in
/// tree_files.h.
Result<BspTree> readBspTree(const std::string& file, std::uint64_t meshHash,
                            std::uint64_t settingsHash, std::uint32_t triangleCount);
Result<Success> writeBspTree(const std::string& file, std::uint64_t meshHash,
                             std::uint64_t settingsHash, const BspTree& tree);

}  // namespace nearmiss
