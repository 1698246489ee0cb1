// SPDX-License-Identifier: MIT
#include "robot/mjcf/geoms.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "robot/xml_file.h"

namespace nearmiss::app {

using tinyxml2::XMLElement;

namespace {

struct GeomKind {
  std::string_view name;
  LinkShapeKind kind;
  std::size_t sizes;  ///< numbers of its size
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
    if (const char* ends = geom_.Attribute("fromto")) {
      if (kind.kind == LinkShapeKind::Sphere) {
        source_.fail(geom_, "a sphere has no fromto");
        return;
      }
      // As long as the ends are apart, and as wide as the first size says
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
    // Sizes are halves here, and a length of the shape is whole
    shape.size = kind.sizes == 2 ? Vec3(size.x, 2.0 * size.y, 0.0) : size;
  }

 private:
  /// The sizes that the geom gives in the places of those that its classes give.
  Vec3 sizes() {
    Vec3 size(0.0);
    for (const char* text : defaults_.given(geom_, "size")) {
      const auto read = source_.numbers(geom_, "size", text, 1, 3);
      for (std::size_t i = 0; read && i < read->size(); ++i) size[static_cast<int>(i)] = (*read)[i];
    }
    return size;
  }

  /// Places a shape between two ends; returns how far they are apart.
  Real between(const char* ends, LinkShape& shape) {
    const auto read = source_.numbers(geom_, "fromto", ends, 6, 6);
    if (!read) return 1.0;
    const Vec3 from((*read)[0], (*read)[1], (*read)[2]), to((*read)[3], (*read)[4], (*read)[5]);
    shape.at = 0.5 * (from + to);
    if (from == to) {
      source_.fail(geom_, "fromto names the same point twice");
      return 1.0;
    }
    // z looks back, as MuJoCo has it: the other way round the sides of a box lie elsewhere
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
    source.fail(geom, fmt::format("\"{}\" is no type of a geom", type));
  }
  const MjcfPose whole = around.of({shape.at, shape.turn});
  shape.at = whole.at;
  shape.turn = whole.turn;
  if (!std::isfinite(glm::length(shape.at))) source.fail(geom, "<geom> lies too far away");
  return shape;
}

}  // namespace nearmiss::app
