#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>

#include "base/strings.h"
#include "cli/search_words.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  forge-search search TODO                      every TODO below the current folder
  forge-search search -w -g '*.cc' main src     the word main in C++ files of src
  forge-search call Search '{"pattern":"TODO"}' the same as an agent asks it
  forge-search setup claude-code                add it to an agent
  forge-search doctor                           is everything set up?

Exit status: 0 something was found, 1 nothing was found, 2 an error.)";

// A word that a user can copy to a shell.
std::string ForShell(const std::string& word) {
  if (word.find_first_of(" \t\n'\"`$|&;<>*?[](){}\\#~!") == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Shows an argument as required that is optional for the library.
class Help : public CLI::Formatter {
 public:
  explicit Help(const OptionNotes& notes) : notes_(notes) {
    column_width(32);
    label("SUBCOMMAND", "COMMAND");
    label("REQUIRED", "");
  }

  std::string make_option_usage(const CLI::Option* option) const override {
    const auto note = notes_.find(option);
    const bool needed = note != notes_.end() && note->second.needed;
    return needed ? make_option_name(option, true) : CLI::Formatter::make_option_usage(option);
  }

 private:
  const OptionNotes& notes_;
};

class Parser {
 public:
  // Knows the options of commands that `words` may name; of all if it is null. To define
  // the options of all commands takes longer than many a search.
  explicit Parser(const std::vector<std::string>* words = nullptr)
      : words_(words), app_("Finds text in a local source tree, for people and for LLM agents.", "forge-search") {
    app_.require_subcommand(0, 1);
    // On Windows, CLI11 would take a pattern or a path that begins with / for an option.
    app_.allow_windows_style_options(false);
    app_.formatter(std::make_shared<Help>(notes_));
    app_.set_help_flag("-h,--help", "Print this help");
    app_.add_flag("-V,--version", version_, "Print the version");
    app_.add_flag("--json", global_.json, "With --version: print it as JSON")->group("");
    app_.footer(kFooter);
    DefineGlobal();
    for (const CommandEntry& entry : CommandTable()) Add(app_, entry);
  }

  CommandInfo Describe() const { return Describe(app_); }

  CommandLine Parse(std::vector<std::string> arguments) {
    arguments = InWordsOfTheParser(std::move(arguments));
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    CommandLine line;
    try {
      app_.parse(arguments);
      line.error = Finish(line);
    } catch (const CLI::CallForHelp&) {
      line.help = app_.help();
      return line;
    } catch (const CLI::ParseError& error) {
      line.error = Explain(error);
    }
    if (line.error && line.error->hint.empty() && line.help.empty()) line.error->hint = HelpHint();
    line.global = std::move(global_);
    const auto chosen = commands_.find(Innermost());
    if (chosen != commands_.end()) line.command = std::move(chosen->second);
    return line;
  }

  std::variant<std::string, UsageError> HelpFor(const std::vector<std::string>& topics) const {
    const CLI::App* app = &app_;
    std::string name = app->get_name();
    for (const std::string& topic : topics) {
      const auto subs = app->get_subcommands({});
      const auto found =
          std::find_if(subs.begin(), subs.end(), [&](const CLI::App* sub) { return sub->get_name() == topic; });
      if (found == subs.end()) {
        return Unknown("command", topic, CommandNames(*app), "forge-search help lists them");
      }
      app = *found;
      name += " " + topic;
    }
    return app_.get_formatter()->make_help(app, name, CLI::AppFormatMode::Normal);
  }

 private:
  static bool TakesValue(const CLI::App& app, const std::string& option) {
    const CLI::Option* found = app.get_option_no_throw(option);
    return found != nullptr && found->get_items_expected_max() > 0;
  }

  // `search` understands habits that are not options.
  std::vector<std::string> InWordsOfTheParser(std::vector<std::string> words) const {
    std::size_t at = 0;
    while (at < words.size() && words[at].starts_with('-')) at += TakesValue(app_, words[at]) ? 2U : 1U;
    if (at >= words.size() || words[at] != "search") return words;
    const CLI::App& search = *app_.get_subcommand("search");
    const auto after = words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    std::vector<std::string> rest = UnderstandHabits({after, words.end()}, [&](const std::string& option) {
      return TakesValue(search, option) || TakesValue(app_, option);
    });
    words.erase(after, words.end());
    words.insert(words.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
    return words;
  }

  void DefineGlobal() {
    Options options(app_, notes_, global_.json);
    options.List("--root", global_.roots, "DIR",
                 "A folder that may be searched; repeatable (default: the current folder)");
    options.Text("--cwd", global_.cwd, "DIR", "Where relative paths start (default: the first root)");
    options.Text("--config", global_.config_file, "FILE", "The configuration file to read");
    options.List("--set", global_.sets, "KEY=VALUE",
                 "Set one configuration value, as tools.search.max_files=500; repeatable");
    options.Text("--backend", global_.backend, "NAME", "Use this backend (ugrep, rg, a path, native) and no other");
    options.Suggest("--backend", {"native", "ugrep", "rg"});
    options.Choice("--index", global_.index, {"off", "auto", "on"}, "MODE",
                   "Whether an index may be used: off, auto or on");
    options.Choice("--server", global_.server, {"off", "auto", "on"}, "MODE",
                   "Whether a shared server may answer: off, auto or on");
  }

  void Add(CLI::App& parent, const CommandEntry& entry) {
    CLI::App* app = parent.add_subcommand(entry.name, entry.doc);
    app->fallthrough();  // global options are accepted after the command too
    app->footer(entry.footer);
    app->group("Commands");
    if (entry.make == nullptr) {
      app->require_subcommand(0, 1);  // at most one; Finish() says that it is missing
      for (const CommandEntry& inner : entry.commands) Add(*app, inner);
      return;
    }
    if (words_ != nullptr && std::find(words_->begin(), words_->end(), entry.name) == words_->end()) return;
    auto command = entry.make();
    Options options(*app, notes_, global_.json);
    command->Define(options);
    commands_.emplace(app, std::move(command));
  }

  // What the library does not check.
  std::optional<UsageError> Finish(CommandLine& line) {
    line.version = version_;
    Command* command = Chosen();
    if (!version_ && command == nullptr) line.help = app_.help();
    if (app_.get_option("--backend")->count() > 0 && global_.backend.empty()) {
      return UsageError{"--backend is empty; it must name a backend", HelpHint()};
    }
    if (version_) return std::nullopt;
    if (command == nullptr) return UsageError{"a command is required", ""};
    for (const CLI::Option* option : Innermost()->parse_order()) {
      const auto note = notes_.find(option);
      if (note != notes_.end() && note->second.apply) note->second.apply();
    }
    return command->Resolve();
  }

  OptionInfo Describe(const CLI::Option& option) const {
    OptionInfo info;
    for (const std::string& name : option.get_snames()) info.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
    info.positional = info.names.empty();
    if (info.positional) info.names.push_back(option.get_name(true));
    info.value = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
    info.doc = option.get_description();
    info.required = option.get_required();
    if (const auto note = notes_.find(&option); note != notes_.end()) {
      info.required |= note->second.needed;
      info.choices = note->second.choices;
    }
    return info;
  }

  CommandInfo Describe(const CLI::App& app) const {
    CommandInfo info{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_description().empty())
        info.options.push_back(Describe(*option));  // else a habit, not to be shown
    }
    for (const CLI::App* sub : app.get_subcommands({})) info.commands.push_back(Describe(*sub));
    return info;
  }

  // The innermost command or group that was recognized.
  const CLI::App* Innermost() const {
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
  }

  // Null if that is a group, or the program itself.
  Command* Chosen() const {
    const auto found = commands_.find(Innermost());
    return found == commands_.end() ? nullptr : found->second.get();
  }

  std::string HelpHint() const {
    const CLI::App* app = Innermost();
    std::string name = app == &app_ ? "" : app->get_name() + " ";
    if (app != &app_ && app->get_parent() != &app_) name = app->get_parent()->get_name() + " " + name;
    return "forge-search " + name + "--help lists commands and options";
  }

  UsageError Explain(const CLI::ParseError& error) const {
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
      const std::string_view option = error.what();
      return {std::string(option.substr(0, option.find(':'))) + " needs a value", HelpHint()};
    }
    const std::vector<std::string> extra = app_.remaining(true);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || extra.empty()) return {error.what(), HelpHint()};
    const std::string& word = extra.front();
    const CLI::App* app = Innermost();
    const Command* command = Chosen();
    if (word.starts_with('-')) {
      const std::string option = word.substr(0, word.find('='));
      UsageError usual = Unknown("option", option, OptionNames(), HelpHint());
      return command == nullptr ? usual : command->UnknownOption(option, std::move(usual));
    }
    if (command == nullptr) {
      const bool program = app == &app_;
      return Unknown("command", word, CommandNames(*app),
                     program ? "to search for it: forge-search search " + ForShell(word) : HelpHint());
    }
    return command->UnexpectedArgument(word, {"unexpected argument \"" + word + "\"", HelpHint()});
  }

  static UsageError Unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known,
                            const std::string& hint) {
    const std::string_view near = NearestWord(word, {known.begin(), known.end()});
    return {"unknown " + what + " " + word, near.empty() ? hint : "did you mean " + std::string(near) + "?"};
  }

  std::vector<std::string> OptionNames() const {
    std::vector<std::string> names;
    for (const CLI::App* app = Innermost(); app != nullptr; app = app->get_parent()) {
      for (const CLI::Option* option : app->get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      }
    }
    return names;
  }

  static std::vector<std::string> CommandNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
    return names;
  }

  const std::vector<std::string>* words_;
  GlobalOptions global_;
  bool version_ = false;
  OptionNotes notes_;
  std::map<const CLI::App*, std::unique_ptr<Command>> commands_;
  CLI::App app_;  // last: it refers to the others
};

}  // namespace

CommandInfo DescribeCommandLine() { return Parser().Describe(); }

CommandLine ParseCommandLine(const std::vector<std::string>& arguments) { return Parser(&arguments).Parse(arguments); }

std::variant<std::string, UsageError> HelpFor(const std::vector<std::string>& topics) {
  return Parser().HelpFor(topics);
}

}  // namespace forge::cli
