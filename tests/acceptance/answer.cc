#include "tests/acceptance/answer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <sstream>

#include "tests/testing/places.h"

namespace forge::testing {
namespace {

// A home with nothing in it, one for each test process.
const TempTree& EmptyHome() {
  static const TempTree home;
  return home;
}

// "off", unless FORGE_TEST_SERVER lets a shared server answer.
std::string TestServerMode() {
  const char* mode = std::getenv("FORGE_TEST_SERVER");
  return mode != nullptr ? mode : "off";
}

// Ends the server that the first search has started, at the end of the tests.
struct ServerEnd {
  ~ServerEnd() {
    if (TestServerMode() != "off") RunProgram(ForgeSearch({"serve", "--stop"}));
  }
};

}  // namespace

std::vector<std::string> TestBackends() {
  const char* names = std::getenv("FORGE_TEST_BACKENDS");
  std::istringstream words(names != nullptr ? names : "ugrep rg native");
  return {std::istream_iterator<std::string>(words), {}};
}

Answer::Answer(Ended ended) : ended_(std::move(ended)), json_(ended_.out) {
  EXPECT_FALSE(ended_.overran) << "the program did not end in time";
  EXPECT_EQ(ended_.signal, 0) << ended_.err;
  EXPECT_TRUE(json_.valid()) << "not one JSON document: " << ended_.out.substr(0, 2000) << ended_.err;
}

std::vector<std::string> Answer::events() const {
  std::vector<std::string> events;
  for (std::size_t i = 0; i < json_.Size("/matches"); ++i) {
    const std::string event = "/matches/" + std::to_string(i);
    const std::string data = event + "/data";
    const bool match = json_.Text(event + "/type") == "match";
    const std::string bar = match ? ":" : "-";
    std::string line = json_.Text(data + "/path/text") + bar + json_.At(data + "/line_number") + bar;
    if (match) line += json_.At(data + "/column") + ":";
    line += json_.Text(data + "/lines/text");
    if (match) line += "|" + json_.Text(data + "/match_text");
    events.push_back(line);
  }
  return events;
}

std::vector<std::string> Answer::files() const {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < json_.Size("/matches"); ++i) {
    const std::string path = json_.Text("/matches/" + std::to_string(i) + "/data/path/text");
    if (files.empty() || files.back() != path) files.push_back(path);
  }
  return files;
}

std::vector<std::string> Answer::errors() const {
  std::vector<std::string> errors;
  for (std::size_t i = 0; i < json_.Size("/errors"); ++i) {
    const std::string entry = "/errors/" + std::to_string(i);
    errors.push_back(json_.Text(entry + "/path") + ": " + json_.Text(entry + "/error"));
  }
  return errors;
}

int Answer::files_scanned() const {
  const std::string value = json_.At("/files_scanned");
  return value.empty() ? -1 : std::stoi(value);
}

std::string Ask(std::string_view pattern, std::string_view fields) {
  return "{\"pattern\":" + Quoted(pattern) + (fields.empty() ? "" : ",") + std::string(fields) + "}";
}

std::string Repeat(std::size_t times, std::string_view text) {
  std::string out;
  out.reserve(times * text.size());
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

Command ForgeSearch(std::vector<std::string> args) {
  EmptyHome();
  static const ServerEnd end;  // after the home, so before its end
  Command command;
  command.argv = {ProgramPath()};
  command.argv.insert(command.argv.end(), args.begin(), args.end());
  command.env = {{"PATH", "/usr/bin:/bin"},
                 {"HOME", EmptyHome().root()},
                 {"XDG_CONFIG_HOME", EmptyHome().root()},
                 {"XDG_CACHE_HOME", EmptyHome().root()},
                 {"XDG_RUNTIME_DIR", EmptyHome().root()},
                 {"FORGE_SERVER", TestServerMode()},
                 {"GIT_CONFIG_NOSYSTEM", "1"}};
  return command;
}

Answer SearchWith(const std::string& backend, const std::string& root, const std::string& request,
                  std::vector<std::string> more) {
  std::vector<std::string> args = {"call", "Search", "-", "--root", root};
  if (!backend.empty()) args.insert(args.end(), {"--backend", backend});
  args.insert(args.end(), more.begin(), more.end());
  Command command = ForgeSearch(args);
  command.stdin_text = request;
  return Answer(RunProgram(command));
}

Answer Search(const std::string& root, const std::string& request, const std::vector<std::string>& more) {
  Answer first = SearchWith(kBackends.front(), root, request, more);
  for (std::size_t i = 1; i < kBackends.size(); ++i) {
    const Answer other = SearchWith(kBackends[i], root, request, more);
    EXPECT_EQ(first.ended().out, other.ended().out)
        << kBackends[i] << " answers otherwise than " << kBackends.front() << " to " << request.substr(0, 500);
    EXPECT_EQ(first.ended().exit_code, other.ended().exit_code);
  }
  return first;
}

}  // namespace forge::testing
