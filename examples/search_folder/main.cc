// Searches a folder and prints matches as they come:
//
//   search_folder FOLDER PATTERN
//
// Ctrl-C stops the search. Exit status: 0 found, 1 nothing found, 2 an error.
#include <csignal>
#include <cstdio>
#include <iostream>

#include "forge/engine.h"

namespace {

forge::CancelSource stop;

int Fail(const forge::Error& error) {
  std::fprintf(stderr, "search_folder: %s\n", error.message.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return Fail(forge::BadArgs("usage: search_folder FOLDER PATTERN"));
  std::signal(SIGINT, [](int) { stop.Cancel(); });  // safe in a signal handler

  auto engine = forge::Engine::Create({.roots = {argv[1]}});
  if (!engine) return Fail(engine.error());

  const auto print = [](const forge::Event& event) {
    std::cout << event.path << ':' << event.line_number << ':' << event.line << std::endl;
  };
  const auto answer = (*engine)->Search({.pattern = argv[2]}, {.cancel = stop.token(), .on_event = print});
  if (!answer) return Fail(answer.error());

  // What was not searched is part of the answer.
  for (const forge::FileError& e : answer->errors) std::fprintf(stderr, "%s: %s\n", e.path.c_str(), e.error.c_str());
  for (const std::string& note : answer->notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  return answer->matches.empty() ? 1 : 0;
}
