// SPDX-License-Identifier: MIT
/// The spheres of a tree for other programs: numbered within their levels, in the frame and unit of
/// the model's file.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::tree {

struct ListedSphere {
  Sphere sphere;
  Real h = 0.0;                       ///< maximum distance of a point of the ball from the surface
  std::vector<std::size_t> parents;   ///< indices in the level above
  std::vector<std::size_t> children;  ///< indices in the level below
};

struct SphereListing {
  std::string name;  ///< name of the model or of the tree file
  std::string builder;
  bool sourceFrame = false;  ///< frame of the source; otherwise that of the tree: centred, radius 1
  bool flat = false;         ///< a set of spheres without a tree
  std::vector<std::vector<ListedSphere>> levels;
};

/// The transformation from the tree's frame to the model's file.
struct SourceFrame {
  Vec3 centre{0.0};
  Real scale = 1.0;
  Real rounding = 0.0;  ///< maximum displacement of the mesh from the file, in the file's unit
};

/// Returns all levels of `tree` down to `deepest`, in its own frame.
[[nodiscard]] std::vector<std::vector<ListedSphere>> listLevels(const SphereTree& tree,
                                                                int deepest);

/// Moves every sphere into the source's frame. Enlarges radii and H, the Hausdorff distances, by
/// the rounding of reading and moving, so that the spheres cover the mesh of the file.
void moveTo(const SourceFrame& frame, std::vector<std::vector<ListedSphere>>& levels);

// Writes spheres in formats of other programs.

struct WrittenSpheres {
  std::string text;
  std::size_t count = 0;  ///< number of spheres in it
};

struct SphereFormat {
  std::string_view name;
  std::string_view summary;
  /// `only`: a level, which includes the leaves above it, or -1 for all. Errors: TooLarge.
  Result<WrittenSpheres> (*write)(const SphereListing& listing, int only);
};

[[nodiscard]] std::span<const SphereFormat> sphereFormats() noexcept;
/// @pre `name` is one of sphereFormats()
[[nodiscard]] const SphereFormat& sphereFormat(std::string_view name) noexcept;

/// The extension of a format's files, such as ".yml".
/// @pre `name` is one of sphereFormats()
[[nodiscard]] std::string extensionOf(std::string_view name);

/// Makes a name valid as a YAML key and an XML name: other characters become '_'.
[[nodiscard]] std::string plainName(const std::string& name);
/// Formats a sphere as in cuRobo's YAML.
[[nodiscard]] std::string curoboEntry(const Sphere& sphere);

}  // namespace nearmiss::app::tree
