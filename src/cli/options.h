// How a command says which options it takes. Each call adds one option and binds
// it to a variable; a variable whose option is not given keeps its value.
//
//   options.Needed("PATTERN", pattern, "What to find");
//   options.Flag("-F,--fixed-strings", fixed, "Take the pattern as plain text");
//   options.Number("--fuzzy", fuzzy, "Accept up to N wrong characters", {.max = 4});
//
// The parser is CLI11, which takes seconds to compile; it is included in
// options.cc and command_line.cc and nowhere else.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace forge::cli {

// Facts about an option that the parser does not keep.
struct OptionNote {
  std::vector<std::string> choices;
  bool needed = false;          // in help; the command itself checks it
  std::function<void()> apply;  // called each time the option was given, in the order of the command line
};
using OptionNotes = std::map<const CLI::Option*, OptionNote>;

struct Range {
  std::int64_t min = 1;
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

struct ListRules {
  bool required = false;
  bool commas = false;  // one value may hold several, separated by commas
};

class Options {
 public:
  // `json` is where Json() puts its flag.
  Options(CLI::App& app, OptionNotes& notes, bool& json) : app_(app), notes_(notes), json_(json) {}

  // Positional arguments, in this order.
  void Required(const char* name, std::string& out, const char* doc);
  void Optional(const char* name, std::string& out, const char* doc);
  void Optional(const char* name, std::optional<std::string>& out, const char* doc);
  void Optional(const char* name, std::vector<std::string>& out, const char* doc);  // any number of them
  // Shown as required. The command checks it, because another option may
  // replace it.
  void Needed(const char* name, std::optional<std::string>& out, const char* doc);
  void Required(const char* name, std::string& out, const std::vector<std::string>& choices, const char* doc);
  template <typename T>
  void Required(const char* name, T& out, const std::vector<std::pair<const char*, T>>& choices, const char* doc) {
    AddChoice(name, "", Words(choices), Setter(out, choices), doc, /*required=*/true);
  }

  void Flag(const char* names, bool& out, const char* doc);  // known when the whole line is parsed
  // One of several flags for one variable; the last one wins.
  template <typename T>
  void Flag(const char* names, T& out, T value, const char* doc) {
    AddFlag(
        names, [&out, value] { out = value; }, doc);
  }
  // Calls `apply` each time it is given, in the order of the command line.
  void Action(const char* names, std::function<void()> apply, const char* doc) {
    AddFlag(names, std::move(apply), doc);
  }
  // Habits that change nothing: accepted, and not in the help.
  void Ignored(const char* names);
  void IgnoredValue(const char* names);
  void HiddenText(const char* names, std::string& out);  // a habit too, but its value decides
  // The opposite of a flag, for users whose aliases have it on; not in the help.
  void Opposite(const char* names, bool& out);
  void Json(const char* doc);  // --json

  // `value` is what help calls the value: "FILE".
  void Text(const char* names, std::string& out, const char* value, const char* doc);
  void Text(const char* names, std::optional<std::string>& out, const char* value, const char* doc);
  void List(const char* names, std::vector<std::string>& out, const char* value, const char* doc, ListRules rules = {});
  void Choice(const char* names, std::string& out, const std::vector<std::string>& choices, const char* value,
              const char* doc);
  template <typename T>
  void Choice(const char* names, T& out, const std::vector<std::pair<const char*, T>>& choices, const char* value,
              const char* doc) {
    AddChoice(names, value, Words(choices), Setter(out, choices), doc, /*required=*/false);
  }

  // Calls `apply` each time an option with a value is given, in the order of the
  // command line.
  void OnGiven(const char* name, std::function<void()> apply);

  // Values that a shell offers for an option that takes others as well.
  void Suggest(const char* name, std::vector<std::string> words);

  void Number(const char* names, std::int64_t& out, const char* doc, Range range);
  void Number(const char* names, std::optional<std::int64_t>& out, const char* doc, Range range = {});
  void Milliseconds(const char* names, std::optional<std::chrono::milliseconds>& out, const char* doc);
  void Size(const char* names, std::optional<std::int64_t>& out, const char* doc);  // of bytes; may end in K, M or G

 private:
  using Set = std::function<void(const std::string&)>;

  template <typename T>
  static std::vector<std::string> Words(const std::vector<std::pair<const char*, T>>& choices) {
    std::vector<std::string> words;
    words.reserve(choices.size());
    for (const auto& [word, value] : choices) words.emplace_back(word);
    return words;
  }
  template <typename T>
  static Set Setter(T& out, std::vector<std::pair<const char*, T>> choices) {
    return [&out, choices = std::move(choices)](const std::string& given) {
      for (const auto& [word, value] : choices) {
        if (given == word) out = value;
      }
    };
  }

  void AddFlag(const char* names, std::function<void()> apply, const char* doc);
  void AddChoice(const char* names, const char* value, const std::vector<std::string>& words, const Set& set,
                 const char* doc, bool required);

  CLI::App& app_;
  OptionNotes& notes_;
  bool& json_;
};

}  // namespace forge::cli
