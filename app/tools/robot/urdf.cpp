// SPDX-License-Identifier: MIT
#include "tools/robot/urdf.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <cmath>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {
namespace {

using tinyxml2::XMLElement;

/// Parses exactly `count` numbers.
std::optional<Vec3> vectorIn(std::string_view text, std::size_t count) {
  const auto read = numbersIn(text);
  if (!read || read->size() != count) return {};
  Vec3 vector(0.0);
  for (std::size_t i = 0; i < count; ++i) vector[static_cast<int>(i)] = (*read)[i];
  return vector;
}

/// Reads the links of one file; keeps the first fault.
class LinkReader {
 public:
  LinkReader(const std::filesystem::path& file, const RobotReading& reading)
      : file_(file), reading_(reading) {}

  Result<RobotLink> read(XMLElement& element) {
    const char* name = element.Attribute("name");
    if (!name || !*name)
      return Error{ErrorCode::BadFormat, fmt::format("\"{}\": a <link> in line {} has no name",
                                                     file_.string(), element.GetLineNum())};
    RobotLink link{name, {}, &element};
    readShapes(element, "collision", link);
    if (link.shapes.empty() && reading_.visualToo) readShapes(element, "visual", link);
    if (fault_) return *fault_;
    return link;
  }

 private:
  void readShapes(XMLElement& element, const char* kind, RobotLink& link) {
    for (XMLElement* each = element.FirstChildElement(kind); each && !fault_;
         each = each->NextSiblingElement(kind)) {
      XMLElement* geometry = each->FirstChildElement("geometry");
      XMLElement* shape = geometry ? geometry->FirstChildElement() : nullptr;
      if (!shape) {
        fail(*each, fmt::format("<{}> of link \"{}\" has no geometry", kind, link.name));
        return;
      }
      LinkShape read = shapeOf(*shape);
      if (const XMLElement* origin = each->FirstChildElement("origin")) {
        read.at = vectorOf(*origin, "xyz", Vec3(0.0));
        read.turn = turnOf(*origin);
      }
      link.shapes.push_back(std::move(read));
    }
  }

  LinkShape shapeOf(const XMLElement& element) {
    LinkShape shape;
    const std::string_view kind = element.Name();
    if (kind == "box") {
      shape.kind = LinkShapeKind::Box;
      shape.size = 0.5 * positive(element, "size", 3);
    } else if (kind == "sphere") {
      shape.kind = LinkShapeKind::Sphere;
      shape.size.x = positive(element, "radius", 1).x;
    } else if (kind == "cylinder" || kind == "capsule") {
      shape.kind = kind == "cylinder" ? LinkShapeKind::Cylinder : LinkShapeKind::Capsule;
      shape.size.x = positive(element, "radius", 1).x;
      shape.size.y = positive(element, "length", 1).x;
    } else if (kind == "mesh") {
      readMesh(element, shape);
    } else {
      fail(element, fmt::format("<{}> is not a geometry of a URDF", kind));
    }
    return shape;
  }

  void readMesh(const XMLElement& element, LinkShape& shape) {
    shape.kind = LinkShapeKind::Mesh;
    const char* named = element.Attribute("filename");
    if (!named) {
      fail(element, "<mesh> has no filename");
      return;
    }
    shape.scale = vectorOf(element, "scale", Vec3(1.0));
    if (shape.scale.x * shape.scale.y * shape.scale.z == 0.0)
      fail(element, "the scale of <mesh> is 0");
    auto found = resolveMesh(named, file_, reading_);
    if (found)
      shape.file = *std::move(found);
    else if (!fault_)
      fault_ = found.error();
  }

  Vec3 vectorOf(const XMLElement& element, const char* attribute, const Vec3& otherwise) {
    const char* text = element.Attribute(attribute);
    if (!text) return otherwise;
    const auto read = vectorIn(text, 3);
    if (!read)
      fail(element,
           fmt::format("{} of <{}> is \"{}\", not three numbers", attribute, element.Name(), text));
    return read.value_or(otherwise);
  }

  Vec3 positive(const XMLElement& element, const char* attribute, int count) {
    const char* text = element.Attribute(attribute);
    const auto read = text ? vectorIn(text, static_cast<std::size_t>(count)) : std::nullopt;
    bool sound = read.has_value();
    for (int i = 0; sound && i < count; ++i) sound = (*read)[i] > 0.0;
    if (!sound)
      fail(element, fmt::format("{} of <{}> is \"{}\", not {} above 0", attribute, element.Name(),
                                text ? text : "", count == 1 ? "a number" : "three numbers"));
    return read.value_or(Vec3(1.0));
  }

  /// Rotations around the fixed axes x, y and z, in this order, or the quaternion of URDF 1.1.
  Quat turnOf(const XMLElement& origin) {
    const Vec3 angles = vectorOf(origin, "rpy", Vec3(0.0));
    if (const char* text = origin.Attribute("quat_xyzw")) {
      const auto read = numbersIn(text);
      if (read && read->size() == 4 && !origin.Attribute("rpy")) {
        const Quat turn((*read)[3], (*read)[0], (*read)[1], (*read)[2]);
        const Real length = glm::length(turn);
        if (length > 0.0 && std::isfinite(length)) return turn / length;
      }
      fail(origin,
           origin.Attribute("rpy")
               ? std::string("<origin> has both rpy and quat_xyzw")
               : fmt::format("quat_xyzw of <origin> is \"{}\": it must be four numbers that "
                             "are not all 0",
                             text));
    }
    return glm::angleAxis(angles.z, Vec3(0.0, 0.0, 1.0)) *
           glm::angleAxis(angles.y, Vec3(0.0, 1.0, 0.0)) *
           glm::angleAxis(angles.x, Vec3(1.0, 0.0, 0.0));
  }

