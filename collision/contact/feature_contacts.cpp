// SPDX-License-Identifier: MIT
#include "contact/feature_contacts.h"

#include <algorithm>
#include <utility>

#include "contact/contact_body.h"

namespace nearmiss {

void FeatureContacts::take(const ContactBody& a, const ContactBody& b, bool once) noexcept {
  a_ = &a;
  b_ = &b;
  once_ = once;
  first_ = true;
  stage_ = Stage::Done;
  turns_ = {};
  features_.forget();
}

void FeatureContacts::setFarApart(const Pose& bToA, Real slack) noexcept {
  passed_.begin(*a_, *b_, bToA, 0.0, slack, !first_);
  passed_.remember(false);
}

void FeatureContacts::begin(const Pose& bToA, Real margin, Real slack,
                            std::span<const std::uint64_t> known) {
  known_ = known;
  // If there was time for known features only, skip them once
  if (stage_ == Stage::Known && next_ > 0) known_ = {};
  if (stage_ == Stage::Kept) turns_.kept += next_;
  if (stage_ == Stage::Kept || stage_ == Stage::List)
    turns_.listFirst = stage_ == Stage::Kept || !listedSome_;
  listedSome_ = false;
  const bool again = !std::exchange(first_, false);
  reach_ = std::max(margin, VertexContacts::touchingDistance(*a_, *b_, slack)) + slack;
  slack_ = slack;
  doubtful_.reset();
  passed_.begin(*a_, *b_, bToA, margin + slack, slack, again);
  enter(Stage::Known);
  if (!again || !features_.follow(bToA, margin)) {
    if (again && !features_.complete()) {
      turns_.list.places += features_.progress().places;
      turns_.list.leaves = features_.progress().leaves;
    } else {
      turns_.list = {};
    }
    features_.begin(*a_, *b_, bToA, margin, slack, turns_.list, once_ && !again);
    // A component inside the other body may be far from its surface
    for (const bool ofB : {false, true})
      for (const SurfaceComponent& piece : (ofB ? b_ : a_)->polyhedron().components())
        if ((ofB ? a_ : b_)->hasInside()) features_.add(piece.vertex, ofB, 0);
  }
  // The same holds for a vertex far beyond a surface
  for (const SurfaceSides::Beyond& beyond : passed_.before())
    features_.add(beyond.vertex, passed_.ofB(), 0);
  keptVertices_ = nextVertex_ = features_.vertices().size();
  keptEdges_ = nextEdges_ = features_.edges().size();
  keptDone_ = false;
  vertexContacts_.begin(*a_, *b_, bToA, margin, reach_ + 0.5 * features_.allowed(), slack);
  edgeCrossings_.begin(*a_, *b_, bToA, margin, features_.limit(), slack);
}

bool FeatureContacts::step(ContactFindings& found, WorkCount& work) {
  switch (stage_) {
    case Stage::Known:
      compareKnown(found, work);
      break;
    case Stage::Kept:
      compareKept(found, work);
      break;
    case Stage::List:
      compareListed(found, work);
      break;
    case Stage::Done:
      break;
  }
  return stage_ != Stage::Done;
}

/// Compares the features of the previous manifold, so that if time runs out, the features that
/// supported the bodies still do.
void FeatureContacts::compareKnown(ContactFindings& found, WorkCount& work) {
  if (next_ == known_.size()) {
    doubtful_ = found.doubtful;
    return enter(turns_.listFirst && !features_.complete() ? Stage::List : Stage::Kept);
  }
  // Edges first, because they are cheaper than vertices
  const std::uint64_t id = known_[known_.size() - ++next_];
  switch (const ContactKind kind = contactKindOf(id)) {
    case ContactKind::VertexOfA:
    case ContactKind::VertexOfB: {
      const bool ofB = kind == ContactKind::VertexOfB;
      const std::uint32_t vertex = contactVertexOf(id);
      const VertexContacts::Place place = compareVertex(ofB, vertex, 0, found, work);
      if (comparesPassed(ofB)) passed_.look(vertex, place.gap, place.triangle, work.boundTests);
      return;
    }
    case ContactKind::Edges:
      return compareEdges(contactEdgesOf(id), found, work);
    case ContactKind::Depth:
      return;
  }
}

bool FeatureContacts::awake(const NearFeatures::Vertex& vertex) const noexcept {
  return vertex.gap - features_.moved() <= reach_ ||
         (comparesPassed(vertex.ofB) && vertex.passed != NearFeatures::Passed::No);
}

/// Compares the next feature of earlier searches that may touch by now.
void FeatureContacts::compareKept(ContactFindings& found, WorkCount& work) {
  const std::size_t count = keptVertices_ + keptEdges_;
  for (; next_ < count; ++next_) {
    const std::size_t i = (next_ + turns_.kept) % count;
    if (i < keptVertices_) {
      const NearFeatures::Vertex& vertex = features_.vertices()[i];
      if (!awake(vertex) || isKnown(contactIdOfVertex(vertex.ofB, vertex.index))) continue;
      ++next_;
      return compareVertex(i, found, work);
    }
    const NearFeatures::EdgePair& edges = features_.edges()[i - keptVertices_];
    if (edges.gap - features_.moved() > features_.limit() || isKnown(contactIdOfEdges(edges.pair)))
      continue;
    ++next_;
    return compareEdges(edges.pair, found, work);
  }
  keptDone_ = true;
  work.boundTests += count / 8;
  const bool allListed = features_.complete() && nextVertex_ == features_.vertices().size();
  enter(allListed ? Stage::Done : Stage::List);
}

/// Compares a listed feature, or lists more.
void FeatureContacts::compareListed(ContactFindings& found, WorkCount& work) {
  listedSome_ = true;
  // In the same step, so that a search with time for the list alone still makes progress
  if (nextVertex_ == features_.vertices().size() && nextEdges_ == features_.edges().size() &&
      !features_.listSome(work))
    return enter(keptDone_ ? Stage::Done : Stage::Kept);
  if (nextVertex_ < features_.vertices().size()) {
    const std::size_t at = nextVertex_++;
    const NearFeatures::Vertex& vertex = features_.vertices()[at];
    if (!isKnown(contactIdOfVertex(vertex.ofB, vertex.index))) compareVertex(at, found, work);
  } else if (nextEdges_ < features_.edges().size()) {
    const std::uint64_t pair = features_.edges()[nextEdges_++].pair;
    if (!isKnown(contactIdOfEdges(pair))) compareEdges(pair, found, work);
  }
}

void FeatureContacts::compareVertex(std::size_t at, ContactFindings& found, WorkCount& work) {
  const NearFeatures::Vertex vertex = features_.vertices()[at];
  const VertexContacts::Place place =
      compareVertex(vertex.ofB, vertex.index, vertex.guess, found, work);
  NearFeatures::Vertex& compared = features_.vertices()[at];
  compared.gap = place.gap - features_.moved();
  compared.guess = place.triangle;
  if (comparesPassed(vertex.ofB)) comparePassed(at, place.gap, work);
}

/// Also adds the neighbours of an inside vertex, which may be inside too, far from the surface of
/// the other body.
VertexContacts::Place FeatureContacts::compareVertex(bool ofB, std::uint32_t vertex,
                                                     std::uint32_t guess, ContactFindings& found,
                                                     WorkCount& work) {
  const std::size_t before = found.points.size();
  const VertexContacts::Place place =
      vertexContacts_.compare(ofB, vertex, guess, found, passed_, work.boundTests);
  if (place.inside) addAround(vertex, ofB, place.triangle);
  if (place.inside && passed_.possible(!ofB)) {
    const bool contact = found.points.size() > before;
    if (!passed_.keepInside(vertex, contact ? &found.points.back() : nullptr))
      found.points.pop_back();
  }
  return place;
}

void FeatureContacts::compareEdges(std::uint64_t pair, ContactFindings& found, WorkCount& work) {
  edgeCrossings_.compare(pair, found, passed_.possible() ? &passed_ : nullptr, work.boundTests);
}

void FeatureContacts::addAround(std::uint32_t vertex, bool ofB, std::uint32_t guess) {
  const ContactBody& body = ofB ? *b_ : *a_;
  for (const std::uint32_t triangle : body.edges().trianglesAt(vertex))
    for (const std::uint32_t corner : body.mesh().triangles[triangle])
      features_.add(corner, ofB, guess);
}

/// Returns true if sides are remembered, so that vertices beyond the surface are known immediately.
bool FeatureContacts::comparesPassed(bool ofB) const noexcept {
  return passed_.sidesAreKnown() && passed_.possible(ofB);
}

void FeatureContacts::comparePassed(std::size_t at, Real gap, WorkCount& work) {
  NearFeatures::Vertex& vertex = features_.vertices()[at];
  const std::uint32_t index = vertex.index, guess = vertex.guess;
  const bool yes = passed_.look(index, gap, guess, work.boundTests);
  vertex.passed = yes ? NearFeatures::Passed::Yes : NearFeatures::Passed::No;
  if (yes) addAround(index, passed_.ofB(), guess);
}

bool FeatureContacts::stepPassed(WorkCount& work) {
  // If sides were known, step() has compared the vertices
  if (!passed_.possible() || passed_.sidesAreKnown()) return false;
  while (next_ < features_.vertices().size()) {
    const NearFeatures::Vertex& vertex = features_.vertices()[next_++];
    const bool far = vertex.gap - features_.moved() > slack_;
    if (vertex.ofB != passed_.ofB() || (vertex.passed == NearFeatures::Passed::No && far)) continue;
    comparePassed(next_ - 1, 0.0, work);
    return true;
  }
  return false;
}

void FeatureContacts::addPassed(std::vector<ManifoldPoint>& points) const {
  for (const SurfaceSides::Vertex& vertex : passed_.vertices())
    points.push_back(vertexContacts_.pointOf(passed_.ofB(), vertex.index, vertex.onSurface,
                                             vertex.back, vertex.depth));
  points.insert(points.end(), passed_.edges().begin(), passed_.edges().end());
}

bool FeatureContacts::hasCompared(std::uint64_t id) const noexcept {
  if (contactKindOf(id) == ContactKind::Depth) return false;
  if (stage_ == Stage::Done) return true;
  const auto known = std::ranges::lower_bound(known_, id);
  if (known == known_.end() || *known != id) return false;
  // Features are compared from last to first
  return stage_ != Stage::Known || static_cast<std::size_t>(known_.end() - known) <= next_;
}

void FeatureContacts::addKnown(const ContactFindings& found,
                               std::vector<ManifoldPoint>& points) const {
  if (doubtful_) points.push_back(*doubtful_);
  for (const ManifoldPoint& corner : found.corners.all())
    if (isKnown(corner.id)) points.push_back(corner);
}

}  // namespace nearmiss
