// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <tinyxml2.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/robot/mjcf/bodies.h"
#include "tools/robot/mjcf/compiler.h"
#include "tools/robot/mjcf/meshes.h"
#include "tools/robot/mjcf/source.h"
#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

using tinyxml2::XMLElement;

namespace {

struct GeomKind {
  std::string_view name;
  LinkShapeKind kind;
  std::size_t sizes;  ///< number of its sizes
};
constexpr std::array<GeomKind, 5> primitives{{{"sphere", LinkShapeKind::Sphere, 1},
                                              {"capsule", LinkShapeKind::Capsule, 2},
                                              {"cylinder", LinkShapeKind::Cylinder, 2},
                                              {"ellipsoid", LinkShapeKind::Ellipsoid, 3},
                                              {"box", LinkShapeKind::Box, 3}}};

std::optional<long> wholeNumber(const char* text) {
  const auto read = numbersIn(text);
  if (!read || read->size() != 1 || std::abs((*read)[0]) > 2147483648.0) return {};
  const auto whole = static_cast<long>((*read)[0]);
  if (static_cast<Real>(whole) != (*read)[0]) return {};
  return whole;
}

/// Reads one geom of a primitive type.
class PrimitiveReader {
 public:
  PrimitiveReader(MjcfSource& source, const MjcfDefaults& defaults, const XMLElement& geom)
      : source_(source), defaults_(defaults), geom_(geom) {}

  void read(const GeomKind& kind, LinkShape& shape) {
    shape.kind = kind.kind;
    Vec3 size = sizes();
    std::size_t needed = kind.sizes;
    if (const char* ends = defaults_.text(geom_, "fromto")) {
      if (kind.kind == LinkShapeKind::Sphere) {
        source_.fail(geom_, "a sphere has no fromto");
        return;
      }
      // The ends give the length, the first size gives the width
      const Real half = 0.5 * between(ends, shape);
      size = needed == 3 ? Vec3(size.x, size.x, half) : Vec3(size.x, half, 0.0);
      needed = 1;
    }
    bool sound = true;
    for (std::size_t i = 0; i < kind.sizes; ++i) sound = sound && size[static_cast<int>(i)] > 0.0;
    if (!sound) {
      const char* text = defaults_.text(geom_, "size");
      source_.fail(geom_,
                   fmt::format("size of a geom of type {} is \"{}\", not {} above 0", kind.name,
                               text ? text : "",
                               needed == 1 ? "a number" : fmt::format("{} numbers", needed)));
    }
    // MJCF sizes are halves; the length of a LinkShape is not
    shape.size = kind.sizes == 2 ? Vec3(size.x, 2.0 * size.y, 0.0) : size;
  }

 private:
  /// The geom's own sizes override those of its classes.
  Vec3 sizes() {
    Vec3 size(0.0);
    for (const char* text : defaults_.given(geom_, "size")) {
      const auto read = source_.numbers(geom_, "size", text, 1, 3);
      for (std::size_t i = 0; read && i < read->size(); ++i) size[static_cast<int>(i)] = (*read)[i];
    }
    return size;
  }

  /// Places a shape between two ends and returns their distance.
  Real between(const char* ends, LinkShape& shape) {
    const auto read = source_.numbers(geom_, "fromto", ends, 6, 6);
    if (!read) return 1.0;
    const Vec3 from((*read)[0], (*read)[1], (*read)[2]), to((*read)[3], (*read)[4], (*read)[5]);
    shape.at = 0.5 * (from + to);
    if (from == to) {
      source_.fail(geom_, "fromto names the same point twice");
      return 1.0;
    }
    // z points backwards, as in MuJoCo; otherwise the sides of a box would be rotated differently
    shape.turn = turnOfZ(from - to);
    return glm::distance(from, to);
  }

  MjcfSource& source_;
  const MjcfDefaults& defaults_;
  const XMLElement& geom_;
};

}  // namespace

long geomMask(const MjcfDefaults& defaults, const XMLElement& geom, const char* attribute) {
  const char* text = defaults.text(geom, attribute);
  return text ? wholeNumber(text).value_or(1) : 1;
}

bool geomCollides(const MjcfDefaults& defaults, const XMLElement& geom) {
  return geomMask(defaults, geom, "contype") != 0 || geomMask(defaults, geom, "conaffinity") != 0;
}

void checkGeom(MjcfSource& source, const MjcfDefaults& defaults, const XMLElement& geom) {
  const std::string name = defaults.classOf(geom);
  if (!defaults.knows(name))
    source.fail(geom, fmt::format("there is no default class \"{}\"", name));
  for (const char* attribute : {"contype", "conaffinity"})
    if (const char* text = defaults.text(geom, attribute); text && !wholeNumber(text))
      source.fail(geom, fmt::format("{} is \"{}\", not a whole number", attribute, text));
}

