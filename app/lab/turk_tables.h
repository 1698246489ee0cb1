// SPDX-License-Identifier: MIT
/// The tables of `lab turk`.
#pragma once

#include <cstddef>

#include "lab/lab_result.h"
#include "lab/turk.h"

namespace nearmiss::app {

/// Adds the tables to the result, without rows.
void addTurkTables(LabResult& result);
/// @param grid what Turk's grid did in the same run
void addTurkRow(LabResult& result, std::size_t item, const TurkRecord& record,
                const TurkRecord& grid);
void addTurkFrames(LabResult& result, std::size_t item, const TurkFrames& frames);

}  // namespace nearmiss::app
