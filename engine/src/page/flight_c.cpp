// SPDX-License-Identifier: MIT
#include <engine/page/flight_c.h>

#include <string>
#include <string_view>
#include <utility>

#include "page/page_flight.h"
#include "page/page_models.h"

using nearmiss::Error;
using nearmiss::Result;
using nearmiss::Success;
using nearmiss::engine::PageColumns;
using nearmiss::engine::PageFlight;
using nearmiss::engine::PageModels;

struct nearmiss_flight {
  std::unique_ptr<PageFlight> flight;
  std::string text;
};

namespace {

int status(const Result<Success>& result) {
  if (result) return 0;
  nearmiss::engine::pageError() = result.error().message;
  return -1;
}

nearmiss_flight* handle(Result<std::unique_ptr<PageFlight>> opened) {
  if (opened) return new nearmiss_flight{*std::move(opened), {}};
  nearmiss::engine::pageError() = opened.error().message;
  return nullptr;
}

/// Hands out rows, and their number if `count` is not null.
const double* handOut(const std::vector<double>& rows, std::string_view columns,
                      std::uint32_t* count) {
  if (count) *count = static_cast<std::uint32_t>(rows.size() / PageColumns::count(columns));
  return rows.data();
}

}  // namespace

extern "C" {

const char* nearmiss_page_error(void) { return nearmiss::engine::pageError().c_str(); }

int nearmiss_page_add_model(const char* name, const void* bytes, size_t size) {
  return status(PageModels::all().add(name, {static_cast<const std::byte*>(bytes), size}));
}

const char* nearmiss_page_columns(const char* kind) {
  const std::string_view columns = PageColumns::named(kind);
  return columns.empty() ? nullptr : columns.data();
}

nearmiss_flight* nearmiss_flight_open(const char* scene, size_t size, int shots) {
  return handle(PageFlight::open({scene, size}, shots != 0));
}

nearmiss_flight* nearmiss_flight_replay(const void* bytes, size_t size) {
  return handle(PageFlight::replay({static_cast<const char*>(bytes), size}));
}

void nearmiss_flight_close(nearmiss_flight* flight) { delete flight; }

const char* nearmiss_flight_about(nearmiss_flight* flight) {
  return flight->flight->about().c_str();
}

double* nearmiss_flight_input(nearmiss_flight* flight) { return &flight->flight->input().thrust; }

int nearmiss_flight_set_method(nearmiss_flight* flight, const char* narrow) {
  return status(flight->flight->setMethod(narrow));
}

int nearmiss_flight_step(nearmiss_flight* flight, double dt, double budget_us, int counted) {
  return status(flight->flight->step(dt, budget_us, counted != 0));
}

int nearmiss_flight_seek(nearmiss_flight* flight, uint32_t frame) {
  return status(flight->flight->seek(frame));
}

const double* nearmiss_flight_bodies(nearmiss_flight* flight, uint32_t* count) {
  return handOut(flight->flight->bodies(), PageColumns::bodies, count);
}

const double* nearmiss_flight_pairs(nearmiss_flight* flight, uint32_t* count) {
  return handOut(flight->flight->pairs(), PageColumns::pairs, count);
}

const double* nearmiss_flight_collisions(nearmiss_flight* flight, uint32_t* count) {
  return handOut(flight->flight->collisions(), PageColumns::collisions, count);
}

const double* nearmiss_flight_statistics(nearmiss_flight* flight) {
  return flight->flight->statistics().data();
}

const double* nearmiss_flight_spheres(nearmiss_flight* flight, uint32_t shape, int level,
                                      uint32_t* count) {
  if (shape >= flight->flight->shapes().shapes().size()) {
    if (count) *count = 0;
    return nullptr;
  }
  return handOut(flight->flight->spheres(shape, level), PageColumns::spheres, count);
}

const double* nearmiss_flight_contact(nearmiss_flight* flight, uint32_t pair, uint32_t* count) {
  return handOut(flight->flight->contact(pair), PageColumns::contact, count);
}

const double* nearmiss_flight_distance(nearmiss_flight* flight, uint32_t a, uint32_t b) {
  return flight->flight->distance(a, b).data();
}

uint64_t nearmiss_flight_hash(nearmiss_flight* flight) { return flight->flight->hash(); }

const char* nearmiss_flight_difference(nearmiss_flight* flight) {
  flight->text = flight->flight->difference();
  return flight->text.c_str();
}

}  // extern "C"
