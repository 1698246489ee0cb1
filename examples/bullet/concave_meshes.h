// SPDX-License-Identifier: MIT
/// Concave bodies for the demo. They are generated, so that the demo reads no files.
#pragma once

#include <nearmiss/mesh.h>

#include <string>
#include <vector>

struct NamedMesh {
  std::string name;
  nearmiss::TriangleMesh mesh;  ///< closed, metres; centre of mass at the origin
};

/// Returns seven meshes, each 0.7 to 1 m across: L, U, jack, ring, gear, star and bowl.
std::vector<NamedMesh> concaveMeshes();
