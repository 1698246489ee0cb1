// SPDX-License-Identifier: MIT
/// A robot as in its file: links (bodies in MJCF) and their collision shapes.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tinyxml2 {
class XMLDocument;
class XMLElement;
}  // namespace tinyxml2

namespace nearmiss::app::robot {

enum class LinkShapeKind : std::uint8_t { Mesh, Box, Sphere, Cylinder, Capsule, Ellipsoid };

/// A shape in the frame of its link. Lengths in the file's unit.
struct LinkShape {
  LinkShapeKind kind = LinkShapeKind::Sphere;
  /// Half sides of a box or radii of an ellipsoid. Otherwise x is the radius, and y the length of a
  /// cylinder or of the cylindrical part of a capsule.
  Vec3 size{0.0};
  /// A mesh in a file or in the robot's own file. Its point p stands for scale *
  /// (inverse(originTurn) * (p - originAt)) of the shape, which is placed at `at`.
  std::filesystem::path file;
  std::shared_ptr<const TriangleMesh> mesh;
  std::string remark;  ///< a sentence on changes to the shape; empty: none
  Vec3 originAt{0.0};
  Quat originTurn{1.0, 0.0, 0.0, 0.0};
  Vec3 scale{1.0};
  Vec3 at{0.0};
  Quat turn{1.0, 0.0, 0.0, 0.0};
};

struct RobotLink {
  std::string name;
  std::vector<LinkShape> shapes;
  tinyxml2::XMLElement* element = nullptr;  ///< in the document
};

enum class RobotFormat : std::uint8_t { Urdf, Mjcf };

struct RobotFile {
  RobotFormat format = RobotFormat::Urdf;
  std::string name;
  std::unique_ptr<tinyxml2::XMLDocument> document;
  std::vector<RobotLink> links;                 ///< in the order of the file
  std::vector<std::string> remarks;             ///< sentences on ignored elements
  std::vector<std::filesystem::path> included;  ///< files whose elements are in the document
};

struct RobotReading {
  /// Also read visual shapes of links without collision shapes.
  bool visualToo = false;
  /// Folders with packages, in addition to those that contain the file.
  std::vector<std::filesystem::path> packageFolders;
};

/// Reads a URDF or an MJCF file. Its names are valid in UTF-8 XML, and names of links are unique.
/// Errors: NotFound, Unreadable, TooLarge, BadFormat, and Unsupported, with a sentence that names
/// the file and, if possible, line and attribute.
Result<RobotFile> readRobot(const std::filesystem::path& file, const RobotReading& reading);
/// As above, from a document.
Result<RobotFile> readRobot(std::unique_ptr<tinyxml2::XMLDocument> document,
                            const std::filesystem::path& file, const RobotReading& reading);

/// Resolves a file named by a robot's file. `package://NAME/...` is searched in the given folders
/// and in all parent folders of the robot's file; such a folder either contains the package NAME or
/// is the package. Other names are `file://...` or relative to the robot's file. Errors: NotFound,
/// with what was searched.
Result<std::filesystem::path> resolveMesh(const std::string& named,
                                          const std::filesystem::path& robot,
                                          const RobotReading& reading);

}  // namespace nearmiss::app::robot

namespace tinyxml2 {

// XML files, and the numbers in their attributes.

class XMLDocument;
}  // namespace tinyxml2

namespace nearmiss::app::robot {

/// Reads a whole file and removes a UTF-8 byte order mark. Errors: NotFound, Unreadable, TooLarge,
/// with a sentence that names the file.
Result<std::string> readTextFile(const std::filesystem::path& file);

/// Errors: NotFound, Unreadable, TooLarge, and BadFormat with the line, with a sentence that names
/// the file.
Result<std::unique_ptr<tinyxml2::XMLDocument>> readXml(const std::filesystem::path& file);
/// As above, from the text of a file.
Result<std::unique_ptr<tinyxml2::XMLDocument>> parseXml(const std::string& text,
                                                        const std::filesystem::path& file);

/// Returns half a sentence on why a name is invalid in UTF-8 XML; empty if it is valid.
[[nodiscard]] std::string_view xmlNameFault(std::string_view name) noexcept;

/// The document as text.
[[nodiscard]] std::string xmlText(const tinyxml2::XMLDocument& document);

/// Parses all numbers of a text, separated by spaces; `nullopt` if a word is not a finite number.
[[nodiscard]] std::optional<std::vector<Real>> numbersIn(std::string_view text);

[[nodiscard]] bool isFileThere(const std::filesystem::path& file);

}  // namespace nearmiss::app::robot
