// SPDX-License-Identifier: MIT
#include "fly/view/scene_drawing.h"

#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "console/text.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"
#include "fly/view/contact_drawing.h"
#include "fly/view/pair_inspection.h"
#include "fly/view/world_marks.h"

namespace nearmiss::app::fly {
namespace {

constexpr std::size_t maxShells = 8192;
/// Length of the arrow at a contact point, relative to the radius of the smaller ship.
constexpr Real contactArrow = 0.35;
/// Letters of touching pairs, by CollisionMark::slot.
constexpr std::string_view letters = "ABCDEFGHIJKL";
static_assert(letters.size() == CollisionMarks::maxMarks);

/// Adds two colliding spheres and the line between their centres.
void addContact(std::vector<DrawSphere>& spheres, const ContactSpheres& contact, Rgb colour,
                float alpha) {
  for (const Sphere& sphere : {contact.a, contact.b})
    spheres.push_back({sphere, srgb(colour), alpha, true});
}

/// A ring that fills as the bound approaches the ship's radius.
void drawBoundRing(const Ink& ink, glm::vec2 centre, const CollisionMark& mark) {
  constexpr float up = -1.5707963f, turn = 6.2831853f;
  const double bound = std::isfinite(mark.bound) ? mark.bound / mark.radius : 1.0;
  const auto part = static_cast<float>(std::clamp(bound, 0.0, 1.0));
  const float radius = 0.55f * ink.em();
  ImDrawList& list = *ink.list();
  list.AddCircleFilled({centre.x, centre.y}, 1.1f * radius, Ink::colour(palette::panel, 0.9f), 20);
  list.AddCircle({centre.x, centre.y}, radius, Ink::colour(palette::slack), 20, 1.5f);
  if (part <= 0.0f) return;
  list.PathArcTo({centre.x, centre.y}, radius, up, up + part * turn, 20);
  list.PathStroke(Ink::colour(levelColour(mark.level)), 0, 2.5f);
}

/// Draws level and bound next to a collision, unless another label is there.
void drawTag(const Ink& ink, const CollisionMark& mark, glm::vec2 at, std::vector<Rect>& taken) {
  const float em = ink.em(), high = 1.15f * em;
  const bool proven = mark.proven;
  const std::string_view level = engine::nameOfDepth(mark.level);
  const std::string_view sign = mark.conservative ? "≤" : "~";
  const std::string gap =
      proven && mark.contact
          ? gapText(std::max(0.0, mark.contact->points().front().depth)) + " deep"
      : proven                    ? std::string("contact")
      : std::isfinite(mark.bound) ? fmt::format("gap {} {}", sign, gapText(mark.bound))
                                  : std::string("no bound");
  const float ring = proven ? 0.0f : 1.4f * em;
  const std::string_view letter = letters.substr(mark.slot, 1);
  const float name = ink.textWidth(letter, ink.small()) + 0.9f * em;
  const float chip = ink.textWidth(level, ink.small()) + 0.7f * em;
  const float words = ink.textWidth(gap, ink.small()) + 0.6f * em;
  const float wide = name + ring + chip + 0.2f * em + words;

  // Right or left of the collision, above or below
  const float aside = 1.2f * em, above = 1.6f * em;
  for (const glm::vec2 corner :
       {glm::vec2(aside, -above), glm::vec2(aside, above), glm::vec2(-aside - wide, -above),
        glm::vec2(-aside - wide, above)}) {
    const glm::vec2 pen = at + corner;
    const Rect tag{pen.x - 0.2f * em, pen.y - 0.5f * high, wide + 0.4f * em, high};
    if (std::ranges::any_of(taken, [&](const Rect& other) { return meets(tag, other); })) continue;
    taken.push_back(tag);
    const float near = corner.x > 0.0f ? tag.x : tag.right();
    ink.segment(at, {near, pen.y}, pairColour(mark.slot), 1.5f, 0.9f);
    ink.chip(pen, letter, pairColour(mark.slot));
    if (!proven) drawBoundRing(ink, pen + glm::vec2(name + 0.55f * em, 0.0f), mark);
    ink.chip({pen.x + name + ring, pen.y}, level, levelColour(mark.level));
    const Rect plain{pen.x + name + ring + chip + 0.2f * em, tag.y, words, high};
    ink.fill(plain, palette::panel, 0.85f, 0.25f * em);
    ink.text({plain.x + 0.3f * em, pen.y}, gap, palette::text, ink.small());
    return;
  }
}

}  // namespace

bool hides(const Vec3& eye, const Sphere& other, const Sphere& own) noexcept {
  const Vec3 way = own.centre - eye, to = other.centre - eye;
  const double square = glm::dot(way, way);
  if (!(square > 0.0)) return false;
  // The ship fills its sphere only in part
  constexpr double solid = 0.65, seen = 0.45;
  const double along = glm::dot(to, way) / square;
  if (glm::length(to) < solid * other.radius) return true;
  if (along <= 0.0 || along >= 1.0) return false;
  return glm::length(to - along * way) < solid * other.radius + seen * along * own.radius;
}

const DrawFrame& SceneDrawing::compose(const Flight& flight, const CollisionMarks& marks,
                                       const Impacts& impacts, const UiState& ui,
                                       const Camera& camera, CameraMode mode, std::size_t followed,
                                       double wallSeconds) {
  ships_.clear();
  faded_.clear();
  spheres_.clear();
  shells_.clear();
  lines_.clear();
  triangles_.clear();
  addShips(flight, marks, ui, camera, mode, followed);
  if (ui.view.drawLevel == DrawLevel::Contact) addMarks(marks);
  chosen_ = shipsInFocus(flight, ui.view.picked);
  chosenRadius_ = std::numeric_limits<Real>::infinity();
  for (const std::size_t index : chosen_)
    chosenRadius_ = std::min(chosenRadius_, flight.output().bodies[index].shape.radius());
  addPickedPair(flight, ui);
  addBounds(flight, ui);
  lights_.clear();
  arcs_.clear();
  impacts.light(wallSeconds, flight.output().bodies, ui.view.reduceFlashing,
                {lines_, arcs_, lights_, spheres_});
  const double wall = flight.world().ships().arena().radius;
  if (ui.view.cues && ui.view.overlay != OverlayMode::Off)
    addWall(lines_, flight.output().bodies[followed], wall, engine::hasWall(flight.scene()));
  for (std::size_t i = 0; i < std::min<std::size_t>(gates_.size(), 3); ++i)
    addRing(lines_, lights_, gates_[i], i == 0);
  const auto bodies = flight.output().bodies;
  for (const auto& [from, to] : beams_) {
    const auto ship = std::ranges::find(bodies, from, &BodyState::key);
    const auto towed = std::ranges::find(bodies, to, &BodyState::key);
    if (ship != bodies.end() && towed != bodies.end())
      addBeam(lines_, lights_, *ship, *towed, flight.world().time());
  }
  gates_.clear();
  beams_.clear();
  frame_.camera = camera;
  frame_.ships = ships_;
  frame_.ghosts = faded_;
  frame_.spheres = spheres_;
  frame_.shells = shells_;
  frame_.lines = lines_;
  frame_.arcs = arcs_;
  frame_.lights = lights_;
  frame_.triangles = triangles_;
  frame_.wireframe = ui.view.wireframe;
  frame_.arenaRadius = wall;
  frame_.seconds = flight.world().time();
  return frame_;
}

std::span<const ShipInstance> SceneDrawing::withGhosts(std::span<const ShipInstance> more) {
  faded_.insert(faded_.end(), more.begin(), more.end());
  return faded_;
}

void SceneDrawing::addShips(const Flight& flight, const CollisionMarks& marks, const UiState& ui,
                            const Camera& camera, CameraMode mode, std::size_t followed) {
  const auto bodies = flight.output().bodies;
  const std::size_t user = flight.simulation().userIndex();
  const Sphere shownSphere{bodies[followed].pose.position, bodies[followed].shape.radius()};
  // A free eye, and one that looks at a pair, does not look at the followed ship
  const bool shipShown =
      !ui.view.picked.pair() && (mode == CameraMode::Chase || mode == CameraMode::Orbit);
  positions_.clear();
  for (std::size_t index = 0; index < bodies.size(); ++index) {
    const BodyState& body = bodies[index];
    positions_.push_back(body.pose.position);
    const bool own = index == user;
    // In the cockpit view the own hull would fill the picture
    if (index == followed && mode == CameraMode::Cockpit) continue;
    ShipInstance ship;
    ship.own = own;
    const bool fades =
        shipShown && index != followed &&
        hides(camera.pose.position, {body.pose.position, body.shape.radius()}, shownSphere);
    // Bodies without an engine, such as asteroids, keep their own colours
    const bool engine = flight.world().ships().definition(index).limits.accelerationMax > 0.0;
    ship.tint = own ? linear(palette::own) : engine ? linear(palette::drone) : glm::vec3(1.0f);
    const float glow = marks.glow(index);
    const bool picked = body.key == ui.view.picked.a || body.key == ui.view.picked.b;
    ship.glow = ui.view.reduceFlashing ? 0.0f : glow;
    ship.crackles = !marks.hitProven(index);
    ship.hit = transformed(body.pose, marks.hitPlace(index));
    ship.outline = picked || (ui.view.reduceFlashing && glow > 0.0f) ? 1.0f : 0.0f;
    ship.outlineColour = picked ? glm::vec3(1.0f) : srgb(pairColour(marks.hitSlot(index)));
    if (engine)
      ship.thrust =
          static_cast<float>(std::clamp(flight.world().ships().control(index).thrust, 0.0, 1.0));
    if (ui.view.spotlight && !picked) {
      ship.glow = -0.85f;
      ship.thrust = ship.outline = 0.0f;
    }
    for (std::uint32_t link = 0; link < linkCount(body); ++link) {
      const Link part = linkOf(body, link);
      ship.shape = part.shape.index();
      ship.pose = part.pose;
      // The first link has the engine
      if (link > 0) ship.thrust = 0.0f;
      (fades ? faded_ : ships_).push_back(ship);
    }
    if (ui.view.boundingSpheres)
      spheres_.push_back({{body.pose.position, body.shape.radius()},
                          srgb(own      ? palette::own
                               : picked ? palette::white
                                        : palette::dim),
                          picked ? 1.0f : 0.5f,
                          false});
  }
}

void SceneDrawing::addMarks(const CollisionMarks& marks) {
  std::size_t left = CollisionMarks::maxSpherePairs;
  for (auto mark = marks.marks().rbegin(); mark != marks.marks().rend(); ++mark) {
    const float alpha = marks.freshness(mark->time);
    const Rgb colour = pairColour(mark->slot);
    if (mark->hasTriangles) {
      for (const Triangle& t : {mark->triangleA, mark->triangleB})
        triangles_.push_back({t[0], t[1], t[2], srgb(colour)});
    }
    for (const ContactSpheres& contact : mark->contacts) {
      if (left == 0) break;
      --left;
      addContact(spheres_, contact, colour, alpha);
    }
    lines_.push_back({mark->deepest.a.centre, mark->deepest.b.centre, srgb(colour)});
  }
  for (const MissedContact& missed : marks.missed())
    lines_.push_back({positions_[missed.a], positions_[missed.b], srgb(palette::overrun)});
}

void SceneDrawing::addPickedPair(const Flight& flight, const UiState& ui) {
  const int level =
      ui.view.drawLevel <= DrawLevel::Contact
          ? 0
          : static_cast<int>(ui.view.drawLevel) - static_cast<int>(DrawLevel::Contact);
  if (level > 0)
    for (const std::size_t index : chosen_) addLevel(flight, index, level);
  if (ui.view.drawLevel == DrawLevel::Off || chosen_.size() < 2 || !flight.output().detection)
    return;
  const auto& pairs = flight.output().detection->pairs;
  const auto pair = std::ranges::find(pairs, pairOf(chosen_[0], chosen_[1]), &DetectedPair::bodies);
  if (pair == pairs.end() || pair->refinement.verdict == Verdict::Separate) return;
  flight.simulation().detector().contacts(static_cast<std::size_t>(pair - pairs.begin()),
                                          CollisionMarks::maxSpherePairs, contacts_);
  for (const ContactSpheres& contact : contacts_)
    addContact(spheres_, contact, levelColour(engine::depthOf(pair->refinement)), 0.9f);
}

void SceneDrawing::addBounds(const Flight& flight, const UiState& ui) {
  bounds_.clear();
  if (!ui.view.spaceTimeBounds) return;
  const auto bodies = flight.output().bodies;
  const Real now = flight.world().time();
  for (const std::size_t index : chosen_) bounds_.add(bodies[index], now);
  if (chosen_.size() == 2) bounds_.addMeeting(bodies[chosen_[0]], bodies[chosen_[1]], now);
  lines_.insert(lines_.end(), bounds_.lines().begin(), bounds_.lines().end());
}

void SceneDrawing::addLevel(const Flight& flight, std::size_t index, int level) {
  const BodyState& body = flight.output().bodies[index];
  for (std::uint32_t link = 0; link < linkCount(body); ++link) {
    const Link part = linkOf(body, link);
    const SphereTree& tree = flight.shapes().sphereTree(part.shape.index());
    // Its finest level if the tree is less deep
    const int drawn = std::min(level, tree.levelCount() - 1);
    tree.spheresOf(drawn, ids_);
    for (const SphereId id : ids_) {
      if (shells_.size() >= maxShells) return;
      const Sphere own = tree.sphere(id);
      shells_.push_back(
          {{transformed(part.pose, own.centre), own.radius}, linear(levelColour(drawn))});
    }
  }
}

/// Above the ships, which may hide the points.
void SceneDrawing::joinNearest(const Ink& ink, const NearestPoints& points,
                               glm::vec2 window) const {
  std::array<glm::vec2, 2> at;
  for (std::size_t i = 0; i < 2; ++i)
    if (!project(frame_.camera, static_cast<int>(window.x), static_cast<int>(window.y), points[i],
                 at[i]))
      return;
  ink.segment(at[0], at[1], palette::plot, 4.0f, 0.6f);
  ink.segment(at[0], at[1], palette::white, 1.5f);
  for (const glm::vec2& end : at) {
    ink.list()->AddCircleFilled({end.x, end.y}, 5.0f, Ink::colour(palette::plot, 0.6f));
    ink.list()->AddCircleFilled({end.x, end.y}, 3.5f, Ink::colour(palette::white));
  }
}

void SceneDrawing::joinWith(const Ink& ink, const NearestPoints& points, std::string_view words,
                            glm::vec2 window) const {
  joinNearest(ink, points, window);
  glm::vec2 at;
  if (!project(frame_.camera, static_cast<int>(window.x), static_cast<int>(window.y),
               0.5 * (points[0] + points[1]), at))
    return;
  const float em = ink.em(), wide = ink.textWidth(words, ink.small()) + 0.6f * em;
  const Rect plain{at.x + 0.8f * em, at.y + 0.5f * em, wide, 1.15f * em};
  ink.fill(plain, palette::panel, 0.85f, 0.25f * em);
  ink.text({plain.x + 0.3f * em, plain.y + 0.5f * plain.height}, words, palette::text, ink.small());
}

/// Draws contacts of marked collisions: the place and direction of the response.
void SceneDrawing::drawMarkedContacts(const Ink& ink, const CollisionMarks& marks,
                                      const UiState& ui, glm::vec2 window) const {
  if (ui.view.drawLevel != DrawLevel::Contact) return;
  for (const CollisionMark& mark : marks.marks())
    if (mark.contact)
      drawContacts(ink, frame_.camera, window, mark.contact->points(),
                   {pairColour(mark.slot), contactArrow * mark.radius, marks.freshness(mark.time)});
}

/// Draws the depth of the deepest point, or the gap, next to it.
void SceneDrawing::drawPickedContact(const Ink& ink, const ContactManifold& manifold,
                                     glm::vec2 window) {
  drawContacts(ink, frame_.camera, window, manifold.points,
               {palette::white, contactArrow * chosenRadius_});
  const ManifoldPoint& deepest = manifold.points.front();
  glm::vec2 at;
  if (!project(frame_.camera, static_cast<int>(window.x), static_cast<int>(window.y),
               0.5 * (deepest.onA + deepest.onB), at))
    return;
  const std::string words = contactWords(manifold.points, manifold.depthKnown, gapText);
  const float em = ink.em(), wide = ink.textWidth(words, ink.small()) + 0.6f * em;
  for (const float above : {1.2f, -1.2f, 2.8f, -2.8f}) {
    const Rect plain{at.x + 0.9f * em, at.y + (above - 0.6f) * em, wide, 1.15f * em};
    if (std::ranges::any_of(tags_, [&](const Rect& other) { return meets(plain, other); }))
      continue;
    tags_.push_back(plain);
    ink.fill(plain, palette::panel, 0.85f, 0.25f * em);
    ink.text({plain.x + 0.3f * em, plain.y + 0.5f * plain.height}, words, palette::text,
             ink.small());
    return;
  }
}

std::span<const Rect> SceneDrawing::label(const Ink& ink, const CollisionMarks& marks,
                                          const UiState& ui, glm::vec2 window,
                                          std::span<const Ground> panels,
                                          const std::optional<NearestPoints>& nearest,
                                          const ContactManifold* picked) {
  if (ui.view.overlay == OverlayMode::Off || ui.view.overlay == OverlayMode::Player) return {};
  const auto visible = [&](const glm::vec2& at) {
    return at.x >= 0.0f && at.y >= 0.0f && at.x <= window.x && at.y <= window.y;
  };
  const auto width = static_cast<int>(window.x), height = static_cast<int>(window.y);
  glm::vec2 at;
  tags_.clear();
  for (const Ground& ground : panels) tags_.push_back(ground.rect);
  bounds_.label(ink, frame_.camera, window, tags_);
  drawMarkedContacts(ink, marks, ui, window);
  if (nearest) joinNearest(ink, *nearest, window);
  if (picked) drawPickedContact(ink, *picked, window);
  // The newest labels have priority
  for (auto mark = marks.marks().rbegin(); mark != marks.marks().rend(); ++mark) {
    const Vec3 middle = 0.5 * (mark->deepest.a.centre + mark->deepest.b.centre);
    if (project(frame_.camera, width, height, middle, at) && visible(at))
      drawTag(ink, *mark, at, tags_);
  }
  for (const MissedContact& missed : marks.missed()) {
    const Vec3 middle = 0.5 * (positions_[missed.a] + positions_[missed.b]);
    if (project(frame_.camera, width, height, middle, at)) ink.chip(at, "MISSED", palette::overrun);
  }
  return std::span(tags_).subspan(panels.size());
}

}  // namespace nearmiss::app::fly
