// SPDX-License-Identifier: MIT
#include <engine/session/flight_past.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace nearmiss::engine {
namespace {

/// Limits of a stretch: reaching its end repeats all its frames.
constexpr Real secondsOfStretch = 1.0;
constexpr std::size_t framesOfStretch = 128;

/// Approximate bytes per ship in a snapshot.
constexpr std::size_t bytesPerShip = 1500;

std::size_t memoryOf(const FlownFrame& frame) noexcept {
  std::size_t bytes = sizeof(FlownFrame) + frame.acts.size() * sizeof(HandAct);
  for (const GrantedWork& work : frame.granted)
    bytes += sizeof(GrantedWork) + work.pairs.size() * sizeof(GrantedPair) +
             work.postponed.size() * sizeof(PostponedPair) +
             work.postponedBodies.size() * sizeof(PostponedBody);
  return bytes;
}

Error nothingStored() { return {ErrorCode::Unsupported, "nothing earlier to rewind to"}; }

}  // namespace

void FlightPast::clear() noexcept {
  stretches_.clear();
  end_ = 0;
}

void FlightPast::setDetector(DetectorMaker maker) {
  detector_ = std::make_shared<const DetectorMaker>(std::move(maker));
}

void FlightPast::before(const Simulation& simulation) {
  const bool due = stretches_.empty() || stretches_.back().detector != detector_ ||
                   stretches_.back().seconds >= secondsOfStretch ||
                   stretches_.back().frames.size() >= framesOfStretch;
  if (!due) return;
  // A stretch without frames is redundant next to a new snapshot of the same state
  if (!stretches_.empty() && stretches_.back().frames.empty()) stretches_.pop_back();
  const std::size_t bytes = bytesPerShip * simulation.world().states().size();
  stretches_.push_back({end_, simulation.snapshot(), detector_, {}, 0.0, bytes});
  stretches_.back().frames.reserve(framesOfStretch);
  forgetOldest();
}

void FlightPast::add(const FrameInput& input, const FrameOutput& output) {
  Stretch& stretch = stretches_.back();
  if (spare_.empty()) spare_.emplace_back();
  FlownFrame& frame = stretch.frames.emplace_back(std::move(spare_.back()));
  spare_.pop_back();
  frame.take(input, output);
  frame.budget = input.detectionBudget;
  frame.levelCap = input.levelCap;
  stretch.seconds += frame.dt;
  stretch.bytes += memoryOf(frame);
  ++end_;
}

void FlightPast::forgetOldest() {
  while (stretches_.size() > 1 &&
         (seconds() - stretches_.front().seconds >= maxSeconds_ || bytes() > maxBytes_)) {
    for (FlownFrame& frame : stretches_.front().frames) drop(frame);
    stretches_.pop_front();
  }
}

void FlightPast::drop(FlownFrame& frame) {
  if (spare_.size() < framesOfStretch) spare_.push_back(std::move(frame));
}

void FlightPast::cut(std::uint64_t position) {
  while (!stretches_.empty() && stretches_.back().first > position) stretches_.pop_back();
  end_ = position;
  if (stretches_.empty()) return;
  Stretch& last = stretches_.back();
  while (last.end() > position) {
    last.seconds -= last.frames.back().dt;
    last.bytes -= memoryOf(last.frames.back());
    drop(last.frames.back());
    last.frames.pop_back();
  }
}

std::uint64_t FlightPast::begin() const noexcept {
  return stretches_.empty() ? end_ : stretches_.front().first;
}

const FlightPast::Stretch& FlightPast::stretchAt(std::uint64_t position) const {
  const auto after = std::ranges::upper_bound(stretches_, position, {}, &Stretch::first);
  return *std::prev(after);
}

const FlownFrame& FlightPast::frame(std::uint64_t n) const {
  const Stretch& stretch = stretchAt(n);
  return stretch.frames[static_cast<std::size_t>(n - stretch.first)];
}

Real FlightPast::seconds() const noexcept {
  Real sum = 0.0;
  for (const Stretch& stretch : stretches_) sum += stretch.seconds;
  return sum;
}

std::size_t FlightPast::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Stretch& stretch : stretches_) sum += stretch.bytes;
  return sum;
}

Result<Rewinder> Rewinder::begin(const FlightPast& past, const Simulation& like) {
  if (past.begin() == past.end()) return nothingStored();
  Rewinder rewinder(past);
  rewinder.like_ = &like;
  if (auto gone = rewinder.goTo(past.end()); !gone) return gone.error();
  return rewinder;
}

Result<Success> Rewinder::enter(const FlightPast::Stretch& stretch) {
  auto detector = (*stretch.detector)();
  if (!detector) return nothingStored();
  simulation_ = like_->twin(stretch.start, std::move(detector), *clock_);
  stretch_ = &stretch;
  position_ = stretch.first;
  marks_.clear();
  return Success{};
}

const FrameOutput& Rewinder::step() {
  // Add a mark if there is none here yet, to shorten later steps back
  const bool due = (position_ - stretch_->first) % markEvery == 0;
  if (due && (marks_.empty() || marks_.back().first < position_))
    marks_.emplace_back(position_, simulation_->snapshot());
  const auto at = static_cast<std::size_t>(position_ - stretch_->first);
  const FrameOutput& output = simulation_->advance(stretch_->frames[at].repeated());
  ++position_;
  return output;
}

Result<Success> Rewinder::goTo(std::uint64_t position) {
  // The first position of a stretch equals the end of the previous one
  const FlightPast::Stretch& wanted = past_->stretchAt(position);
  if (stretch_ != &wanted) {
    if (auto entered = enter(wanted); !entered) return entered;
  } else if (position < position_) {
    const auto after =
        std::ranges::upper_bound(marks_, position, {}, &std::pair<std::uint64_t, Snapshot>::first);
    if (after == marks_.begin()) {
      simulation_->restore(stretch_->start);
      position_ = stretch_->first;
    } else {
      simulation_->restore(std::prev(after)->second);
      position_ = std::prev(after)->first;
    }
  }
  while (position_ < position) (void)step();
  return Success{};
}

Result<Success> Rewinder::fly(std::uint64_t from, std::uint64_t to, const Visitor& visit) {
  if (auto gone = goTo(from); !gone) return gone;
  while (position_ < to) {
    // The next stretch continues from the same state with its own detector
    if (position_ == stretch_->end())
      if (auto entered = enter(past_->stretchAt(position_)); !entered) return entered;
    const FlownFrame& frame = past_->frame(position_);
    visit(frame, step());
  }
  return Success{};
}

}  // namespace nearmiss::engine
