// SPDX-License-Identifier: MIT
/// `nearmiss lab fig14`: fit of each builder's spheres by level, relative to the octree [H96 Fig.
/// 14]. H is the Hausdorff distance.
#include <engine/scene/scene.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>

#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/fit_measure.h"
#include "lab/models.h"
#include "lab/pair_poses.h"
#include "lab/table_plot.h"
#include "report/plot_sheet.h"

namespace nearmiss::app::lab {
namespace {

/// Fig. 14: medial axis relative to octree, levels 1 to 3.
struct PaperRatios {
  std::string_view model;
  std::array<double, 3> mean, max;
};
constexpr std::array<PaperRatios, 4> paperRatios{{
    {"lamp", {0.442, 0.220, 0.164}, {0.494, 0.485, 0.433}},
    {"faucet", {0.492, 0.358, 0.377}, {0.552, 0.439, 0.687}},
    {"rocket", {0.654, 0.546, 0.379}, {0.728, 0.690, 0.979}},
    {"truck", {0.571, 0.389, 0.286}, {0.671, 0.450, 0.531}},
}};

struct Fig14Command : ExperimentCommand {
  std::vector<std::string> models;    ///< empty: the built-in models
  std::vector<std::string> builders;  ///< of fig14Builders(), in addition to the octree; empty: all
  int levels = 3;
  int workers = 1;
};

/// A builder and what differs from its defaults.
struct TreeKind {
  std::string_view name;
  const SphereTreeBuilderEntry* builder = nullptr;
  void (*change)(SphereTreeSettings& settings) = nullptr;
};

/// Kinds that differ from another one in one setting.
constexpr TreeKind changedKinds[] = {
    {"variational+boxes", nullptr,
     [](SphereTreeSettings& settings) { settings.nodeBoxRatio = usualNodeBoxRatio; }},
    // The policies of H96 §9.1: levels that cover as a whole, as in the paper's Fig. 14, and
    // children that cover all that their parent covers
    {"medial+paper", nullptr,
     [](SphereTreeSettings& settings) { settings.medial.coverage = Coverage::Paper; }},
    {"medial+safest", nullptr,
     [](SphereTreeSettings& settings) { settings.medial.guarantee = CoverageGuarantee::Safest; }}};

/// All builders, the octree first.
std::vector<TreeKind> allTreeKinds() {
  std::vector<TreeKind> kinds{{referenceBuilder, findSphereTreeBuilder(referenceBuilder)}};
  for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog()) {
    if (entry.name != referenceBuilder) kinds.push_back({entry.name, &entry});
    for (const TreeKind& changed : changedKinds)
      if (changed.name.starts_with(std::string(entry.name) + '+'))
        kinds.push_back({changed.name, &entry, changed.change});
  }
  return kinds;
}

/// The octree, then all other requested builders.
std::vector<TreeKind> kindsOf(const Fig14Command& command) {
  std::vector<TreeKind> kinds = allTreeKinds();
  const auto& requested = command.builders;
  if (requested.empty()) return kinds;
  const auto unwanted = [&requested](const TreeKind& kind) {
    return std::find(requested.begin(), requested.end(), kind.name) == requested.end();
  };
  kinds.erase(std::remove_if(kinds.begin() + 1, kinds.end(), unwanted), kinds.end());
  return kinds;
}

void addOptions(OptionList& options, Fig14Command& command) {
  std::vector<std::string_view> builders;
  for (const TreeKind& kind : allTreeKinds()) builders.push_back(kind.name);
  options.names("--model", command.models, {}, "models or files, instead of the built-in ones");
  options.names("--tree", command.builders, std::move(builders),
                "builders to compare with the octree; variational+boxes, medial+paper and "
                "medial+safest differ in boxes and coverage; default: all");
  options.levels(command.levels, "deepest level of spheres");
  options.workers(command.workers, 1);
}

/// The measurements of one level of one tree.
struct Fig14Row : LevelComparedWithOctree {
  std::string model, builder;
  std::size_t triangles = 0;
  int level = 0;
  std::optional<double> paperMeanRatio, paperMaxRatio;  ///< medial axis relative to octree, Fig. 14
  std::size_t separatedPoses = 0;
  double falseAlarmPercent = 0.0;  ///< percentage of separated pairs whose spheres collide at this
                                   ///< level
  std::size_t contactPoses = 0, missedContacts = 0;
  double separatedMicroseconds = 0.0;  ///< mean wall time of a separated pair until the final
                                       ///< answer
  double contactMicroseconds = 0.0;    ///< mean wall time of a pair in contact
  double buildSeconds = 0.0;           ///< of the whole tree
};

/// Formats the paper's value with three decimals.
auto published(std::optional<double> Fig14Row::*ratio) {
  return [=](const Fig14Row& row) { return row.*ratio ? fixed(*(row.*ratio), 3) : Cell(); };
}

const TableOf<Fig14Row>& fig14Table() {
  using Row = Fig14Row;
  static const TableOf<Row> table{
      .name = "fig14",
      .title = "how tightly the spheres of every builder fit",
      .columns = {{"model", "", "a built-in name or a file's", &Row::model, onTerminal},
                  {"triangles", "", "of the model", &Row::triangles},
                  {"builder", "", "of the tree", &Row::builder, onTerminal},
                  {"level", "", "of spheres", &Row::level, onTerminal},
                  {"spheres", "", "of the level", &Row::spheres, onTerminal},
                  {"h_mean_m", "m", "H over the surface of each sphere",
                   significant(&Row::surfaceMean, 8)},
                  {"h_max_m", "m", "the same", significant(&Row::surfaceMax, 8)},
                  {"h_mean_ratio", "", "to the octree's same level",
                   ratioToOctree(&Row::surfaceMean, 5), onTerminal},
                  {"h_max_ratio", "", "the same", ratioToOctree(&Row::surfaceMax, 5), onTerminal},
                  {"policy_ratio", "",
                   "of medial trees: h_mean_m to that of levels that cover as a whole",
                   [](const Row&) { return Cell(); }},
                  {"paper_mean_ratio", "", "medial axis to octree, on a model of the same kind",
                   published(&Row::paperMeanRatio), onTerminal},
                  {"paper_max_ratio", "", "the same", published(&Row::paperMaxRatio), onTerminal},
                  {"ho_mean_m", "m", "H without what lies inside of the solid",
                   significant(&Row::outsideMean, 8)},
                  {"ho_max_m", "m", "the same", significant(&Row::outsideMax, 8)},
                  {"hb_mean_m", "m", "H over the whole ball", significant(&Row::ballMean, 8)},
                  {"hb_max_m", "m", "the same", significant(&Row::ballMax, 8)},
                  {"hw_m", "m", "mean by area of the least H at a point of the surface",
                   significant(&Row::areaWeighted, 8)},
                  {"hw_ratio", "", "to the octree's same level",
                   ratioToOctree(&Row::areaWeighted, 5), onTerminal},
                  {"uncovered_percent", "%", "of the surface, what no sphere holds",
                   [](const Row& row) { return fixed(100.0 * row.uncovered, 4); }},
                  {"separated_poses", "", "drawn", &Row::separatedPoses},
                  {"false_alarm_percent", "%", "of these, those whose spheres collide at the level",
                   fixed(&Row::falseAlarmPercent, 3), onTerminal},
                  {"contact_poses", "", "drawn", &Row::contactPoses},
                  {"missed_contacts", "", "of these, called separate at last", &Row::missedContacts,
                   onTerminal},
                  {"separated_us", "us", "wall time of a separated pair to its final answer",
                   fixed(&Row::separatedMicroseconds, 4), onTerminal},
                  {"contact_us", "us", "the same of one in contact",
                   fixed(&Row::contactMicroseconds, 4), onTerminal},
                  {"build_s", "s", "wall time of the whole tree", fixed(&Row::buildSeconds, 4),
                   onTerminal},
                  {"hd_mean_m", "m", "the paper's estimate of H by a dodecahedron",
                   significant(&Row::sampledMean, 8)},
                  {"hd_max_m", "m", "the same", significant(&Row::sampledMax, 8)},
                  {"hd_corrected_mean_m", "m", "the same with its correction of 0.64 radii",
                   significant(&Row::correctedMean, 8)},
                  {"hd_corrected_max_m", "m", "the same", significant(&Row::correctedMax, 8)},
                  {"hd_mean_ratio", "", "hd_mean_m to the octree's same level",
                   ratioToOctree(&Row::sampledMean, 5)},
                  {"hd_corrected_mean_ratio", "", "hd_corrected_mean_m to the octree's same level",
                   ratioToOctree(&Row::correctedMean, 5)}},
      .notes = {"the paper's figures are those of its own models, ours are of the same kind"},
      .figures = {{.title = "Accuracy of spheres by level",
                   .says = "Mean H to the octree's, beside the paper's medial axis",
                   .kind = "bars",
                   .x = "model",
                   .y = {"h_mean_ratio", "paper_mean_ratio"},
                   .by = {"level"},
                   .xLabel = "model",
                   .yLabel = "H / H of the octree",
                   .where = {{"builder", "medial"}}}}};
  return table;
}

struct BuiltTree {
  std::string_view builder;
  Shape shape;
  double seconds = 0.0;
};

Result<BuiltTree> build(const TreeKind& kind, const Shape& bare, const Fig14Command& command,
                        const std::string& model) {
  SphereTreeSettings settings;
  settings.levels = command.levels;
  settings.workers = command.workers;
  if (kind.change) kind.change(settings);
  const auto start = std::chrono::steady_clock::now();
  auto tree = runToEndWithProgressLine(
      fmt::format("building the {} tree of {}", kind.name, model), [&](BuildProgress& progress) {
        return buildSphereTree(*kind.builder, bare.polyhedron(), settings, &progress);
      });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!tree)
    return Error{tree.error().code,
                 fmt::format("{} of {}: {}", kind.name, model, tree.error().message)};
  auto shape = bare.with(*std::move(tree));
  if (!shape) return shape.error();
  return BuiltTree{kind.name, *std::move(shape), seconds.count()};
}

