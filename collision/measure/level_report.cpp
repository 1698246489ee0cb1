// SPDX-License-Identifier: MIT
#include <nearmiss/level_report.h>

#include <algorithm>

namespace nearmiss {

std::vector<SphereLevelReport> levelReports(const SphereTree& tree) {
  std::vector<SphereLevelReport> reports;
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    SphereLevelReport report;
    report.spheres = spheres.size();
    for (const SphereId id : spheres) {
      const Real radius = tree.sphere(id).radius;
      report.hausdorffMean += tree.hausdorff(id);
      report.hausdorffMax = std::max(report.hausdorffMax, tree.hausdorff(id));
      report.outsideMean += tree.outside(id);
      report.outsideMax = std::max(report.outsideMax, tree.outside(id));
      report.radiusMean += radius;
      report.radiusMax = std::max(report.radiusMax, radius);
    }
    report.hausdorffMean /= static_cast<Real>(spheres.size());
    report.outsideMean /= static_cast<Real>(spheres.size());
    report.radiusMean /= static_cast<Real>(spheres.size());
    reports.push_back(report);
  }
  return reports;
}

}  // namespace nearmiss
