// SPDX-License-Identifier: MIT
/// The spheres of a tree as other programs see them: numbered within their levels, in the frame and
/// unit of the model's own file.
#pragma once

#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::tree {

struct ListedSphere {
  Sphere sphere;
  Real h = 0.0;                       ///< max distance of a point of the ball from the surface
  std::vector<std::size_t> parents;   ///< indices in the level above
  std::vector<std::size_t> children;  ///< indices in the level below
};

struct SphereListing {
  std::string name;  ///< of the model, or of the tree file
  std::string builder;
  bool sourceFrame = false;  ///< or else that of the tree: centred, of radius 1
  bool flat = false;         ///< one set of spheres, no tree
  std::vector<std::vector<ListedSphere>> levels;
};

/// How the frame of the tree lies in the model's file.
struct SourceFrame {
  Vec3 centre{0.0};
  Real scale = 1.0;
  Real rounding = 0.0;  ///< max distance of its mesh from the file's, file's unit
};

/// All levels of `tree` down to `deepest`, in its own frame.
[[nodiscard]] std::vector<std::vector<ListedSphere>> listLevels(const SphereTree& tree,
                                                                int deepest);

/// Moves every sphere into the source's frame. Radii and H, the Hausdorff distances, are rounded up
/// by what reading the source and the move may lose, so that the mesh is covered as its file has
/// it.
void moveTo(const SourceFrame& frame, std::vector<std::vector<ListedSphere>>& levels);

// Spheres in the formats that other programs read.

struct WrittenSpheres {
  std::string text;
  std::size_t count = 0;  ///< spheres in it
};

struct SphereFormat {
  std::string_view name;
  std::string_view summary;
  /// `only`: the level wanted, with the leaves above it, or -1. Errors: TooLarge.
  Result<WrittenSpheres> (*write)(const SphereListing& listing, int only);
};

[[nodiscard]] std::span<const SphereFormat> sphereFormats() noexcept;
/// @pre the name is one of sphereFormats()
[[nodiscard]] const SphereFormat& sphereFormat(std::string_view name) noexcept;

/// A name as a YAML key and an XML name have it: what they do not hold becomes '_'.
[[nodiscard]] std::string plainName(const std::string& name);
/// A sphere of a list in cuRobo's YAML.
[[nodiscard]] std::string curoboEntry(const Sphere& sphere);

}  // namespace nearmiss::app::tree