/// Measures the rows of one tree, without the octree's values.
std::vector<Fig14Row> measure(const BuiltTree& built, const PairPoses& poses,
                              const Fig14Command& command, const std::string& model) {
  const Polyhedron& polyhedron = built.shape.polyhedron();
  const auto measures = measureLevels(*built.shape.sphereTree(), polyhedron,
                                      fitMeasure(command.levels, command.workers, command.quick));
  const FalseAlarms alarms = countFalseAlarms(built.shape, poses);
  std::vector<Fig14Row> rows;
  for (std::size_t l = 1; l < measures.size(); ++l) {
    Fig14Row& row = rows.emplace_back();
    static_cast<SphereLevelMeasure&>(row) = measures[l];
    row.model = model;
    row.builder = built.builder;
    row.triangles = polyhedron.mesh().triangles.size();
    row.level = static_cast<int>(l);
    row.separatedPoses = poses.separated.size();
    if (row.separatedPoses > 0)
      row.falseAlarmPercent =
          100.0 * static_cast<double>(alarms.atLevel[l]) / static_cast<double>(row.separatedPoses);
    row.contactPoses = poses.touching.size();
    row.missedContacts = alarms.missed;
    row.separatedMicroseconds = alarms.separatedMicroseconds;
    row.contactMicroseconds = alarms.touchingMicroseconds;
    row.buildSeconds = built.seconds;
    for (const PaperRatios& paper : paperRatios)
      if (paper.model == model && l <= paper.mean.size()) {
        row.paperMeanRatio = paper.mean[l - 1];
        row.paperMaxRatio = paper.max[l - 1];
      }
  }
  return rows;
}

