// SPDX-License-Identifier: MIT
/// The builders of the module: those that pages use. The others would be a twentieth of its bytes.
#include <span>

#include "shape/usual_builders.h"

namespace nearmiss {
namespace {

constexpr SphereTreeBuilderEntry builders[] = {surfaceAreaEntry, octreeEntry, variationalEntry};

}  // namespace

std::span<const SphereTreeBuilderEntry> coreSphereTreeBuilders() noexcept { return builders; }

}  // namespace nearmiss
