// SPDX-License-Identifier: MIT
#include <engine/base/nearest_name.h>

#include <algorithm>
#include <vector>

namespace nearmiss::engine {

std::size_t editDistance(std::string_view a, std::string_view b) {
  // Rows of the dynamic programme: two back, one back, and the one being filled
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string_view nearestName(std::string_view wanted, std::span<const std::string_view> names) {
  // A prefix counts as one edit, whatever the length of the name
  constexpr std::size_t longest = 64;
  std::string_view best;
  if (wanted.empty() || wanted.size() > longest) return best;
  std::size_t least = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string_view name : names) {
    const bool begun = wanted.size() >= 3 && name.starts_with(wanted);
    const std::size_t edits = begun ? 1 : editDistance(wanted, name);
    // Two edits turn a two-letter word into any other
    if (edits < least && edits < std::max(wanted.size(), name.size())) {
      least = edits;
      best = name;
    }
  }
  return best;
}

std::string didYouMean(std::string_view wanted, std::span<const std::string_view> names) {
  const std::string_view best = nearestName(wanted, names);
  return best.empty() ? std::string() : " Did you mean \"" + std::string(best) + "\"?";
}

}  // namespace nearmiss::engine
