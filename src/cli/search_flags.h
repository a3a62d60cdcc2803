// The options of `search`: as they are written, and what they mean.
//
//   search -e -foo -g '!*_test.cc' src   ->   {.pattern = "-foo", .path = "src",
//                                               .exclude_glob = {"*_test.cc"}}
//
// A new option is a line in Define(). If it means the same as a field of the
// request, it is bound to that field. If several words have one meaning
// together, they are members here, and Resolve() puts their meaning into the
// request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/printer.h"
#include "forge/search.h"

namespace forge::cli {

struct SearchFlags {
  SearchRequest request;
  ColorChoice color = ColorChoice::kAuto;

  // As written.
  std::optional<std::string> first;   // PATTERN; with -e, PATH
  std::optional<std::string> second;  // PATH
  std::vector<std::string> patterns;  // -e
  std::vector<std::string> globs;
  bool no_recursive = false;

  void Define(Options& options);
  std::optional<UsageError> Resolve();

 private:
  void DefinePattern(Options& options);
  void DefineScope(Options& options);
  void DefineOutput(Options& options);
  std::optional<UsageError> ResolvePattern();
};

// What to do instead of an option of grep or ripgrep that `search` lacks.
std::optional<UsageError> AdviceForForeignOption(const std::string& option);

}  // namespace forge::cli
