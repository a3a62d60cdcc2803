// Makes one Config from flags, environment, file and defaults.
//
// Highest first (R9):
//   1. --set SECTION.KEY=VALUE, --backend NAME
//   2. FORGE_SEARCH_<KEY>, for the keys of [tools.search]; FORGE_SERVER, for
//      server.mode
//   3. one file: --config or $FORGE_CONFIG, which must exist; else
//      ~/.forge/config.toml; else $XDG_CONFIG_HOME/forge/config.toml. HOME and
//      XDG_CONFIG_HOME count only if they are absolute
//   4. the profile of the command (R8)
//
// It never reads anything from the searched tree: an untrusted repository must
// not be able to choose a program, a root or a deny list.
//
// A wrong type or range is an error even if a higher layer overrides the value.
// An unknown key is a warning, so that one file can serve two versions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "config/keys.h"
#include "forge/config.h"
#include "forge/result.h"

namespace forge::config {

// The values of keys that no source sets (R8). Answers are the same with every
// backend and with every index, so only speed and limits differ.
enum class Profile {
  kSpecification,  // `call`, `schema`, the library: the defaults in forge/config.h
  kRecommended,    // `mcp`, `ask`, `index`: what the keys recommend
  kPeople,         // `search`: the same, and no limit on answers
};

struct Sources {
  std::string file = "";               // --config; "": not given
  std::vector<std::string> sets = {};  // --set, in order
  std::string backend = "";            // --backend: this one and no fallback (R6)
  Environment environment = {};
  Profile profile = Profile::kSpecification;
};

// Where a value is from.
struct Origin {
  enum class Layer { kDefault, kFile, kEnvironment, kFlag };
  Layer layer = Layer::kDefault;
  // For people: "default", "FILE:LINE:COLUMN", "environment NAME", "--set" or
  // "--backend".
  std::string text = "default";

  friend bool operator==(const Origin&, const Origin&) = default;
};

struct Loaded {
  Config config;
  std::vector<Origin> origins;  // one for each of Keys()
  std::vector<std::string> warnings;
  std::string file;  // "" if none was read
};

// Errors are ExecutionFailed.
Result<Loaded> Load(const Sources& sources);

// ~/.forge/config.toml; "" without an absolute HOME.
std::string HomeFile(const Environment& environment);

}  // namespace forge::config
