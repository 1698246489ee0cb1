// SPDX-License-Identifier: MIT
#include "fly/view/contact_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "console/text.h"
#include "fly/flight_context.h"
#include "fly/overlay/ink.h"
#include "fly/view/bound_drawing.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

using Kind = ContactToShow::Kind;

/// Returns the pairs that touch in the shown frame, sorted. If no pair touches, returns the pairs
/// that parted within the last moments.
std::pair<Kind, std::vector<BodyPair>> contactsOf(const engine::FrameOutput& output) {
  std::vector<BodyPair> touching, parted;
  // A touch continues while its pair is postponed, and for a moment after its ships have parted
  for (const engine::Touch& touch : output.touches)
    (touch.apart ? parted : touching).push_back(touch.bodies);
  if (output.detection)
    for (const DetectedPair& pair : output.detection->pairs)
      if (pair.refinement.verdict != Verdict::Separate) touching.push_back(pair.bodies);
  const Kind kind = touching.empty() ? Kind::Parted : Kind::Touching;
  std::vector<BodyPair>& pairs = touching.empty() ? parted : touching;
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return {kind, std::move(pairs)};
}

/// Returns the pair that can touch first. A tie goes to the pair whose bounding spheres are
/// nearest. Quadratic in the number of ships.
std::optional<ContactToShow> earliestPair(const Flight& flight) {
  const auto ships = shipsOf(flight);
  const Real now = flight.world().time();
  ContactToShow earliest;
  std::tuple least{std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::infinity()};
  for (std::size_t a = 0; a < ships.size(); ++a)
    for (std::size_t b = a + 1; b < ships.size(); ++b) {
      const BodyState &first = ships[a], &second = ships[b];
      const Real horizon = jointHorizon(first, second, now);
      const Real seconds = std::max(0.0, secondsToMeeting(first, second, now).value_or(horizon));
      const Real gap = glm::distance(first.pose.position, second.pose.position) -
                       first.shape.radius() - second.shape.radius();
      const std::tuple rank{seconds, gap};
      if (!(rank < least)) continue;
      least = rank;
      earliest.ships = {first.key, second.key};
      earliest.seconds = seconds;
    }
  return earliest.ships.pair() ? std::optional(earliest) : std::nullopt;
}

std::string namesOf(const Flight& flight, const PickedShips& ships) {
  const auto name = [&](std::uint32_t key) {
    const auto index = indexOf(flight, key);
    if (!index) return std::string("a ship");
    if (*index == flight.simulation().userIndex()) return std::string("your ship");
    const BodyState& body = flight.output().bodies[*index];
    return fmt::format("{} {}", flight.shapes().shapes()[body.shape.index()].name, key);
  };
  return name(ships.a) + " and " + name(ships.b);
}

}  // namespace

std::optional<ContactToShow> contactAfter(const Flight& flight, const PickedShips& shown) {
  const engine::FrameOutput& output = flight.output();
  const auto [kind, pairs] = contactsOf(output);
  const auto a = indexOf(flight, shown.a), b = indexOf(flight, shown.b);
  if (pairs.empty()) {
    auto earliest = earliestPair(flight);
    return earliest && earliest->ships == shown ? std::nullopt : earliest;
  }
  const auto at = a && b ? std::ranges::upper_bound(pairs, pairOf(*a, *b)) : pairs.begin();
  if (at == pairs.end()) return std::nullopt;
  ContactToShow next;
  next.kind = kind;
  next.ships = {output.bodies[at->a].key, output.bodies[at->b].key};
  next.number = static_cast<std::size_t>(at - pairs.begin()) + 1;
  next.count = pairs.size();
  const auto touch = std::ranges::find(output.touches, *at, &engine::Touch::bodies);
  if (kind == Kind::Parted && touch != output.touches.end())
    next.seconds = std::max(0.0, flight.world().time() - touch->last);
  if (kind == Kind::Parted || !output.detection) return next;
  const auto& detected = output.detection->pairs;
  const auto found = std::ranges::find(detected, *at, &DetectedPair::bodies);
  if (found != detected.end()) next.found = found->refinement;
  return next;
}

std::string contactSentence(const Flight& flight, const ContactToShow& contact) {
  const std::string names = namesOf(flight, contact.ships);
  constexpr std::string_view none = "no pair touches in this frame";
  if (contact.kind == Kind::Parted)
    return fmt::format("{}; {} touched {:.2f} s ago", none, names, contact.seconds);
  if (contact.kind == Kind::Earliest && contact.seconds > 0.0)
    return fmt::format("{}; first possible contact: {}, not before {:.2f} s", none, names,
                       contact.seconds);
  if (contact.kind == Kind::Earliest)
    return fmt::format("{}; first possible contact: {}, possible from now on", none, names);
  std::string words = fmt::format("contact {} of {}: {}", contact.number, contact.count, names);
  if (!contact.found) return words + ", waiting to be examined again";
  if (contact.found->verdict == Verdict::Contact) return words + " touch";
  return fmt::format("{}, at most {} apart", words, gapText(contact.found->separationBound));
}

void ContactLook::show(FlightContext& context) {
  UiState& ui = context.ui;
  CameraRig& rig = context.view.rig;
  const auto next = contactAfter(context.flight(), before_ ? ui.view.picked : PickedShips{});
  if (!next) {
    if (!before_) context.say("look", "no contact is possible: there is only one ship");
    return end(context);
  }
  if (!before_) {
    before_ = Before{rig, ui.view.picked};
    // What the camera looked at before is not what it returns to
    if (rig.looking()) before_->rig.setMode(rig.mode());
  }
  ui.view.picked = next->ships;
  // Otherwise the pair would separate before the user sees it
  ui.pace.paused = true;
  rig.beginLook();
  const bool more = next->number < next->count;
  context.say("look",
              fmt::format("{}. {}: {}; {}: fly on", contactSentence(context.flight(), *next),
                          localKeyName(Action::NextPair), more ? "next" : "camera back",
                          localKeyName(Action::Pause)));
}

void ContactLook::end(FlightContext& context) {
  if (!before_) return;
  context.view.rig = before_->rig;
  context.ui.view.picked = before_->picked;
  before_.reset();
  context.toasts.forget("look");
}

void ContactLook::follow(FlightContext& context) {
  // These modes have a camera of their own and return this one
  if (!before_ || context.modes.photo.on() || context.modes.tour.on() || context.modes.bench.on())
    return;
  const bool moved = !context.view.rig.looking();  // the user has chosen another camera
  if (!moved && !context.ui.pace.paused) return end(context);
  const bool another = !context.ui.view.picked.pair();  // or has clicked elsewhere
  if (!moved && another) context.view.rig = before_->rig;
  if (moved || another) before_.reset();
}

}  // namespace nearmiss::app::fly
