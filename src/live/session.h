// One run of `live`: from the first screen until the user leaves.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "forge/engine.h"
#include "live/screen.h"
#include "live/searcher.h"

namespace forge::live {

struct Session {
  Engine& engine;
  Screen& screen;
  int input = 0;          // the descriptor that becomes readable with a key
  SearchRequest request;  // how the search starts
  AnswerLimits limits;
  std::vector<Place> places;
  std::string folder;  // that the names of found files start from; "": the current one
  std::function<std::vector<std::string>(const SearchResponse&)> notes;  // what the user must know about a search
  Environment environment;
  CancelToken stop;

  void Run() const;
};

}  // namespace forge::live
