// SPDX-License-Identifier: MIT
/// What a block of a session file holds, one item after the other, as bytes.
#pragma once

#include <engine/session/session.h>

#include <string>
#include <string_view>

#include "session/packed_bytes.h"

namespace nearmiss::engine {

enum class SessionItem : std::uint8_t { Scene = 1, Frame = 2 };

/// Of the first scene, `head` too; else it is empty.
void appendScene(const SessionScene& scene, const RecordHead& head, std::string& out);
/// `before` is the frame before in the same block, of which only differences are written; of the
/// first an empty one.
void appendFrame(const SessionFrame& frame, const SessionInput& before, std::string& out);

/// The next item's bytes, after its first, which says what it is. False: they make no sense.
bool readScene(PackedReader& from, SessionScene& scene, RecordHead& head);
bool readFrame(PackedReader& from, const SessionInput& before, SessionFrame& frame);

}  // namespace nearmiss::engine
