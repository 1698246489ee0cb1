// SPDX-License-Identifier: MIT
#include "mesh_peer.h"

#include <vector>

namespace nearmiss::bench {

std::span<const MeshPeerEntry> meshPeers() {
  static const std::vector<MeshPeerEntry> peers = {
#ifdef NEARMISS_HAVE_FCL
      {"fcl OBBRSS", makeFclObbRss},
      {"fcl OBB", makeFclObb},
      {"fcl float with own flags", makeFclOwnFlags},
#endif
#ifdef NEARMISS_HAVE_ODE
      {"ode trimesh", makeOdeTrimesh},
#endif
#ifdef NEARMISS_HAVE_CGAL
      {"cgal rigid", makeCgalRigid},
#endif
#ifdef NEARMISS_HAVE_BULLET
      {"bullet GImpact", makeGImpact},
#endif
#ifdef NEARMISS_HAVE_EMBREE
      {"embree rtcCollide", makeEmbreeCollide},
#endif
#ifdef NEARMISS_HAVE_CCD
      {"libccd hulls", makeCcdPieces},
#endif
  };
  return peers;
}

}  // namespace nearmiss::bench
