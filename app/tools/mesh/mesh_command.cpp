// SPDX-License-Identifier: MIT
#include "tools/mesh/mesh_command.h"

#include <engine/base/threads.h>
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/progress_line.h"
#include "options/option_checks.h"

namespace nearmiss::app::mesh {
namespace {

struct CheckedFile {
  TriangleMesh mesh;  ///< as in the file
  Real weldDistance = 0.0;
  std::vector<std::string> notes;
  MeshFaults faults;
};

/// Reads a mesh with its original triangles. For formats read by assimp, degenerate and duplicate
/// triangles are removed, and windings are repaired.
Result<TriangleMesh> readTriangles(const std::filesystem::path& path, CheckedFile& file,
                                   const std::atomic<bool>& cancelled) {
  MeshFileLimits limits;
  limits.maxFileBytes *= 16;
  if (isMeshFile(path)) {
    auto read = readMeshFile(path, limits);
    if (!read) return read.error();
    file.notes = std::move(read->notes);
    return std::move(read->mesh);
  }
  auto loaded = engine::loadModel(path, {.targetRadius = 0.0, .weldDistance = 0.0}, cancelled);
  if (!loaded) return loaded.error();
  return std::move(loaded->mesh);
}

Result<CheckedFile> check(const MeshCheckCommand& command, const std::filesystem::path& path,
                          const std::atomic<bool>& cancelled) {
  CheckedFile file;
  auto mesh = readTriangles(path, file, cancelled);
  if (!mesh) return mesh.error();
  file.mesh = *std::move(mesh);
  MeshCheckSettings settings;
  settings.workers = engine::threadCount(command.jobs);
  settings.weldDistance = command.weld.value_or(usualWeldDistance(file.mesh, settings.workers));
  settings.selfIntersections = !command.noSelfIntersections;
  file.weldDistance = settings.weldDistance;
  auto faults = findMeshFaults(file.mesh, settings, &cancelled);
  if (!faults) return refusal(path, faults.error().code, faults.error().message);
  file.faults = *std::move(faults);
  return file;
}

// One row of the table per kind of fault. Faults are located by coordinates, because reading an OBJ
// does not preserve the numbers of its vertices.

std::string placeOf(const Vec3& p) { return fmt::format("({:.6g} {:.6g} {:.6g})", p.x, p.y, p.z); }
std::string textOf(const TriangleMesh&, const std::array<std::uint32_t, 2>& triangles) {
  return fmt::format("{} {}", triangles[0], triangles[1]);
}
std::string textOf(const TriangleMesh& mesh, const MeshFaults::Edge& edge) {
  return fmt::format("{} {}-{}", edge.triangle, placeOf(mesh.positions[edge.vertices[0]]),
                     placeOf(mesh.positions[edge.vertices[1]]));
}
std::string textOf(const TriangleMesh&, std::uint32_t triangle) { return std::to_string(triangle); }
std::string textOf(const TriangleMesh&, const Vec3& place) { return placeOf(place); }

/// Prints name and number of faults, and the first one or all, one per line.
template <class Fault>
void printRow(std::string_view name, std::string_view what, const CheckedFile& file,
              const std::vector<Fault>& faults, bool all) {
  constexpr std::size_t few = std::is_same_v<Fault, MeshFaults::Edge> ? 2 : 4;
  std::string row = fmt::format("{:<24} {:>9}", name, faults.size());
  const std::size_t shown = all ? 0 : std::min(few, faults.size());
  for (std::size_t i = 0; i < shown; ++i)
    row += (i == 0 ? fmt::format("  {} ", what) : ", ") + textOf(file.mesh, faults[i]);
  if (shown > 0 && shown < faults.size()) row += ", ...";
  row += '\n';
  if (all)
    for (const Fault& fault : faults)
      row += fmt::format("  {} {}\n", what, textOf(file.mesh, fault));
  fmt::print("{}", row);
}

std::vector<Vec3> placesOf(const CheckedFile& file) {
  std::vector<Vec3> places;
  for (const std::uint32_t v : file.faults.nonManifoldVertices)
    places.push_back(file.mesh.positions[v]);
  return places;
}

void printTable(const MeshCheckCommand& command, const CheckedFile& file) {
  const MeshFaults& faults = file.faults;
  const MeshReport& report = faults.report;
  fmt::print("{:<24} {:>9}\n", "triangles", file.mesh.triangles.size());
  fmt::print("{:<24} {:>9}  {} welded within {:.3g}\n", "vertices", file.mesh.positions.size(),
             faults.cleaning.weldedVertices, file.weldDistance);
  fmt::print("{:<24} {:>9}\n", "components", report.components);
  if (report.closed()) fmt::print("{:<24} {:>9.6g}\n", "volume", report.volume);
  if (report.selfIntersectionsCounted)
    printRow("self-intersections", "triangles", file, faults.selfIntersections, command.all);
  else
    fmt::print("{:<24} not looked for\n", "self-intersections");
  printRow("boundary edges", "triangle", file, faults.boundaryEdges, command.all);
  printRow("non-manifold edges", "triangle", file, faults.nonManifoldEdges, command.all);
  printRow("misoriented edges", "triangle", file, faults.misorientedEdges, command.all);
  printRow("non-manifold vertices", "at", file, placesOf(file), command.all);
  fmt::print("{:<24} {:>9}\n", "pieces facing wrong", report.misorientedComponents);
  printRow("degenerate triangles", "triangle", file, faults.degenerateTriangles, command.all);
  printRow("duplicate triangles", "triangle", file, faults.duplicateTriangles, command.all);
  std::string why = "yes";
  if (!report.solid()) why = fmt::format("no: {}", fmt::join(solidFaults(report), ", "));
  fmt::print("{:<24} {}\n", "solid", why);
}

nlohmann::json listOf(const Vec3& p) { return nlohmann::json{p.x, p.y, p.z}; }

nlohmann::json listOf(const CheckedFile& file, const std::vector<MeshFaults::Edge>& edges) {
  nlohmann::json list = nlohmann::json::array();
  for (const MeshFaults::Edge& edge : edges)
    list.push_back({{"triangle", edge.triangle},
                    {"from", listOf(file.mesh.positions[edge.vertices[0]])},
                    {"to", listOf(file.mesh.positions[edge.vertices[1]])}});
  return list;
}

nlohmann::json listOf(const std::vector<Vec3>& places) {
  nlohmann::json list = nlohmann::json::array();
  for (const Vec3& place : places) list.push_back(listOf(place));
  return list;
}

/// Prints all lists completely, for programs.
void printJson(const CheckedFile& file) {
  const MeshFaults& faults = file.faults;
  const MeshReport& report = faults.report;
  nlohmann::ordered_json out;
  out["solid"] = report.solid();
  out["why_not"] = solidFaults(report);
  out["triangles"] = file.mesh.triangles.size();
  out["vertices"] = file.mesh.positions.size();
  out["weld_distance"] = file.weldDistance;
  out["welded_vertices"] = faults.cleaning.weldedVertices;
  out["components"] = report.components;
  out["misoriented_components"] = report.misorientedComponents;
  if (report.closed()) out["volume"] = report.volume;
  if (report.selfIntersectionsCounted) out["self_intersections"] = faults.selfIntersections;
  out["boundary_edges"] = listOf(file, faults.boundaryEdges);
  out["non_manifold_edges"] = listOf(file, faults.nonManifoldEdges);
  out["misoriented_edges"] = listOf(file, faults.misorientedEdges);
  out["non_manifold_vertices"] = listOf(placesOf(file));
  out["degenerate_triangles"] = faults.degenerateTriangles;
  out["duplicate_triangles"] = faults.duplicateTriangles;
  fmt::print("{}\n", out.dump());
}

}  // namespace

void addMeshCommands(CLI::App& app, MeshCheckCommand& command) {
  CLI::App* mesh = app.add_subcommand("mesh", "check meshes: what keeps a file from being a solid");
  mesh->require_subcommand(1);
  CLI::App* check = mesh->add_subcommand(
      "check",
      "list triangles that intersect, open edges and other faults; exit code 4 if the mesh is not "
      "a solid");
  check->add_option("FILE", command.model, "a mesh file or a built-in name")->required();
  check->add_flag("--all", command.all, "print every fault, not the first few");
  check->add_flag("--json", command.json, "print all faults as JSON instead of a table");
  check
      ->add_option("--weld", command.weld,
                   "vertices nearer than this count as one, in the unit of the file; default: a "
                   "millionth of the radius")
      ->check(numberFrom(0.0, 1e15));
  check->add_flag("--no-self-intersections", command.noSelfIntersections,
                  "do not look for triangles that intersect, which takes most of the time");
  check
      ->add_option("--jobs", command.jobs,
                   "threads; default: one per core; the result does not depend on them")
      ->transform(wholeFrom(1, 1024));
  check->footer(
      "Triangles are numbered from 0 in the order of the file; a polygon is cut into several. "
      "Edges "
      "are given by their first triangle and their ends.\nDegenerate and duplicate triangles are "
      "ignored when the file is loaded, so they are listed but are no faults.");
}

int checkMeshFile(const MeshCheckCommand& command) {
  const auto path = engine::findModel(command.model);
  if (!path) return complain(path.error(), BadModelOrScene);
  watchForInterrupts();
  const auto checked = runWithProgressLine(
      fmt::format("checking {}", command.model),
      [&](BuildProgress& progress) { return check(command, *path, progress.cancelled); });
  if (!checked) return complain(checked.error(), BadModelOrScene);
  for (const std::string& note : checked->notes)
    complain(fmt::format("\"{}\": {}", path->string(), note));
  if (command.json)
    printJson(*checked);
  else
    printTable(command, *checked);
  if (checked->faults.report.solid()) return Ok;
  complain(fmt::format("\"{}\": {}", command.model, describe(checked->faults.report)));
  return ValidationFailed;
}

}  // namespace nearmiss::app::mesh
