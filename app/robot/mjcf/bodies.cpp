// SPDX-License-Identifier: MIT
#include "robot/mjcf/bodies.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "robot/mjcf/compiler.h"
#include "robot/mjcf/defaults.h"
#include "robot/mjcf/geoms.h"
#include "robot/mjcf/meshes.h"
#include "robot/mjcf/source.h"

namespace nearmiss::app {

using tinyxml2::XMLElement;

namespace {

/// What makes bodies or shapes that are not in the file.
constexpr std::array<std::string_view, 4> makers{"replicate", "attach", "composite", "flexcomp"};

/// Reads the bodies of one file; the first fault is kept by the source.
class BodyReader {
 public:
  BodyReader(MjcfSource& source, const RobotReading& reading)
      : source_(source),
        reading_(reading),
        defaults_(source),
        compiler_(readMjcfCompiler(source)),
        meshes_(source, defaults_, compiler_) {}

  void read(RobotFile& robot) {
    Geoms ofWorld;
    for (XMLElement* world : source_.sections("worldbody")) readInside(*world, {}, ofWorld);
    if (!ofWorld.colliding.empty())
      robot.remarks.push_back(
          fmt::format("\"{}\": the geoms of the world that collide ({}) belong to no link and stay",
                      source_.file().string(), ofWorld.colliding.size()));
    nameTheNameless();
    robot.links = std::move(links_);
  }

 private:
  struct PlacedGeom {
    XMLElement* element;
    MjcfPose around;  ///< of the frame that it stands in, in its body
  };
  struct Geoms {
    std::vector<PlacedGeom> colliding, others;
  };

  void readBody(XMLElement& body) {
    // Its number counts before those of the bodies in it
    const std::size_t index = links_.size();
    const char* name = body.Attribute("name");
    links_.push_back({name ? name : "", {}, &body});
    if (name && !names_.insert(name).second)
      source_.fail(body, fmt::format("the body \"{}\" is there twice", name));
    Geoms geoms;
    readInside(body, {}, geoms);
    const bool seen = geoms.colliding.empty() && reading_.visualToo;
    for (const PlacedGeom& each : seen ? geoms.others : geoms.colliding) {
      if (source_.fault()) return;
      links_[index].shapes.push_back(
          shapeOfGeom(source_, defaults_, compiler_, meshes_, *each.element, each.around));
    }
  }

  /// What stands in a body, or in a frame of it.
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

  void nameTheNameless() {
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
  std::set<std::string> names_;
};

}  // namespace

Result<RobotFile> readMjcf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading) {
  MjcfSource source(*robot.document, file);
  source.include();
  const char* name = source.root().Attribute("model");
  robot.name = name ? name : file.stem().string();
  if (!source.fault()) BodyReader(source, reading).read(robot);
  if (source.fault()) return *source.fault();
  return robot;
}

}  // namespace nearmiss::app
