// SPDX-License-Identifier: MIT
/// Spheres inside a solid, or inside closed components of any surface: where one of one body meets
/// one of another, the bodies surely touch.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_pack.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nearmiss {

inline constexpr std::size_t mostInnerSpheres = 4096;

/// A hierarchy of slots, breadth first, up to eight children in one pack. A slot holds the sphere
/// that fills the solid best of all at and below it, so that few large ones come first, and a bound
/// around all of these. Body frame, metres. Empty for a tree without inner spheres.
struct InnerSpheres {
  static constexpr std::uint32_t none = 0xffffffff;
  struct Links {
    std::uint32_t childPack[SpherePack::width];  ///< `none`: nothing below
  };
  std::vector<SpherePack> spheres;        ///< see buildInnerSpheres(); radii rounded down
  std::vector<SpherePack> bounds;         ///< as many; radii rounded up
  std::vector<Links> links;               ///< as many
  std::vector<std::uint32_t> levelBegin;  ///< first pack of each level, then the pack count

  [[nodiscard]] bool empty() const noexcept { return spheres.empty(); }
  [[nodiscard]] int levelCount() const noexcept {
    return empty() ? 0 : static_cast<int>(levelBegin.size()) - 1;
  }
  [[nodiscard]] Sphere sphere(SphereId id) const noexcept;
  /// The spheres that represent the solid at level `l`, 0 <= l < levelCount(): those of its slots,
  /// and of the slots above without children.
  [[nodiscard]] std::vector<Sphere> spheresOf(int l) const;

  /// What is wrong with the structure, or null. Never trusts its input.
  [[nodiscard]] static const char* validate(const InnerSpheres& inner);
};

/// Up to `count` (1 to 4,096) balls that touch the surface from inside, chosen one after the other
/// so that each brings the spheres nearest to the surface; fewer where more would gain nothing.
/// Inside a solid; of any other surface inside its closed components, each by itself, wherever it
/// winds (there two of them prove contact unless one component may lie within the other); empty
/// where nothing is closed. The same for any number of `workers` (threads). Errors: Cancelled,
/// Unsupported (count or workers out of range).
Result<InnerSpheres> buildInnerSpheres(const Polyhedron& polyhedron, std::size_t count,
                                       int workers = 1, BuildProgress* progress = nullptr);

/// The spheres of one level in figures, metres.
struct InnerLevelReport {
  std::size_t spheres = 0;
  Real radiusMean = 0.0, radiusMax = 0.0;
  /// Distances of surface points from the nearest sphere: another such body must reach in about as
  /// deep before contact is proven.
  Real gapMean = 0.0, gapMax = 0.0;
};
[[nodiscard]] std::vector<InnerLevelReport> innerLevelReports(const InnerSpheres& inner,
                                                              const Polyhedron& polyhedron);

/// How many of the spheres are not proven to lie inside, exactly by their centre and by the
/// distance of the surface; `complaint` gets a sentence about the first.
[[nodiscard]] std::size_t checkInnerSpheres(const InnerSpheres& inner, const Polyhedron& polyhedron,
                                            std::string& complaint);

}  // namespace nearmiss
