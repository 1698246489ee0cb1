// SPDX-License-Identifier: MIT
/// What other libraries make of two meshes.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <memory>
#include <span>
#include <string_view>

namespace nearmiss::bench {

/// Two meshes in the form that a library wants them in.
class MeshPeer {
 public:
  virtual ~MeshPeer() = default;
  /// True if the surfaces meet; stops at the first contact where the library can.
  [[nodiscard]] virtual bool meet(const Pose& a, const Pose& b) = 0;
};

struct MeshPeerEntry {
  std::string_view name;
  /// Null for a mesh that the library does not take.
  std::unique_ptr<MeshPeer> (*make)(const TriangleMesh& a, const TriangleMesh& b);
};

/// Those that this program was built with, the one that others are measured by first.
[[nodiscard]] std::span<const MeshPeerEntry> meshPeers();

std::unique_ptr<MeshPeer> makeFclObbRss(const TriangleMesh& a, const TriangleMesh& b);
std::unique_ptr<MeshPeer> makeFclObb(const TriangleMesh& a, const TriangleMesh& b);
/// Single precision, and so compiled with the flags of this program.
std::unique_ptr<MeshPeer> makeFclOwnFlags(const TriangleMesh& a, const TriangleMesh& b);
std::unique_ptr<MeshPeer> makeGImpact(const TriangleMesh& a, const TriangleMesh& b);
std::unique_ptr<MeshPeer> makeOdeTrimesh(const TriangleMesh& a, const TriangleMesh& b);
/// Boxes of triangles by rtcCollide(), and the triangles in them by our exact test.
std::unique_ptr<MeshPeer> makeEmbreeCollide(const TriangleMesh& a, const TriangleMesh& b);
/// Hulls of some triangles each by libccd's GJK, behind balls around them.
std::unique_ptr<MeshPeer> makeCcdPieces(const TriangleMesh& a, const TriangleMesh& b);
std::unique_ptr<MeshPeer> makeCgalRigid(const TriangleMesh& a, const TriangleMesh& b);

}  // namespace nearmiss::bench
