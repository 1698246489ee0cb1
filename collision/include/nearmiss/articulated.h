// SPDX-License-Identifier: MIT
/// Bodies with joints: each of their links collides as a body of its own [H96 §4.1].
///
/// Does: answer for two bodies what any narrow phase answers for their links.
/// Does not: move joints, or compare the links of one body with each other.
#pragma once

#include <nearmiss/narrow_phase.h>

#include <memory>

namespace nearmiss {

/// Any narrow phase for bodies that may have links, level by level: a level of two bodies is
/// complete when it is of all pairs of links whose bounding spheres meet. Contact if one pair of
/// links is, Separate if all are; otherwise the bound is the least of any pair, and the deepest
/// spheres are those of all. What two bodies without links are answered stays as it is. Detector
/// has one of its own, so that only who calls a narrow phase directly needs it.
/// @pre `links` is not null.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeArticulatedNarrowPhase(
    std::unique_ptr<NarrowPhase> links);

}  // namespace nearmiss
