// SPDX-License-Identifier: MIT
/// Axes and units of model files: coordinates are those of the file after its own nodes, computed
/// here anew; what was converted is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <glm/mat4x4.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "engine/model_loading.h"
#include "support/comma_locale.h"
#include "support/model_files.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::appendBytes;
using nearmiss::test::asCollada;
using nearmiss::test::spaced;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// No two axes alike, and no symmetry: a turn or a mirror shows.
TriangleMesh wedge() {
  return {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, 4.0}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

std::vector<Vec3> sorted(std::vector<Vec3> points) {
  std::ranges::sort(points, {}, [](const Vec3& p) {
    return std::tuple(std::round(p.x * 1e4), std::round(p.y * 1e4), std::round(p.z * 1e4));
  });
  return points;
}

class FileFrames : public Loading {
 protected:
  /// Loads in the file's frame, and compares all vertices, in whatever order.
  LoadedModel expectPlaces(const std::string& name, const std::string& text,
                           const std::vector<Vec3>& expected) const {
    auto loaded = load(name, text, {.targetRadius = 0.0});
    EXPECT_TRUE(loaded) << name << ": " << loaded.error().message;
    if (!loaded) return {};
    const std::vector<Vec3> found = sorted(loaded->mesh.positions), places = sorted(expected);
    EXPECT_EQ(found.size(), places.size()) << name;
    for (std::size_t i = 0; i < std::min(found.size(), places.size()); ++i)
      EXPECT_LE(glm::distance(found[i], places[i]), 1e-12 + loaded->rounding)
          << name << ": " << spaced(found[i]) << " for " << spaced(places[i]);
    Real greatest = 0.0;
    for (const Vec3& p : expected)
      greatest = std::max({greatest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    EXPECT_LT(loaded->rounding, 1e-5 * greatest) << name;
    EXPECT_TRUE(loaded->report.solid()) << name;
    return *std::move(loaded);
  }
  static std::vector<Vec3> times(Real factor) {
    std::vector<Vec3> points = wedge().positions;
    for (Vec3& p : points) p *= factor;
    return points;
  }
};

TEST_F(FileFrames, ColladaHasItsUnitInEveryLanguage) {
  const nearmiss::test::CommaLocale comma;
  if (!comma.isThere()) GTEST_SKIP() << "no language with a decimal comma can be made";
  std::vector<Vec3> expected = wedge().positions;
  for (Vec3& p : expected) p *= 0.01;
  expectPlaces("model.dae", asCollada(wedge(), R"(<unit meter="0.01"/><up_axis>Y_UP</up_axis>)"),
               expected);
}

TEST_F(FileFrames, ColladaIsNotTurnedAndIsInMetres) {
  // A node that turns x to y, doubles and moves
  const std::string matrix = "0 -2 0 10 2 0 0 20 0 0 2 30 0 0 0 1";
  for (const char* up : {"", "X_UP", "Y_UP", "Z_UP"})
    for (const auto& [unit, metres] : std::vector<std::pair<std::string, Real>>{
             {"", 1.0}, {"1", 1.0}, {"0.01", 0.01}, {"0.0254", 0.0254}, {"1000", 1000.0}}) {
      std::string asset;
      if (!unit.empty()) asset += "<unit name=\"u\" meter=\"" + unit + "\"/>";
      if (*up) asset += std::string("<up_axis>") + up + "</up_axis>";
      std::vector<Vec3> expected;
      for (const Vec3& p : wedge().positions)
        expected.push_back(metres * Vec3(-2.0 * p.y + 10.0, 2.0 * p.x + 20.0, 2.0 * p.z + 30.0));
      const LoadedModel model =
          expectPlaces("model.dae", asCollada(wedge(), asset, matrix), expected);
      const auto told = [&model](const std::string& what) {
        return std::ranges::count_if(model.warnings, [&what](const std::string& warning) {
          return warning.find(what) != std::string::npos;
        });
      };
      EXPECT_EQ(told("its unit is " + unit + " m: coordinates are converted to metres"),
                metres != 1.0)
          << up << unit;
      const bool isTurnedElsewhere = std::string(up) == "X_UP" || std::string(up) == "Z_UP";
      EXPECT_EQ(told(std::string("it is ") + up + ", and is not turned"), isTurnedElsewhere)
          << up << unit;
    }
}

std::string fbx(int up, Real unit) {
  std::string places, corners;
  for (const Vec3& p : wedge().positions) places += (places.empty() ? "" : ",") + spaced(p);
  std::ranges::replace(places, ' ', ',');
  for (const auto& t : wedge().triangles)
    corners += (corners.empty() ? "" : ",") + std::to_string(t[0]) + "," + std::to_string(t[1]) +
               ",-" + std::to_string(t[2] + 1);
  const auto number = [](const char* name, int value) {
    return std::string("P: \"") + name + "\", \"int\", \"Integer\", \"\"," + std::to_string(value) +
           "\n";
  };
  return "; FBX 7.3.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: "
         "7300\n}\nGlobalSettings:  {\nVersion: 1000\nProperties70:  {\n" +
         number("UpAxis", up) + number("UpAxisSign", 1) + number("FrontAxis", (up + 1) % 3) +
         number("FrontAxisSign", 1) + number("CoordAxis", (up + 2) % 3) +
         number("CoordAxisSign", 1) + "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\"," +
         nearmiss::test::number(unit) +
         "\n}\n}\nObjects:  {\nGeometry: 1000, \"Geometry::\", \"Mesh\" {\nVertices: *12 {\na: " +
         places + "\n}\nPolygonVertexIndex: *12 {\na: " + corners +
         "\n}\nGeometryVersion: 124\n}\nModel: 2000, \"Model::thing\", \"Mesh\" {\nVersion: 232\n"
         "Properties70:  {\nP: \"Lcl Translation\", \"Lcl Translation\", \"\", "
         "\"A\",10,20,30\n}\n}\n}\nConnections:  {\nC: \"OO\",2000,0\nC: \"OO\",1000,2000\n}\n";
}

TEST_F(FileFrames, FbxStaysAsItIs) {
  std::vector<Vec3> expected;
  for (const Vec3& p : wedge().positions) expected.push_back(p + Vec3(10.0, 20.0, 30.0));
  for (const int up : {0, 1, 2})
    for (const Real unit : {1.0, 100.0}) expectPlaces("model.fbx", fbx(up, unit), expected);
}

std::string chunk(int id, const std::string& inside) {
  std::string out;
  appendBytes(out, static_cast<std::uint16_t>(id));
  appendBytes(out, static_cast<std::uint32_t>(inside.size() + 6));
  return out + inside;
}

std::string asThreeDs(const TriangleMesh& mesh) {
  std::string places, faces, version;
  appendBytes(places, static_cast<std::uint16_t>(mesh.positions.size()));
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) appendBytes(places, static_cast<float>(p[axis]));
  appendBytes(faces, static_cast<std::uint16_t>(mesh.triangles.size()));
  for (const auto& t : mesh.triangles) {
    for (const std::uint32_t v : t) appendBytes(faces, static_cast<std::uint16_t>(v));
    appendBytes(faces, std::uint16_t{7});
  }
  appendBytes(version, std::uint32_t{3});
  const std::string object =
      std::string("thing\0", 6) + chunk(0x4100, chunk(0x4110, places) + chunk(0x4120, faces));
  return chunk(0x4d4d, chunk(0x0002, version) +
                           chunk(0x3d3d, chunk(0x3d3e, version) + chunk(0x4000, object)));
}

std::string asAse(const TriangleMesh& mesh) {
  std::string places, faces;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    places += "*MESH_VERTEX " + std::to_string(i) + " " + spaced(mesh.positions[i]) + "\n";
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& t = mesh.triangles[i];
    faces += "*MESH_FACE " + std::to_string(i) + ": A: " + std::to_string(t[0]) +
             " B: " + std::to_string(t[1]) + " C: " + std::to_string(t[2]) +
             " AB: 1 BC: 1 CA: 1 *MESH_SMOOTHING 1 *MESH_MTLID 0\n";
  }
  return "*3DSMAX_ASCIIEXPORT\t200\n*SCENE {\n*SCENE_FILENAME \"\"\n}\n*GEOMOBJECT {\n*NODE_NAME "
         "\"thing\"\n*NODE_TM {\n*NODE_NAME \"thing\"\n*TM_ROW0 1.0 0.0 0.0\n*TM_ROW1 0.0 1.0 "
         "0.0\n*TM_ROW2 0.0 0.0 1.0\n*TM_ROW3 0.0 0.0 0.0\n}\n*MESH {\n*TIMEVALUE "
         "0\n*MESH_NUMVERTEX " +
         std::to_string(mesh.positions.size()) + "\n*MESH_NUMFACES " +
         std::to_string(mesh.triangles.size()) + "\n*MESH_VERTEX_LIST {\n" + places +
         "}\n*MESH_FACE_LIST {\n" + faces + "}\n}\n}\n";
}

TEST_F(FileFrames, FormatsWithZUpAreNotTurned) {
  expectPlaces("model.3ds", asThreeDs(wedge()), times(1.0));
  expectPlaces("model.ase", asAse(wedge()), times(1.0));
}

TEST_F(FileFrames, LeftHandedAxesAreToldOf) {
  std::string places, faces;
  for (const Vec3& p : wedge().positions) {
    std::string three = spaced(p);
    std::ranges::replace(three, ' ', ';');
    places += three + ";" + (p == wedge().positions.back() ? ";" : ",");
  }
  for (const auto& t : wedge().triangles)
    faces += "3;" + std::to_string(t[0]) + "," + std::to_string(t[2]) + "," + std::to_string(t[1]) +
             ";" + (t == wedge().triangles.back() ? ";" : ",");
  std::vector<Vec3> expected;
  for (const Vec3& p : wedge().positions)
    expected.push_back(Vec3(p.x, p.y, -p.z) + Vec3(10.0, 20.0, -30.0));
  const LoadedModel model = expectPlaces(
      "model.x",
      "xof 0303txt 0032\nFrame f {\nFrameTransformMatrix { "
      "1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,10.0,20.0,30.0,1.0;; }\nMesh m {\n4;\n" +
          places + "\n4;\n" + faces + "\n}\n}\n",
      expected);
  EXPECT_THAT(model.warnings, Contains(HasSubstr("its axes are left-handed: z is negated")));
}

TEST_F(FileFrames, NodesOfGltfTurnWhatTheyHold) {
  std::vector<Vec3> expected;
  for (const Vec3& p : wedge().positions) expected.push_back(Vec3(p.x, p.z, -p.y));
  // What programs with z up write, a root that turns it: it is the file's own
  const LoadedModel model = expectPlaces(
      "model.glb",
      test::asGlbAt(wedge(), R"(,"rotation":[-0.7071067811865475,0,0,0.7071067811865476])"),
      expected);
  EXPECT_THAT(model.warnings, Not(Contains(HasSubstr("turned"))));
  expectPlaces("plain.glb", test::asGlb(wedge()), times(1.0));
}

TEST_F(FileFrames, FormatsWithoutAxesStayAsTheyAre) {
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{{"model.obj", test::asObj(wedge())},
                                                        {"model.stl", test::asBinaryStl(wedge())},
                                                        {"model.ply", test::asPly(wedge())},
                                                        {"model.off", test::asOff(wedge())}})
    EXPECT_THAT(expectPlaces(name, text, times(1.0)).warnings, IsEmpty()) << name;
}

}  // namespace
}  // namespace nearmiss::engine