LinkShape shapeOfGeom(MjcfSource& source, const MjcfDefaults& defaults,
                      const MjcfCompiler& compiler, MjcfMeshes& meshes, const XMLElement& geom,
                      const MjcfPose& around) {
  const char* given = defaults.text(geom, "type");
  const std::string_view type = given ? given : "sphere";
  const char* mesh = defaults.text(geom, "mesh");
  LinkShape shape;
  const MjcfPose pose = mjcfPose(source, defaults, compiler, geom);
  shape.at = pose.at;
  shape.turn = pose.turn;
  const GeomKind* primitive = nullptr;
  for (const GeomKind& each : primitives)
    if (each.name == type) primitive = &each;
  if (type == "mesh") {
    if (mesh && *mesh)
      meshes.read(mesh, geom, shape);
    else
      source.fail(geom, "a geom of type mesh names no mesh");
  } else if (primitive && mesh && *mesh) {
    source.fail(
        geom,
        fmt::format("a geom of type {} fitted to the mesh \"{}\" is not read; type=\"mesh\" is",
                    type, mesh),
        ErrorCode::Unsupported);
  } else if (primitive) {
    PrimitiveReader(source, defaults, geom).read(*primitive, shape);
  } else if (type == "plane" || type == "hfield" || type == "sdf") {
    source.fail(geom, fmt::format("no spheres cover a geom of type {}", type),
                ErrorCode::Unsupported);
  } else {
    source.fail(geom, fmt::format("\"{}\" is not a geom type", type));
  }
  const MjcfPose whole = around.of({shape.at, shape.turn});
  shape.at = whole.at;
  shape.turn = whole.turn;
  if (!std::isfinite(glm::length(shape.at))) source.fail(geom, "<geom> lies too far away");
  return shape;
}

using tinyxml2::XMLElement;

namespace {

/// Elements that generate bodies or shapes.
constexpr std::array<std::string_view, 4> makers{"replicate", "attach", "composite", "flexcomp"};

/// Reads the bodies of one file; the source keeps the first fault.
class BodyReader {
 public:
  BodyReader(MjcfSource& source, const RobotReading& reading)
      : source_(source),
        reading_(reading),
        defaults_(source),
        compiler_(readMjcfCompiler(source)),
        meshes_(source, defaults_, compiler_) {}

  void read(RobotFile& robot) {
    findPairs();
    Geoms ofWorld;
    for (XMLElement* world : source_.sections("worldbody")) readInside(*world, {}, ofWorld);
    if (!ofWorld.colliding.empty())
      robot.remarks.push_back(
          fmt::format("\"{}\": the geoms of the world that collide ({}) belong to no link and stay",
                      source_.file().string(), ofWorld.colliding.size()));
    if (skipped_ > 0)
      robot.remarks.push_back(
          fmt::format("\"{}\": geoms that collide by a <pair> alone ({}) are not covered: their "
                      "contype and conaffinity are 0",
                      source_.file().string(), skipped_));
    nameUnnamedObjects();
    robot.links = std::move(links_);
  }

 private:
  struct PlacedGeom {
    XMLElement* element;
    MjcfPose around;  ///< of its enclosing frame in the body
  };
  struct Geoms {
    std::vector<PlacedGeom> colliding, others;
  };

  /// Collects geoms that collide due to <contact>, regardless of contype and conaffinity.
  void findPairs() {
    for (const XMLElement* contact : source_.sections("contact"))
      for (const XMLElement* pair = contact->FirstChildElement("pair"); pair;
           pair = pair->NextSiblingElement("pair"))
        for (const char* end : {"geom1", "geom2"})
          if (const char* name = pair->Attribute(end)) paired_.insert(name);
  }

  void readBody(XMLElement& body) {
    // A body is numbered before its children
    const std::size_t index = links_.size();
    const char* name = body.Attribute("name");
    links_.push_back({name ? name : "", {}, &body});
    if (name && !names_.insert(name).second)
      source_.fail(body, fmt::format("the body \"{}\" is there twice", name));
    Geoms geoms;
    readInside(body, {}, geoms);
    const bool seen = geoms.colliding.empty() && reading_.visualToo;
    for (const PlacedGeom& each : geoms.others)
      if (const char* own = each.element->Attribute("name"); own && !seen && paired_.contains(own))
        ++skipped_;
    for (const PlacedGeom& each : seen ? geoms.others : geoms.colliding) {
      if (source_.fault()) return;
      links_[index].shapes.push_back(
          shapeOfGeom(source_, defaults_, compiler_, meshes_, *each.element, each.around));
    }
  }

  /// Reads the contents of a body or of a frame in it.
  void readInside(XMLElement& holder, const MjcfPose& around, Geoms& geoms) {
    for (XMLElement* each = holder.FirstChildElement(); each && !source_.fault();
         each = each->NextSiblingElement()) {
      const std::string_view kind = each->Name();
      if (kind == "geom") {
        checkGeom(source_, defaults_, *each);
        auto& group = geomCollides(defaults_, *each) ? geoms.colliding : geoms.others;
        group.push_back({each, around});
      } else if (kind == "frame") {
        readInside(*each, around.of(mjcfPose(source_, defaults_, compiler_, *each)), geoms);
      } else if (kind == "body") {
        readBody(*each);
      } else {
        for (const std::string_view maker : makers)
          if (kind == maker)
            source_.fail(*each,
                         fmt::format("<{}> is not read; a file that MuJoCo saved has none", kind),
                         ErrorCode::Unsupported);
      }
    }
  }

  void nameUnnamedObjects() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (!links_[i].name.empty()) continue;
      std::string name = fmt::format("body{}", i + 1);
      while (!names_.insert(name).second) name += '_';
      links_[i].name = std::move(name);
    }
  }

  MjcfSource& source_;
  const RobotReading& reading_;
  MjcfDefaults defaults_;
  MjcfCompiler compiler_;
  MjcfMeshes meshes_;
  std::vector<RobotLink> links_;
  std::set<std::string> names_, paired_;
  std::size_t skipped_ = 0;  ///< geoms that collide in listed pairs only
};

}  // namespace

Result<RobotFile> readMjcf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading) {
  MjcfSource source(*robot.document, file);
  source.include();
  robot.included.assign(source.files().begin(), source.files().end());
  if (const char* name = source.root().Attribute("model")) robot.name = name;
  if (!source.fault()) BodyReader(source, reading).read(robot);
  if (source.fault()) return *source.fault();
  return robot;
}

}  // namespace nearmiss::app::robot
