// SPDX-License-Identifier: MIT
#include "fly/published_switch.h"

#include <engine/scene/as_published.h>

#include <utility>

namespace nearmiss::app {

engine::Scene PublishedSwitch::flip(const engine::Scene& now) {
  engine::Scene from;
  if (now.asPublished) {
    from = std::exchange(before_, std::nullopt).value_or(engine::Scene{});
  } else {
    before_ = now;
    engine::setAsPublished(from, true);
  }
  engine::Scene next = now;
  engine::takeTrees(from, next);
  engine::takeTechnique(from, next);
  return next;
}

}  // namespace nearmiss::app