/// Adds the octree's values to each row; its rows start at `from`. Trees with fewer levels are
/// compared at the common levels.
void compareWithFirst(std::size_t from, std::size_t levels, std::vector<Fig14Row>& rows) {
  for (std::size_t i = from; i < rows.size(); ++i)
    rows[i].octree = rows[from + std::min(static_cast<std::size_t>(rows[i].level), levels) - 1];
}

/// Adds the rows of one model. Reports and skips trees that cannot be built; `failed` then gets the
/// exit code.
Result<Success> addModel(const std::string& nameOrFile, const Fig14Command& command,
                         std::vector<Fig14Row>& rows, int& failed) {
  auto ship = readShip(nameOrFile);
  if (!ship) return ship.error();
  auto prepared = makePolyhedron(std::move(ship->mesh));
  if (!prepared) return prepared.error();
  const Shape bare = Shape::of(*std::move(prepared));
  const std::size_t first = rows.size();
  std::size_t octreeLevels = 0;
  PairPoses poses;
  for (const TreeKind& kind : kindsOf(command)) {
    if (interrupted()) return experimentCancelled();
    const auto built = build(kind, bare, command, ship->name);
    if (!built) {
      if (octreeLevels == 0 || built.error().code == ErrorCode::Cancelled) return built.error();
      failed = complain(built.error(), ValidationFailed);
      continue;
    }
    if (octreeLevels == 0) poses = drawPairPoses(built->shape, command.quick ? 200 : 2000, 14);
    auto measured = measure(*built, poses, command, ship->name);
    if (octreeLevels == 0) octreeLevels = measured.size();
    std::move(measured.begin(), measured.end(), std::back_inserter(rows));
  }
  compareWithFirst(first, octreeLevels, rows);
  return Success{};
}

