// SPDX-License-Identifier: MIT
#include "broad/body_queue.h"

#include <algorithm>
#include <iterator>

namespace nearmiss {
namespace {

bool mayNotWait(const BodyState& body) noexcept {
  return body.importance == fullImportance && !body.unimportant;
}

}  // namespace

void BodyQueue::begin(std::span<const BodyState> bodies, Real time) {
  for (const std::uint32_t body : looked_) before_[body] = {};
  looked_.clear();
  bodies_ = bodies;
  next_ = 0;
  // If time went back, restart all waiting times
  if (time < time_)
    for (PostponedBody& waiting : waiting_) waiting.wait = {};
  time_ = time;

  someForced_ = someMarked_ = false;
  const auto stands = [this](std::size_t i) {
    if (waiting_[i].body >= bodies_.size()) return false;
    const BodyState& body = bodies_[waiting_[i].body];
    note(body);
    return body.key == keys_[i];
  };
  std::size_t standing = 0;
  while (standing < waiting_.size() && stands(standing)) ++standing;
  if (standing < waiting_.size() || queued_.size() != bodies.size()) moveToNewIndices();
}

/// Notes forced and marked bodies while their states are in the cache. Most calls have none, and
/// can skip the search for them.
void BodyQueue::note(const BodyState& body) noexcept {
  someForced_ = someForced_ || mayNotWait(body);
  someMarked_ = someMarked_ || body.unimportant;
}

void BodyQueue::moveToNewIndices() {
  someForced_ = someMarked_ = false;
  indices_.read(bodies_);
  queued_.assign(bodies_.size(), false);
  before_.assign(bodies_.size(), Wait{});
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const std::uint32_t index = indices_.of(keys_[i]);
    if (index == KeyIndices::none) continue;
    queued_[index] = true;
    note(bodies_[index]);
    waiting_[kept++] = {index, waiting_[i].wait};
  }
  waiting_.resize(kept);
}

void BodyQueue::keepWaiting(std::vector<std::uint32_t>& some) const {
  std::erase_if(some, [this](std::uint32_t body) { return !contains(body); });
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
}

void BodyQueue::add(std::span<const std::uint32_t> more) {
  for (const std::uint32_t body : more) {
    if (queued_[body]) continue;
    queued_[body] = true;
    note(bodies_[body]);
    waiting_.push_back({body, {}});
  }
}

void BodyQueue::takeWhere(auto wanted, std::vector<std::uint32_t>& out) {
  out.clear();
  std::size_t kept = 0;
  for (const PostponedBody& waiting : waiting_)
    if (wanted(bodies_[waiting.body]))
      look(waiting, out);
    else
      waiting_[kept++] = waiting;
  waiting_.resize(kept);
}

void BodyQueue::takeUnmarked(std::vector<std::uint32_t>& out) {
  takeWhere([](const BodyState& body) { return !body.unimportant; }, out);
}

void BodyQueue::takeForced(std::vector<std::uint32_t>& out) {
  if (someForced_)
    takeWhere(mayNotWait, out);
  else
    out.clear();
  for (std::size_t count = due(); count > 0; --count) look(waiting_[next_++], out);
  if (someMarked_) putMarkedLast();
}

void BodyQueue::putMarkedLast() {
  // std::stable_partition would allocate memory in every call
  aside_.clear();
  std::size_t kept = next_;
  for (std::size_t i = next_; i < waiting_.size(); ++i)
    if (bodies_[waiting_[i].body].unimportant)
      aside_.push_back(waiting_[i]);
    else
      waiting_[kept++] = waiting_[i];
  std::ranges::copy(aside_, waiting_.begin() + static_cast<std::ptrdiff_t>(kept));
}

void BodyQueue::take(std::size_t most, std::vector<std::uint32_t>& out) {
  out.clear();
  for (; out.size() < most && !empty(); ++next_) look(waiting_[next_], out);
}

void BodyQueue::look(const PostponedBody& waiting, std::vector<std::uint32_t>& out) {
  queued_[waiting.body] = false;
  out.push_back(waiting.body);
  if (waiting.wait.detections == 0) return;
  before_[waiting.body] = waiting.wait;
  looked_.push_back(waiting.body);
}

/// Number of bodies to take now, so that none is due too late: with p bodies that may be skipped at
/// most l times, the share of one in l + 1.
std::size_t BodyQueue::due() const noexcept {
  std::size_t most = 0;
  // The bodies that have waited longest come first
  auto end = waiting_.begin();
  for (std::uint32_t l = 0; l <= maxBodyWait; ++l) {
    end = std::partition_point(end, waiting_.end(), [l](const PostponedBody& waiting) {
      return waiting.wait.detections + l >= maxBodyWait;
    });
    const auto bodies = static_cast<std::size_t>(end - waiting_.begin());
    most = std::max(most, bodies / (l + 1));
  }
  return most;
}

void BodyQueue::end() {
  // Marked bodies stand behind others that have waited less, so merge two sorted lists
  const auto longer = [](const PostponedBody& a, const PostponedBody& b) {
    return a.wait.detections > b.wait.detections;
  };
  const auto first = waiting_.begin() + static_cast<std::ptrdiff_t>(next_);
  const auto marked = std::is_sorted_until(first, waiting_.end(), longer);
  if (marked != waiting_.end()) {
    aside_.clear();
    std::merge(first, marked, marked, waiting_.end(), std::back_inserter(aside_), longer);
    std::ranges::copy(aside_, first);
  }
  const std::size_t count = waiting_.size() - next_;
  keys_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    PostponedBody waiting = waiting_[next_ + i];
    if (waiting.wait.detections == 0) waiting.wait.since = time_;
    ++waiting.wait.detections;
    keys_[i] = bodies_[waiting.body].key;
    waiting_[i] = waiting;
  }
  waiting_.resize(count);
  next_ = 0;
}

}  // namespace nearmiss
