// How far a long operation has got.
//
//   engine.Search(request, {.cancel = token, .on_progress = [](const forge::Progress& p) { ... }});
//
// `done` never falls; `total` is set once it is known.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace forge {

struct Progress {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total = {};
  std::string_view what = "";  // "files searched"
};

// Called often, perhaps for each file: a receiver that does more than store the
// value should skip some calls. Called by one thread at a time.
using ProgressSink = std::function<void(const Progress&)>;

}  // namespace forge