/// Prints means over the models, as in the paper's text.
void printMeans(const std::vector<Fig14Row>& rows, const Fig14Command& command) {
  fmt::print("means over the models\n");
  for (const TreeKind& kind : kindsOf(command))
    for (int level = 1; level <= command.levels; ++level) {
      double mean = 0.0, max = 0.0, alarms = 0.0, count = 0.0;
      for (const Fig14Row& row : rows)
        if (row.builder == kind.name && row.level == level) {
          mean += row.ratio(&Fig14Row::surfaceMean);
          max += row.ratio(&Fig14Row::surfaceMax);
          alarms += row.falseAlarmPercent;
          ++count;
        }
      if (count > 0.0)
        fmt::print("{:<10} {:>5}  {:<17} mean/o {:.3f}  max/o {:.3f}  alarms {:.2f} %\n", "", level,
                   kind.name, mean / count, max / count, alarms / count);
    }
}

/// One plot per measurement and model. The octree is the reference line; the paper's medial axis is
/// plotted next to the builders.
std::string drawFig14(const Table& table) {
  struct Metric {
    const char* title;
    const char* column;
    const char* paper;
  };
  constexpr std::array<Metric, 3> metrics{{{"mean H / octree", "h_mean_ratio", "paper_mean_ratio"},
                                           {"max H / octree", "h_max_ratio", "paper_max_ratio"},
                                           {"false alarms, %", "false_alarm_percent", nullptr}}};
  const std::vector<std::string> models = distinct(table, "model");
  std::vector<report::Plot> plots;
  for (const Metric& metric : metrics)
    for (const std::string& model : models) {
      TableFigure figure{.title = fmt::format("{}: {}", model, metric.title),
                         .kind = "bars",
                         .x = "level",
                         .y = {metric.column},
                         .by = {"builder"},
                         .yLabel = metric.title,
                         .where = {{"model", model}}};
      report::Plot& plot = plots.emplace_back(plotOf(table, figure));
      plot.values = true;
      for (std::string& level : plot.categories) level = "level " + level;
      if (!metric.paper) continue;
      std::erase_if(plot.series,
                    [](const auto& series) { return series.name == referenceBuilder; });
      plot.rules = {{"the octree", 1.0}};
      figure.y = {metric.paper};
      figure.by.clear();
      for (report::PlotSeries& paper : plotOf(table, figure).series) {
        paper.name = "the paper's medial axis";
        plot.series.push_back(std::move(paper));
      }
    }
  return report::plotSheet("Fit of sphere trees, level by level", std::move(plots), models.size());
}

/// Computes how much looser the other policies of coverage are than the paper's [H96 §9.1].
void finishFig14(ExperimentResult& result) {
  Table& table = result.table("fig14");
  const std::size_t ratio = table.column("policy_ratio");
  for (TableRow& row : table.rows) {
    if (!table.text(row, "builder").starts_with("medial")) continue;
    for (const TableRow& paper : table.rows)
      if (table.text(paper, "builder") == "medial+paper" &&
          table.text(paper, "model") == table.text(row, "model") &&
          table.text(paper, "level") == table.text(row, "level"))
        row.cells[ratio] =
            significant(table.number(row, "h_mean_m") / table.number(paper, "h_mean_m"), 5).text;
  }
}

int runFig14(const Fig14Command& command) {
  const std::vector<std::string> models = command.models.empty() ? paperModels() : command.models;
  ExperimentResult result = newResult("fig14", command,
                                      {{"models", settingText(command.models)},
                                       {"builders", settingText(command.builders)},
                                       {"levels", settingText(command.levels)}});
  result.items = models.size();
  if (const auto settled = beginExperiment(command, result)) return *settled;
  result.tables = {fig14Table().empty()};
  std::vector<Fig14Row> rows;
  int failed = Ok;
  Result<Success> done = Success{};
  for (std::size_t item = 0; item < models.size() && done; ++item) {
    if (!command.shard.has(item)) continue;
    const std::size_t first = rows.size();
    done = addModel(models[item], command, rows, failed);
    // Drop rows without the octree's values
    if (!done) rows.resize(first);
    for (std::size_t i = first; i < rows.size(); ++i)
      fig14Table().add(result.tables[0], item, rows[i]);
  }
  failed = std::max(failed, outcomeOf(done, BadModelOrScene));
  if (command.shard.whole()) finishFig14(result);
  print(result.tables[0]);
  printMeans(rows, command);
  if (rows.empty()) return writeResult(command, result, failed);
  return writeResult(command, result, failed, {{"fig14.svg", drawFig14(result.tables[0])}});
}

const ExperimentEntry fig14Entry(makeExperiment<Fig14Command>(
    "fig14", "accuracy and false alarms of every tree builder against the octree, level by level",
    "200 poses, coarser bounds", addOptions, runFig14, finishFig14));

}  // namespace
}  // namespace nearmiss::app::lab
