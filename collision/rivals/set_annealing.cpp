// SPDX-License-Identifier: MIT
#include "rivals/annealed.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

/// The weight of every single sphere, in addition to the worst.
constexpr Real singleWeight = 0.125;
/// The shares of moves that hand over a patch, and that redistribute those of two spheres.
constexpr Real handing = 0.2, sharing = 0.2;

}  // namespace

Real SharedSurface::reach(const Patch& patch, const Vec3& centre, Real enough) const noexcept {
  if (glm::distance(patch.bounds.centre, centre) + patch.bounds.radius <= enough) return enough;
  Real square = 0.0;
  for (std::uint32_t i = patch.begin; i < patch.end; ++i) {
    const Vec3 from = points[i] - centre;
    square = std::max(square, glm::dot(from, from));
  }
  return std::sqrt(square);
}

/// Returns the minimum radius with which a ball about `centre` contains the patches.
Real SetAnnealing::minRadius(std::span<const std::uint32_t> patches,
                             const Vec3& centre) const noexcept {
  Real radius = 0.0;
  for (const std::uint32_t p : patches)
    radius = std::max(radius, surface_->reach(surface_->patches[p], centre, radius));
  return radius * (1.0 + 1e-9);
}

/// Returns the patch that determines the sphere's radius.
std::uint32_t SetAnnealing::outermost(const Member& member) const noexcept {
  std::uint32_t found = member.patches[0];
  Real farthest = -1.0;
  for (const std::uint32_t p : member.patches) {
    const Real reach = surface_->reach(surface_->patches[p], member.ball.centre, farthest);
    if (reach <= farthest) continue;
    farthest = reach;
    found = p;
  }
  return found;
}

Real SetAnnealing::SetEnergy::energy() const noexcept { return greatest + singleWeight * sum; }

/// Returns the energy of the set with some spheres replaced. Examines all spheres only if the one
/// with the maximum Hausdorff distance is replaced.
SetAnnealing::SetEnergy SetAnnealing::energyOfSet(
    std::span<const Proposal> instead) const noexcept {
  SetEnergy set{members_[worst_].energy, sum_};
  const auto concerns = [instead](std::uint32_t sphere) {
    return std::ranges::find(instead, sphere, &Proposal::sphere) != instead.end();
  };
  if (concerns(worst_)) {
    set.greatest = 0.0;
    for (std::uint32_t i = 0; i < members_.size(); ++i)
      if (members_[i].energy > set.greatest && !concerns(i)) set.greatest = members_[i].energy;
  }
  for (const Proposal& proposal : instead) {
    set.greatest = std::max(set.greatest, proposal.energy);
    set.sum += proposal.energy - members_[proposal.sphere].energy;
  }
  return set;
}

bool SetAnnealing::decide(std::span<Proposal> proposals, Real temperature) {
  // Draw the random number first, so that a sphere whose Hausdorff distance exceeds the allowed
  // energy need not be measured further
  const Real allowed = allowedEnergy(energy_, temperature, random_);
  for (Proposal& proposal : proposals) {
    // Spheres not yet measured count as 0
    const SetEnergy rest = energyOfSet(proposals);
    const Real single = (allowed - rest.energy()) / singleWeight;
    const Real greatest = (allowed - singleWeight * rest.sum) / (1.0 + singleWeight);
    const Real giveUp = watcher_ ? std::numeric_limits<Real>::infinity()
                                 : std::max(0.0, std::min(single, greatest));
    proposal.energy =
        annealingEnergy(*probe_, proposal.ball, members_[proposal.sphere].memory, giveUp);
    if (proposal.energy >= giveUp) return false;
  }
  const SetEnergy after = energyOfSet(proposals);
  const Real tried = after.energy();
  const bool taken = tried < allowed;
  if (watcher_) (*watcher_)({tried - energy_, temperature, taken});
  if (!taken) return false;
  for (const Proposal& proposal : proposals) {
    Member& member = members_[proposal.sphere];
    member.ball = proposal.ball;
    member.energy = proposal.energy;
    if (!member.changed) changedSpheres_.push_back(proposal.sphere);
    member.changed = true;
  }
  energy_ = tried;
  sum_ = after.sum;
  if (members_[worst_].energy < after.greatest) findWorst();
  return true;
}

/// Moves a centre, by less at lower temperatures, and uses the minimum radius there.
void SetAnnealing::shift(std::uint32_t sphere, Real heat, Real temperature) {
  const Member& member = members_[sphere];
  const Real length = longestAnnealingStep * std::sqrt(heat) * member.ball.radius;
  Proposal moved{sphere, {roundedToFloat(member.ball.centre + length * random_.inBall()), 0.0}};
  moved.ball.radius = minRadius(member.patches, moved.ball.centre);
  decide({&moved, 1}, temperature);
}

/// Returns another random sphere of the same family.
std::uint32_t SetAnnealing::sibling(std::uint32_t sphere) noexcept {
  const Member& member = members_[sphere];
  const Real others = member.familyEnd - member.familyBegin - 1;
  const auto drawn = member.familyBegin + static_cast<std::uint32_t>(random_.unit() * others);
  return drawn >= sphere ? drawn + 1 : drawn;
}

