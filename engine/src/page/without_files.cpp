// SPDX-License-Identifier: MIT
/// What a page has in place of files, threads and zstd.

#include <engine/base/resources.h>
#include <engine/model/model_loader.h>
#include <engine/scene/toml_file.h>
#include <engine/session/session_player.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "page/page_models.h"
#include "scene/toml_parser.h"
#include "session/block_packing.h"
#include "session/session_models.h"

extern "C" {
/// Provided by the page: decompresses zstd; returns the number of bytes, or -1.
__attribute__((import_module("page"), import_name("decompress"))) std::int32_t
nearmiss_page_decompress(const char* packed, std::uint32_t size, char* out, std::uint32_t room);

/// Objects of a thread live as long as the module.
__attribute__((weak)) int __cxa_thread_atexit(void (*)(void*), void*, void*) noexcept { return 0; }
}

namespace nearmiss::engine {

std::optional<FilePath> resourceRoot() { return FilePath("nearmiss"); }

bool isSameFile(const FilePath& a, const FilePath& b) { return a == b; }

std::vector<std::string> builtInModels() {
  return {"lamp", "faucet", "rocket", "truck", "shuttle", "torus"};
}

Result<FilePath> findModel(const std::string& name) {
  const std::string file = name.find('.') == std::string::npos ? name + ".glb" : name;
  if (PageModels::all().hasShape(fileName(file))) return FilePath(file);
  return Error{ErrorCode::NotFound, fmt::format("this page has no model \"{}\"", name)};
}

Result<std::string> readTextFile(const FilePath& file, std::string_view kind, std::uintmax_t) {
  if (const std::string* text = PageModels::all().textOf(fileName(file.string()))) return *text;
  return Error{ErrorCode::NotFound,
               fmt::format("this page has no \"{}\", {}", file.string(), kind)};
}

// Names of models are those of the page already
void makePathsAbsolute(Scene&) {}
void findModels(Scene&, const FilePath&) {}

Result<toml::table> parsedTable(std::string_view text, const std::string& origin) {
  toml::parse_result parsed = toml::parse(text, std::string_view(origin));
  if (!parsed) return errorOf(parsed.error(), origin);
  return std::move(parsed).table();
}

std::optional<std::size_t> decompress(std::string_view packed, std::span<char> out) {
  const std::int32_t size =
      nearmiss_page_decompress(packed.data(), static_cast<std::uint32_t>(packed.size()), out.data(),
                               static_cast<std::uint32_t>(out.size()));
  if (size < 0) return std::nullopt;
  return static_cast<std::size_t>(size);
}

// There is one thread: snapshots are taken as the session is played
void SessionPlayer::EndScout::operator()(Scout*) const noexcept {}
void SessionPlayer::scoutAhead() {}
void SessionPlayer::awaitScout() {}
void SessionPlayer::collect() {}

}  // namespace nearmiss::engine
