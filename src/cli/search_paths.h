// Where `search` looks, and what it calls what it finds.
//
// People may search every folder that they may read: the sandbox is for agents.
// Only --root and allowed_roots confine a search. Printed paths begin with what
// the user wrote, so that they can be opened from the current folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "forge/config.h"

namespace forge::cli {

struct SearchPlace {
  bool is_input = false;  // standard input
  std::string path;       // of the request
  std::optional<std::string> show_as;
  bool is_file = false;  // named by the user, not found in a folder
};

struct SearchPlaces {
  std::vector<SearchPlace> list;
  std::vector<std::string> missing;  // as written
  std::vector<std::string> roots;    // for the engine
  std::string working_dir;           // for the engine
  bool one_file = false;             // whose name need not be printed
};

struct PlaceSources {
  std::vector<std::string> paths;  // as written
  bool input_by_default = false;   // if no path is written
};

SearchPlaces FindPlaces(const PlaceSources& sources, const GlobalOptions& global, const SandboxConfig& sandbox);

}  // namespace forge::cli