/// Gives the outermost patch to the sphere of the family that reaches it best.
void SetAnnealing::handOver(std::uint32_t sphere, Real temperature) {
  const Member& from = members_[sphere];
  if (from.patches.size() < 2) return;
  const std::uint32_t p = outermost(from);
  const SharedSurface::Patch& patch = surface_->patches[p];
  std::uint32_t to = sphere;
  Real least = std::numeric_limits<Real>::infinity();
  for (std::uint32_t i = from.familyBegin; i < from.familyEnd; ++i) {
    const Sphere& ball = members_[i].ball;
    const Real gap = glm::distance(ball.centre, patch.bounds.centre) - ball.radius;
    if (i == sphere || gap >= least) continue;
    least = gap;
    to = i;
  }
  first_ = from.patches;
  second_ = members_[to].patches;
  std::erase(first_, p);
  second_.push_back(p);
  exchange(sphere, to, temperature);
}

/// Redistributes the patches of two spheres: each goes to the one with the nearer centre.
void SetAnnealing::shareOut(std::uint32_t one, std::uint32_t other, Real temperature) {
  first_.clear();
  second_.clear();
  for (const std::uint32_t sphere : {one, other})
    for (const std::uint32_t p : members_[sphere].patches) {
      const Vec3& at = surface_->patches[p].bounds.centre;
      const bool nearer = glm::distance(at, members_[one].ball.centre) <=
                          glm::distance(at, members_[other].ball.centre);
      (nearer ? first_ : second_).push_back(p);
    }
  if (!first_.empty() && !second_.empty()) exchange(one, other, temperature);
}

/// Proposes that two spheres, with their centres kept, own the patches first_ and second_. Assigns
/// the patches if the Metropolis rule accepts.
void SetAnnealing::exchange(std::uint32_t one, std::uint32_t other, Real temperature) {
  std::array<Proposal, 2> both{Proposal{one, members_[one].ball},
                               Proposal{other, members_[other].ball}};
  both[0].ball.radius = minRadius(first_, both[0].ball.centre);
  both[1].ball.radius = minRadius(second_, both[1].ball.centre);
  if (!decide(both, temperature)) return;
  for (auto& [sphere, patches] : {std::pair{one, &first_}, std::pair{other, &second_}}) {
    for (const std::uint32_t p : *patches) {
      if (surface_->patches[p].owner == sphere) continue;
      surface_->patches[p].owner = sphere;
      changedPatches_.push_back(p);
    }
    std::swap(members_[sphere].patches, *patches);
  }
}

void SetAnnealing::findWorst() noexcept {
  const auto most = std::ranges::max_element(members_, {}, &Member::energy);
  worst_ = static_cast<std::uint32_t>(most - members_.begin());
}

/// Changes a sphere in one of the three ways, at random.
void SetAnnealing::move(std::uint32_t sphere, Real heat, Real temperature) {
  const Real way = random_.unit();
  const bool alone = members_[sphere].familyEnd - members_[sphere].familyBegin < 2;
  if (alone || way >= handing + sharing)
    shift(sphere, heat, temperature);
  else if (way < handing)
    handOver(sphere, temperature);
  else
    shareOut(sphere, sibling(sphere), temperature);
  if (energy_ < least_) keepBest();
}

void SetAnnealing::keepBest() {
  least_ = energy_;
  for (const std::uint32_t i : changedSpheres_) {
    members_[i].best = members_[i].ball;
    members_[i].changed = false;
  }
  for (const std::uint32_t p : changedPatches_) bestOwner_[p] = surface_->patches[p].owner;
  changedSpheres_.clear();
  changedPatches_.clear();
}

void SetAnnealing::anneal(std::span<Sphere> spheres, std::span<const std::uint32_t> families,
                          SharedSurface& surface, std::uint64_t seed, BuildProgress* progress,
                          float from, float to) {
  random_ = SeededRandom(seed);
  surface_ = &surface;
  members_.assign(spheres.size(), {});
  bestOwner_.clear();
  changedSpheres_.clear();
  changedPatches_.clear();
  for (std::uint32_t p = 0; p < surface.patches.size(); ++p) {
    members_[surface.patches[p].owner].patches.push_back(p);
    bestOwner_.push_back(surface.patches[p].owner);
  }
  sum_ = 0.0;
  for (std::uint32_t i = 0; i < spheres.size(); ++i) {
    if (wasCancelled(progress)) return;
    Member& member = members_[i];
    member.ball = member.best = spheres[i];
    member.energy =
        annealingRadiusWeight * member.ball.radius + probe_->explore(member.ball, member.memory);
    sum_ += member.energy;
    const auto family = std::equal_range(families.begin(), families.end(), families[i]);
    member.familyBegin = static_cast<std::uint32_t>(family.first - families.begin());
    member.familyEnd = static_cast<std::uint32_t>(family.second - families.begin());
  }
  findWorst();
  const Real greatest = members_[worst_].energy;
  energy_ = least_ = energyOfSet({}).energy();

  // Every sphere has one turn per round, and after every fourth turn the one with the maximum
  // Hausdorff distance has an additional one
  const Real cooling = std::pow(schedule_->cooled, 1.0 / std::max(1, schedule_->steps));
  Real heat = 1.0;  // relative to the highest temperature
  for (int round = 0; round < schedule_->steps; ++round, heat *= cooling) {
    // Scale by what most moves change: the share of a single sphere
    const Real temperature = schedule_->heat * singleWeight * greatest * heat;
    if (progress)
      progress->fraction =
          from + (to - from) * static_cast<float>(round) / static_cast<float>(schedule_->steps);
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      if (wasCancelled(progress)) return;
      move(i, heat, temperature);
      if (i % 4 == 3) move(worst_, heat, temperature);
    }
  }
  for (std::uint32_t i = 0; i < spheres.size(); ++i) spheres[i] = members_[i].best;
  for (std::uint32_t p = 0; p < bestOwner_.size(); ++p) surface.patches[p].owner = bestOwner_[p];
}

}  // namespace nearmiss
