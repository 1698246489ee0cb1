// SPDX-License-Identifier: MIT
/// `nearmiss lab coherence`: two bodies that pass each other closely, frame by frame, with and
/// without the results of earlier frames [H96 §12; LC91].
#include <engine/model/model_loader.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/narrow_phases.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "console/order_statistics.h"
#include "console/progress_line.h"
#include "lab/experiment.h"
#include "lab/models.h"
#include "lab/pair_poses.h"
#include "lab/random_cubes.h"
#include "options/option_checks.h"

namespace nearmiss::app::lab {
namespace {

/// Motion per frame, relative to the radius.
constexpr std::array<double, 4> motionShares{0.001, 0.01, 0.03, 0.1};
constexpr int framesOfPassage = 64;
constexpr int coherenceQuickPassages = 6;

struct CoherenceCommand : ExperimentCommand {
  std::vector<std::string> models{"truck", "lamp", "propeller", "gripper"};
  std::vector<std::string> methods{"sphere-tree", "lin-canny"};
  int passages = 60;  ///< per model, past itself, and speed
  int rounds = 5;
  std::uint64_t seed = 1;
};

void addOptions(OptionList& options, CoherenceCommand& command) {
  options.names("--model", command.models, {}, "models of the lab or files");
  options.names("--narrow", command.methods, namesOf(narrowPhaseCatalog()), "methods to compare");
  options.number("--passages", command.passages, 1, 100'000, "close passages at each speed");
  options.rounds(command.rounds);
  options.seed(command.seed, "seed of the passages");
}

struct CoherenceRow {
  std::string model, method;
  double share = 0.0;
  std::size_t frames = 0, exact = 0, differing = 0;
  /// Microseconds per frame: mean over all frames, and over those that reached the triangles, if
  /// any.
  double with = 0.0, without = 0.0, exactWith = NAN, exactWithout = NAN;
  double ratio = 0.0, exactRatio = NAN;  ///< without / with: medians over the rounds
};

const TableOf<CoherenceRow>& coherenceTable() {
  using Row = CoherenceRow;
  static const TableOf<Row> table{
      .name = "coherence",
      .title = "detection with coherence between frames, and without",
      .columns = {{"model", "", "past itself", &Row::model, onTerminal},
                  {"method", "", "narrow phase", &Row::method, onTerminal},
                  {"motion_percent", "%", "of a frame, of the radius",
                   [](const Row& row) { return shortest(100.0 * row.share); }, onTerminal},
                  {"frames", "", "compared", &Row::frames},
                  {"exact_frames", "", "in which triangles were compared", &Row::exact, onTerminal},
                  {"differing", "", "frames of all rounds in which the answers differ",
                   &Row::differing, onTerminal},
                  {"with_us", "us", "a frame, with coherence, mean", fixed(&Row::with, 3),
                   onTerminal},
                  {"without_us", "us", "the same without", fixed(&Row::without, 3), onTerminal},
                  {"ratio", "", "without / with, median of the rounds", fixed(&Row::ratio, 3),
                   onTerminal},
                  {"exact_with_us", "us", "frames that came to the triangles, with coherence",
                   fixed(&Row::exactWith, 3)},
                  {"exact_without_us", "us", "the same without", fixed(&Row::exactWithout, 3)},
                  {"exact_ratio", "", "without / with of these, median of the rounds",
                   fixed(&Row::exactRatio, 3), onTerminal}},
      .notes = {"passages begin near the place where the exact verdict changes; both kinds fly the "
                "same frames in turn, passage by passage"},
      .figures = {{.title = "What coherence saves",
                   .says = "Time without coherence to time with it, in frames that come to the "
                           "triangles, by how far a body moves in a frame",
                   .kind = "lines",
                   .x = "motion_percent",
                   .y = {"exact_ratio"},
                   .by = {"method", "model"},
                   .log = "x",
                   .xLabel = "motion of a frame, % of the radius",
                   .yLabel = "time without / with"}}};
  return table;
}

/// One passage: the second body's pose in each frame.
using Passage = std::vector<Pose>;

/// Poses along uniform motions through configurations close to contact.
std::vector<Passage> drawPassages(const Shape& shape, double share,
                                  const CoherenceCommand& command) {
  SplitMix random(command.seed * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(1e6 * share));
  const auto direction = [&random] { return drawDirection(random); };
  PairComparison comparison(shape);
  const auto touches = [&comparison](const Pose& pose) {
    return comparison.refine(pose, [](const Refinement&) {}) == Verdict::Contact;
  };
  std::vector<Passage> passages;
  while (passages.size() < static_cast<std::size_t>(command.passages)) {
    // Bisect for the configuration where the verdict changes
    Pose pose{Vec3(0.0), glm::angleAxis(random.between(0.0, 3.0), direction())};
    const Vec3 way = direction();
    Real near = 0.0, far = 2.0 * shape.radius();
    for (int i = 0; i < 12; ++i) {
      pose.position = 0.5 * (near + far) * way;
      (touches(pose) ? near : far) = 0.5 * (near + far);
    }
    // Fly past it
    const Vec3 step = share * shape.radius() * direction();
    const Quat turn = glm::angleAxis(0.5 * share, direction());
    Passage& passage = passages.emplace_back();
    pose.position = far * way - step * Real{framesOfPassage / 2};
    for (int frame = 0; frame < framesOfPassage; ++frame) {
      passage.push_back(pose);
      pose.position += step;
      pose.rotation = glm::normalize(turn * pose.rotation);
    }
  }
  return passages;
}

/// A method that refines one pair to the end, and its time in each frame.
struct TimedPhase {
  explicit TimedPhase(std::unique_ptr<NarrowPhase> phase) : narrow(std::move(phase)) {}

  std::unique_ptr<NarrowPhase> narrow;
  std::vector<double> microseconds;
  std::vector<Refinement> answers;

  void clear() noexcept {
    microseconds.clear();
    answers.clear();
  }

  void fly(const Passage& passage, ShapeRef shape, std::uint32_t key) {
    std::array<BodyState, 2> bodies;
    for (BodyState& body : bodies) body.shape = shape;
    bodies[0].key = 2 * key;
    bodies[1].key = 2 * key + 1;
    const std::array<BodyPair, 1> pairs{{{0, 1}}};
    for (const Pose& pose : passage) {
      bodies[1].pose = pose;
      const auto began = std::chrono::steady_clock::now();
      narrow->begin(bodies, pairs);
      while (narrow->mayRefine(0, Detector::noLevelCap)) narrow->refine(0, TimeBudget::unlimited());
      const std::chrono::duration<double, std::micro> spent =
          std::chrono::steady_clock::now() - began;
      microseconds.push_back(spent.count());
      answers.push_back(narrow->result(0));
    }
  }
};

/// Ignores which of several intersecting triangle pairs is reported.
bool sameAnswer(const Refinement& p, const Refinement& q) noexcept {
  return p.verdict == q.verdict && p.stage == q.stage && p.level == q.level &&
         p.separationBound == q.separationBound && p.deepest.a.centre == q.deepest.a.centre &&
         p.deepest.b.centre == q.deepest.b.centre && p.byInnerSpheres == q.byInnerSpheres;
}

/// One round: both methods fly every passage, in turn.
void flyRound(const std::vector<Passage>& passages, ShapeRef shape, int round, TimedPhase& with,
              TimedPhase& without) {
  for (std::size_t i = 0; i < passages.size(); ++i) {
    // New keys, so that nothing is cached for these bodies
    const auto key =
        static_cast<std::uint32_t>(i + passages.size() * static_cast<std::size_t>(round));
    const bool first = (i + static_cast<std::size_t>(round)) % 2 == 0;
    (first ? with : without).fly(passages[i], shape, key);
    (first ? without : with).fly(passages[i], shape, key);
  }
}

CoherenceRow measurePassages(const LabModel& model, const Shape& shape, std::string_view method,
                             double share, const CoherenceCommand& command) {
  CoherenceRow row;
  row.model = model.name;
  row.method = method;
  row.share = share;
  const auto passages = drawPassages(shape, share, command);
  std::vector<double> ratios, exactRatios;
  Shapes shapes;
  const ShapeRef ref = shapes.add(shape);
  TimedPhase with(findNarrowPhase(method)->make(shapes));
  TimedPhase without(findNarrowPhase(method)->make(shapes));
  with.narrow->setCoherence(true);
  for (int round = 0; round < command.rounds && !interrupted(); ++round) {
    with.clear();
    without.clear();
    flyRound(passages, ref, round, with, without);
    double own = 0.0, others = 0.0, exactOwn = 0.0, exactOthers = 0.0;
    std::size_t exact = 0;
    for (std::size_t i = 0; i < with.answers.size(); ++i) {
      own += with.microseconds[i];
      others += without.microseconds[i];
      row.differing += !sameAnswer(with.answers[i], without.answers[i]);
      if (without.answers[i].stage != Stage::Exact) continue;
      ++exact;
      exactOwn += with.microseconds[i];
      exactOthers += without.microseconds[i];
    }
    row.frames = with.answers.size();
    row.exact = exact;
    const auto frames = static_cast<double>(row.frames), exacts = static_cast<double>(exact);
    row.with = own / frames;
    row.without = others / frames;
    ratios.push_back(others / own);
    if (exact == 0) continue;
    row.exactWith = exactOwn / exacts;
    row.exactWithout = exactOthers / exacts;
    exactRatios.push_back(exactOthers / exactOwn);
  }
  row.ratio = median(ratios);
  if (!exactRatios.empty()) row.exactRatio = median(exactRatios);
  return row;
}

Result<Success> addModel(const LabModel& model, const CoherenceCommand& command,
                         std::vector<CoherenceRow>& rows) {
  ShapeSettings settings;
  settings.treeBuilder = defaultSphereTreeBuilder;
  auto shape = runToEndWithProgressLine(
      fmt::format("building the tree of {}", model.name),
      [&](BuildProgress& progress) { return makeShape(model.mesh, settings, &progress); });
  if (!shape) return shape.error();
  for (const std::string& method : command.methods)
    for (const double share : motionShares) {
      rows.push_back(measurePassages(model, *shape, method, share, command));
      if (interrupted()) return experimentCancelled();
    }
  return Success{};
}

int runCoherence(const CoherenceCommand& requested) {
  CoherenceCommand command = requested;
  if (command.quick) {
    command.passages = std::min(command.passages, coherenceQuickPassages);
    command.rounds = 1;
    command.models.resize(1);
  }
  ExperimentResult result = newResult("coherence", command,
                                      {{"seed", settingText(command.seed)},
                                       {"models", settingText(command.models)},
                                       {"methods", settingText(command.methods)},
                                       {"passages", settingText(command.passages)},
                                       {"rounds", settingText(command.rounds)}});
  if (const auto settled = beginExperiment(command, result)) return *settled;
  std::vector<CoherenceRow> rows;
  const auto measure = [&](const LabModel& model, std::vector<CoherenceRow>& found) {
    return addModel(model, command, found);
  };
  const int outcome =
      measureModels(command.models, command, result, coherenceTable(), rows, measure);
  if (outcome != Ok && rows.empty()) return outcome;
  print(result.tables[0]);
  const bool differ =
      std::ranges::any_of(rows, [](const CoherenceRow& row) { return row.differing > 0; });
  return writeResult(command, result, differ ? ValidationFailed : outcome);
}

const ExperimentEntry coherenceEntry(makeExperiment<CoherenceCommand>(
    "coherence",
    "coherence between frames, compared with a new start in each frame: time and answers",
    "one model, six passages, one round", addOptions, runCoherence));

}  // namespace
}  // namespace nearmiss::app::lab
