// One call of the tool, in the form that tests compare.
//
//   TempTree tree;
//   tree.Write("a.txt", "one\ntwo foo\n");
//   Answer answer = Search(tree, Ask("foo", R"("context":1)"));
//   EXPECT_THAT(answer.events(), ElementsAre("a.txt-1-one", "a.txt:2:5:two foo|foo"));
//
// Search() asks ugrep, rg and the native engine, expects three equal answers to
// the byte (promise 1), and returns that one answer. So a test that does not
// name a backend tests all of them. FORGE_TEST_BACKENDS, words with spaces between, names
// others: a program for another system finds not all of them there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/testing/json_view.h"
#include "tests/testing/run_binary.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {

std::vector<std::string> TestBackends();
inline const std::vector<std::string> kBackends = TestBackends();

class Answer {
 public:
  explicit Answer(Ended ended);

  const Ended& ended() const { return ended_; }
  const JsonView& json() const { return json_; }
  bool ok() const { return ended_.exit_code == 0; }

  // "path:line:column:text|match" or "path-line-text", one an event.
  std::vector<std::string> events() const;
  // The path of each event without repetitions: the files in order.
  std::vector<std::string> files() const;
  // "path: message" of each entry of `errors`.
  std::vector<std::string> errors() const;
  std::string kind() const { return json_.Text("/error/kind"); }
  std::string message() const { return json_.Text("/error/message"); }
  std::string content() const { return json_.Text("/content"); }
  bool truncated() const { return json_.At("/truncated") == "true"; }
  bool timed_out() const { return json_.At("/timed_out") == "true"; }
  int files_scanned() const;

 private:
  Ended ended_;
  JsonView json_;
};

// {"pattern":PATTERN,FIELDS} with the pattern quoted.
std::string Ask(std::string_view pattern, std::string_view fields = "");

std::string Repeat(std::size_t times, std::string_view text);

// The program with an empty home, ready for more arguments.
Command ForgeSearch(std::vector<std::string> args);

// `forge-search call Search REQUEST --root ROOT --backend BACKEND MORE...`
Answer SearchWith(const std::string& backend, const std::string& root, const std::string& request,
                  std::vector<std::string> more = {});
inline Answer SearchWith(const std::string& backend, const TempTree& tree, const std::string& request,
                         std::vector<std::string> more = {}) {
  return SearchWith(backend, tree.root(), request, std::move(more));
}

// The same on every backend.
Answer Search(const std::string& root, const std::string& request, const std::vector<std::string>& more = {});
inline Answer Search(const TempTree& tree, const std::string& request, const std::vector<std::string>& more = {}) {
  return Search(tree.root(), request, more);
}

}  // namespace forge::testing
