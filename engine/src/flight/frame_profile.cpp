// SPDX-License-Identifier: MIT
#include <engine/flight/frame_profile.h>

namespace nearmiss::engine {

void FrameHistory::push(const FrameProfile& frame) noexcept {
  frames_[(begin_ + size_) % capacity] = frame;
  if (size_ < capacity)
    ++size_;
  else
    begin_ = (begin_ + 1) % capacity;
}

const FrameProfile& FrameHistory::operator[](std::size_t i) const noexcept {
  return frames_[(begin_ + i) % capacity];
}

}  // namespace nearmiss::engine
