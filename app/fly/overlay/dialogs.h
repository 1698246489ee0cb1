// SPDX-License-Identifier: MIT
/// What stands in the middle of the window and may want an answer.
#pragma once

#include <nearmiss/build_progress.h>

#include <string>
#include <string_view>

namespace nearmiss::app {

class Ink;

enum class Answer : std::uint8_t { None, Yes, No };

/// Progress of loading: stage, share done, time; No when cancelling was clicked.
Answer drawLoading(const Ink& ink, float width, float height, std::string_view what,
                   const BuildProgress& progress, double elapsedSeconds);

/// A sentence that ends the program when it has been read; Yes when it was.
Answer drawFailure(const Ink& ink, float width, float height, const std::string& sentence);

/// "Leave?": Yes, No, or None yet.
Answer drawQuitQuestion(const Ink& ink, float width, float height);

}  // namespace nearmiss::app
