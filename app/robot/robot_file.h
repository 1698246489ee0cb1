// SPDX-License-Identifier: MIT
/// A robot as its file has it: links (the bodies of MJCF), and the shapes that they collide with.
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
  /// Half sides of a box, radii of an ellipsoid; else the radius in x, and in y the length of a
  /// cylinder or of that between the halves of a capsule.
  Vec3 size{0.0};
  /// A mesh is a file, or in the robot's file itself. Its point p stands for
  /// scale * (inverse(originTurn) * (p - originAt)), of which the shape is placed at `at`.
  std::filesystem::path file;
  std::shared_ptr<const TriangleMesh> mesh;
  std::string remark;  ///< a sentence on what was done to it, or none
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
  std::vector<std::string> remarks;             ///< sentences on what was passed over
  std::vector<std::filesystem::path> included;  ///< files whose elements are in the document
};

struct RobotReading {
  /// Reads what links look like where they have nothing to collide with.
  bool visualToo = false;
  /// Folders that hold packages, beside those that the file lies in.
  std::vector<std::filesystem::path> packageFolders;
};

/// Reads a URDF or an MJCF file. Its names are such that XML in UTF-8 can hold them, and no two
/// links have one. Errors: NotFound, Unreadable, TooLarge, BadFormat, and Unsupported, in a
/// sentence that names the file, and the line and attribute where one is at fault.
Result<RobotFile> readRobot(const std::filesystem::path& file, const RobotReading& reading);
/// The same of its document.
Result<RobotFile> readRobot(std::unique_ptr<tinyxml2::XMLDocument> document,
                            const std::filesystem::path& file, const RobotReading& reading);

/// The file that a robot's file names: `package://NAME/...` in a folder NAME that is given, or lies
/// in or is one that the robot's file lies in; `file://...`; or beside that file. Errors: NotFound,
/// with what was looked for.
Result<std::filesystem::path> resolveMesh(const std::string& named,
                                          const std::filesystem::path& robot,
                                          const RobotReading& reading);

}  // namespace nearmiss::app::robot

namespace tinyxml2 {

// XML files, and the numbers in their attributes.

class XMLDocument;
}  // namespace tinyxml2

namespace nearmiss::app::robot {

/// All of a file, without the mark of UTF-8 that some programs put before it. Errors: NotFound,
/// Unreadable, TooLarge, in a sentence that names it.
Result<std::string> readTextFile(const std::filesystem::path& file);

/// Errors: NotFound, Unreadable, TooLarge, and BadFormat with the line at fault, in a sentence that
/// names the file.
Result<std::unique_ptr<tinyxml2::XMLDocument>> readXml(const std::filesystem::path& file);
/// The same of the text of a file that was read.
Result<std::unique_ptr<tinyxml2::XMLDocument>> parseXml(const std::string& text,
                                                        const std::filesystem::path& file);

/// Half a sentence on why no XML in UTF-8 can hold a name; empty if it can.
[[nodiscard]] std::string_view xmlNameFault(std::string_view name) noexcept;

/// The document as text.
[[nodiscard]] std::string xmlText(const tinyxml2::XMLDocument& document);

/// All numbers of a text, parted by spaces; none if a word is no finite number.
[[nodiscard]] std::optional<std::vector<Real>> numbersIn(std::string_view text);

[[nodiscard]] bool isFileThere(const std::filesystem::path& file);

}  // namespace nearmiss::app::robot
