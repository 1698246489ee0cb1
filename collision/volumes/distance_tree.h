// SPDX-License-Identifier: MIT
/// The hierarchy of swept rectangles over one surface that distances are searched in [LGL99].
#pragma once

#include "volumes/swept_volumes.h"
#include "volumes/volume_tree.h"

namespace nearmiss {

struct DistanceTree : VolumeTree<SweptRectangle> {
  using VolumeTree::VolumeTree;
};

}  // namespace nearmiss
