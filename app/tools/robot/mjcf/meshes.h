// SPDX-License-Identifier: MIT
/// The mesh assets of an MJCF file.
#pragma once

#include <nearmiss/mesh.h>

#include <map>
#include <string>

#include "tools/robot/mjcf/compiler.h"
#include "tools/robot/mjcf/source.h"
#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

class MjcfMeshes {
 public:
  /// Reads the names; assets are loaded on demand. All arguments must outlive this object.
  MjcfMeshes(MjcfSource& source, const MjcfDefaults& defaults, const MjcfCompiler& compiler);

  /// Sets a shape to the named mesh in the frame of its file, or reports a fault at `geom`.
  void read(const std::string& name, const tinyxml2::XMLElement& geom, LinkShape& shape);

 private:
  void readFile(const tinyxml2::XMLElement& mesh, const std::string& named, LinkShape& shape);
  void readVertices(const tinyxml2::XMLElement& mesh, LinkShape& shape);
  void makeMesh(const tinyxml2::XMLElement& mesh, LinkShape& made);
  bool readFaces(const tinyxml2::XMLElement& mesh, const char* face, TriangleMesh& made);
  bool makeHull(const tinyxml2::XMLElement& mesh, TriangleMesh& made);

  MjcfSource& source_;
  const MjcfDefaults& defaults_;
  const MjcfCompiler& compiler_;
  std::map<std::string, const tinyxml2::XMLElement*> meshes_;
  /// Results of makeMesh(), shared by geoms; without a mesh if it failed.
  std::map<const tinyxml2::XMLElement*, LinkShape> made_;
};

}  // namespace nearmiss::app::robot