  void fail(const XMLElement& element, const std::string& what) {
    if (!fault_)
      fault_ = Error{ErrorCode::BadFormat, fmt::format("\"{}\", line {}: {}", file_.string(),
                                                       element.GetLineNum(), what)};
  }

  const std::filesystem::path& file_;
  const RobotReading& reading_;
  std::optional<Error> fault_;
};

/// Finds the first element that xacro would replace, or attribute that it would evaluate. The
/// declaration of its namespace is not sufficient, because expanded files have it too.
class XacroFinder final : public tinyxml2::XMLVisitor {
 public:
  using XMLVisitor::VisitEnter;
  bool VisitEnter(const XMLElement& element, const tinyxml2::XMLAttribute* attribute) override {
    if (line_ > 0) return false;
    bool found = std::string_view(element.Name()).starts_with("xacro:");
    for (; attribute; attribute = attribute->Next()) {
      const std::string_view value = attribute->Value();
      found = found || value.find("${") != value.npos || value.find("$(") != value.npos;
    }
    if (found) line_ = element.GetLineNum();
    return !found;
  }
  /// 0 if there is none.
  [[nodiscard]] int line() const noexcept { return line_; }

 private:
  int line_ = 0;
};

}  // namespace

Result<Success> checkExpanded(const tinyxml2::XMLDocument& document,
                              const std::filesystem::path& file) {
  XacroFinder finder;
  document.Accept(&finder);
  if (finder.line() == 0) return Success{};
  return Error{ErrorCode::BadFormat,
               fmt::format("\"{}\", line {}: it is a xacro file: expand it first with `xacro {} > "
                           "file.urdf`",
                           file.string(), finder.line(), file.filename().string())};
}

namespace {

/// Checks that the joints connect the links to a tree, as URDF demands. Joints to links that the
/// file does not have are left to those who move them.
Result<Success> checkTree(const XMLElement& root, const std::filesystem::path& file) {
  struct Above {
    std::string parent, joint;
    int line;
  };
  std::map<std::string, Above> above;
  for (const XMLElement* each = root.FirstChildElement("joint"); each;
       each = each->NextSiblingElement("joint")) {
    const XMLElement *parent = each->FirstChildElement("parent"),
                     *child = each->FirstChildElement("child");
    const char* from = parent ? parent->Attribute("link") : nullptr;
    const char* to = child ? child->Attribute("link") : nullptr;
    const char* name = each->Attribute("name");
    if (!from || !to) continue;
    const auto [at, fresh] =
        above.try_emplace(to, Above{from, name ? name : "", each->GetLineNum()});
    if (!fresh)
      return Error{
          ErrorCode::BadFormat,
          fmt::format("\"{}\", line {}: the joint \"{}\" does not join two links, or its "
                      "child has another parent: \"{}\" hangs on the joint \"{}\" already",
                      file.string(), each->GetLineNum(), name ? name : "", to, at->second.joint)};
  }
  // Each link has one parent at most: climb from every link, and remember which reached a root
  std::set<std::string> rooted;
  for (const auto& [link, joint] : above) {
    std::set<std::string> climbed;
    std::string at = link;
    while (!rooted.contains(at)) {
      const auto next = above.find(at);
      if (next == above.end()) break;
      if (!climbed.insert(at).second)
        return Error{ErrorCode::BadFormat,
                     fmt::format("\"{}\", line {}: its joints form a ring through the link \"{}\", "
                                 "and URDF allows only a tree",
                                 file.string(), next->second.line, at)};
      at = next->second.parent;
    }
    rooted.merge(climbed);
  }
  return Success{};
}

}  // namespace

Result<RobotFile> readUrdf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading) {
  if (const auto expanded = checkExpanded(*robot.document, file); !expanded)
    return expanded.error();
  XMLElement* root = robot.document->RootElement();
  if (const char* name = root->Attribute("name")) robot.name = name;
  std::set<std::string> names;
  for (XMLElement* each = root->FirstChildElement("link"); each;
       each = each->NextSiblingElement("link")) {
    auto link = LinkReader(file, reading).read(*each);
    if (!link) return link.error();
    if (!names.insert(link->name).second)
      return Error{ErrorCode::BadFormat,
                   fmt::format("\"{}\", line {}: two links are named \"{}\"", file.string(),
                               each->GetLineNum(), link->name)};
    robot.links.push_back(*std::move(link));
  }
  if (const auto tree = checkTree(*root, file); !tree) return tree.error();
  return robot;
}

void replaceCollisions(const RobotLink& link, std::span<const Sphere> spheres) {
  while (XMLElement* old = link.element->FirstChildElement("collision"))
    link.element->DeleteChild(old);
  for (const Sphere& sphere : spheres) {
    const Vec3& c = sphere.centre;
    XMLElement* collision = link.element->InsertNewChildElement("collision");
    XMLElement* origin = collision->InsertNewChildElement("origin");
    origin->SetAttribute("xyz", fmt::format("{:.17g} {:.17g} {:.17g}", c.x, c.y, c.z).c_str());
    origin->SetAttribute("rpy", "0 0 0");
    collision->InsertNewChildElement("geometry")
        ->InsertNewChildElement("sphere")
        ->SetAttribute("radius", fmt::format("{:.17g}", sphere.radius).c_str());
  }
}

}  // namespace nearmiss::app::robot
