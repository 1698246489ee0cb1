// SPDX-License-Identifier: MIT
/// --boxes and --inner: node boxes and inner spheres of a sphere tree.
#pragma once

#include <nearmiss/tree_builders.h>

#include <string>

#include "option_checks.h"

namespace nearmiss::app {

struct TreeAdditions {
  CLI::Option *boxes, *inner;
};

/// `usualBoxes` and `usualInner` end the help of each: what is usual without the option.
template <class Ratio, class Count>
TreeAdditions addTreeAdditions(CLI::App& app, Ratio& ratio, Count& count,
                               const std::string& usualBoxes = "",
                               const std::string& usualInner = "") {
  return {app.add_option("--boxes", ratio,
                         "a box beside each sphere whose H is so many times that of the box; 0: "
                         "none" +
                             usualBoxes)
              ->check(numberFrom(0, greatestNodeBoxRatio)),
          app.add_option("--inner", count,
                         "at most so many spheres inside the solid, to prove contact early by; 0: "
                         "none" +
                             usualInner)
              ->check(numberFrom(0, mostInnerSpheres))};
}

}  // namespace nearmiss::app
