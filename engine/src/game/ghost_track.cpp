// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>
#include <engine/game/ghost_track.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <sstream>

namespace nearmiss::engine {
namespace {

constexpr std::string_view heading = "nearmiss ghost 1";
/// Positions and times beyond this are damage.
constexpr Real most = 1e6;

}  // namespace

Pose interpolate(const Pose& from, const Pose& to, Real share) noexcept {
  const Quat nearer = glm::dot(from.rotation, to.rotation) < 0.0 ? -to.rotation : to.rotation;
  return {from.position + share * (to.position - from.position),
          glm::normalize(from.rotation * (1.0 - share) + nearer * share)};
}

void GhostTrack::record(Real time, const Pose& pose, bool last) {
  const Real after = samples.empty() ? interval : time - samples.back().time;
  if (samples.size() < maxSamples && (after >= interval || (last && after > 0.0)))
    samples.push_back({time, pose});
}

std::optional<Pose> GhostTrack::at(Real time) const {
  const auto after = std::ranges::upper_bound(samples, time, {}, &Sample::time);
  if (after == samples.begin() || after == samples.end()) return std::nullopt;
  const Sample &a = *(after - 1), &b = *after;
  return interpolate(a.pose, b.pose, (time - a.time) / (b.time - a.time));
}

std::optional<GhostTrack> readGhost(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line) || line != heading) return std::nullopt;
  GhostTrack track;
  if (!(stream >> track.seed)) return std::nullopt;
  std::array<Real, 8> row{};
  while (stream >> row[0]) {
    for (std::size_t i = 1; i < row.size(); ++i)
      if (!(stream >> row[i])) return std::nullopt;
    const bool sound = std::ranges::all_of(row, [](Real x) { return std::abs(x) <= most; });
    const Quat rotation(row[4], row[5], row[6], row[7]);
    const bool later = track.samples.empty() || row[0] > track.samples.back().time;
    if (!sound || !later || std::abs(glm::dot(rotation, rotation) - 1.0) > 1e-3 ||
        track.samples.size() == GhostTrack::maxSamples)
      return std::nullopt;
    track.samples.push_back({row[0], {{row[1], row[2], row[3]}, glm::normalize(rotation)}});
  }
  if (!stream.eof() || track.samples.size() < 2) return std::nullopt;
  return track;
}

Result<Success> writeGhost(const std::filesystem::path& file, const GhostTrack& track) {
  std::string text = fmt::format("{}\n{}\n", heading, track.seed);
  for (const GhostTrack::Sample& sample : track.samples) {
    const Vec3& p = sample.pose.position;
    const Quat& q = sample.pose.rotation;
    text += fmt::format("{:.4f} {:.4f} {:.4f} {:.4f} {:.5f} {:.5f} {:.5f} {:.5f}\n", sample.time,
                        p.x, p.y, p.z, q.w, q.x, q.y, q.z);
  }
  return writeWhole(file, text);
}

}  // namespace nearmiss::engine
