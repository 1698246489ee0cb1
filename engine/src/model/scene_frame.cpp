// SPDX-License-Identifier: MIT
#include "model/scene_frame.h"

#include <assimp/importerdesc.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <charconv>
#include <cmath>
#include <glm/matrix.hpp>
#include <string>
#include <string_view>

namespace nearmiss::engine {
namespace {

/// Formats, by their first extension, whose scenes assimp rotates.
constexpr std::array<std::string_view, 8> turnedRoots{"3ds", "ase", "md2", "md3",
                                                      "mdc", "mdl", "iqm", "md5mesh"};

/// First extension of the format that the importer used.
std::string formatOf(const Assimp::Importer& importer) {
  const int index = importer.GetPropertyInteger("importerIndex", -1);
  const aiImporterDesc* importedAs =
      index < 0 ? nullptr : importer.GetImporterInfo(static_cast<std::size_t>(index));
  const std::string_view all = importedAs ? importedAs->mFileExtensions : "";
  return std::string(all.substr(0, all.find(' ')));
}

/// Recovers a decimal that assimp stored as the nearest float.
double decimalOf(float value) {
  const std::string text = fmt::format("{}", value);
  double decimal = value;
  std::from_chars(text.data(), text.data() + text.size(), decimal);
  return decimal;
}

/// The root of a Collada scene rotates the up axis to y and scales by the unit.
SceneFrame frameOfCollada(const aiMatrix4x4& root) {
  SceneFrame frame;
  const float unit = std::max({std::abs(root.a1), std::abs(root.a2), std::abs(root.a3)});
  const double metres = decimalOf(unit);
  if (metres != 1.0)
    frame.notes.push_back(
        fmt::format("its unit is {} m: coordinates are converted to metres", metres));
  for (int axis = 0; axis < 3; ++axis) frame.toModel[axis][axis] = metres;
  // Which axis of the file becomes y
  const std::string_view up = root.b1 != 0.0f ? "X_UP" : root.b3 != 0.0f ? "Z_UP" : "";
  if (!up.empty())
    frame.notes.push_back(
        fmt::format("it is {}, and is not turned: x, y and z are those of the file", up));
  return frame;
}

/// The rotation for the formats of turnedRoots: z becomes y.
const aiMatrix4x4 turnOfRoots(1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1);

}  // namespace

glm::dmat4 matrixOf(const aiMatrix4x4& m) {
  // assimp's matrices are row-major, GLM's column-major
  return glm::transpose(glm::dmat4(m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3,
                                   m.c4, m.d1, m.d2, m.d3, m.d4));
}

SceneFrame frameOf(const Assimp::Importer& importer, const aiScene& scene) {
  if (!scene.mRootNode) return {};
  const aiMatrix4x4& root = scene.mRootNode->mTransformation;
  const std::string format = formatOf(importer);
  // Collada roots have no other transformation
  if (format == "dae") return frameOfCollada(root);
  SceneFrame frame;
  frame.toModel = matrixOf(root);
  if (std::ranges::find(turnedRoots, format) != turnedRoots.end())
    frame.toModel = glm::transpose(matrixOf(turnOfRoots)) * frame.toModel;
  if (format == "x")
    frame.notes.emplace_back("its axes are left-handed: z is negated, so that nothing is mirrored");
  return frame;
}

}  // namespace nearmiss::engine
