#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "base/strings.h"
#include "cli/command_info.h"
#include "setup/hosts.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  forge-search search TODO                      every TODO below the current folder
  forge-search search -w -g '*.cc' main src     the word main in C++ files of src
  forge-search call Search '{"pattern":"TODO"}' the same as an agent asks it
  forge-search setup claude-code                add it to an agent
  forge-search doctor                           is everything set up?

Exit status: 0 something was found, 1 nothing was found, 2 an error.)";

constexpr const char* kSearchFooter = R"(Examples:
  forge-search search 'fn \w+_index' src        a regular expression
  forge-search search -F 'a[i]++'               plain text
  forge-search search -C 2 -g '!*_test.cc' Open two lines around, tests left out
  forge-search search -e '-foo'                 a pattern that starts with '-'
  forge-search search --json TODO | jq .        for a program

--root, --cwd, --config, --set and --backend work here too: forge-search --help.
Exit status: 0 something was found, 1 nothing was found, 2 an error.)";

constexpr const char* kAskFooter = R"(Searches the git work tree around the working folder for the terms and lets a
language model pick the files that matter. Sends excerpts of files to it;
--dry-run shows what would be sent. See docs/keyword-search.md.

Examples:
  forge-search ask 'Where are sessions closed?' --terms 'session.*close,logout'
  forge-search ask 'How is the cache filled?' --terms cache_fill,prefetch --dry-run

In a regular expression, write \x2c for a comma.
Exit status: 0 files were found, 1 none, 2 an error.)";

constexpr const char* kCallFooter = R"(Examples:
  forge-search call Search '{"pattern":"TODO","max_results":5}'
  echo '{"pattern":"TODO"}' | forge-search call Search -
  forge-search schema Search                    which arguments there are

Prints exactly one JSON document: the response (exit status 0), or
{"error":{"kind":...,"message":...}} (exit status 2).)";

constexpr const char* kMcpFooter = R"(Speaks the Model Context Protocol; started by a host such as Claude Code:
  claude mcp add forge-search -- forge-search mcp

Searches the folders of --root, else of the configuration, else of
$FORGE_SEARCH_ROOT, else of $CLAUDE_PROJECT_DIR, else the git work tree around
the current folder, else the current folder. Ends when its input ends.)";

constexpr const char* kConfigFooter = R"(Settings come from, highest first: --set and --backend; FORGE_SEARCH_<KEY>
variables; the file of --config or $FORGE_CONFIG, else ~/.forge/config.toml,
else $XDG_CONFIG_HOME/forge/config.toml; the defaults. Never from the folder
that is searched.

Examples:
  forge-search config init                      write a file to start from
  forge-search config print --origin            what holds, and why
  forge-search --set tools.search.max_files=500 config print)";

constexpr const char* kIndexFooter = R"(Examples:
  forge-search index build                      index the current folder
  forge-search --index=on search TODO           use it
  forge-search index explain 'foo|bar\w+'       how a pattern is looked up

An index lives in the user's cache folder and holds no file content. It never
changes an answer, only how soon it comes.)";

constexpr const char* kSetupFooter = R"(Hosts: claude-code, codex, cursor, gemini, opencode, vscode, zed.

Examples:
  forge-search setup claude-code                print what to add, and where
  forge-search setup codex --write              add it; the old file is kept
  forge-search setup vscode --project --write   for the current folder only)";

constexpr const char* kCompletionsFooter = R"(Examples:
  forge-search completions bash > ~/.local/share/bash-completion/completions/forge-search
  forge-search completions zsh > ~/.zfunc/_forge-search
  forge-search completions fish > ~/.config/fish/completions/forge-search.fish)";

// What somebody who knows grep or ripgrep may try.
struct Foreign {
  const char* option;
  const char* advice;
};
constexpr Foreign kForeign[] = {
    {"-A", "-C N shows lines before and after"},
    {"-B", "-C N shows lines before and after"},
    {"-n", "line numbers are always printed; leave it out"},
    {"-H", "file names are always printed; leave it out"},
    {"-r", "folders are always searched with their subfolders; leave it out"},
    {"-R", "folders are always searched with their subfolders; leave it out"},
    {"-E", "patterns are regular expressions already; leave it out"},
    {"-P", "patterns are in PCRE2's syntax already; leave it out"},
    {"-l", "there is no list of files; in a shell: ... | cut -d: -f1 | uniq"},
    {"-c", "there is no count; in a shell: ... | cut -d: -f1 | uniq -c"},
    {"-v", "lines that do not match cannot be asked for"},
    {"-t", "write a glob: -g '*.py'"},
    {"-T", "write a glob: -g '!*.py'"},
    {"-o", "--json gives the matched text"},
    {"-u", "--no-ignore and --hidden search more"},
    {"-U", "a match never spans lines"},
    {"-q", "send the output to /dev/null; the exit status tells"},
};

std::string WholeNumber(std::int64_t min, std::int64_t max) {
  const std::string from = "must be a whole number of at least " + std::to_string(min);
  return max == std::numeric_limits<std::int64_t>::max() ? from : from + " and at most " + std::to_string(max);
}

CLI::Validator AtLeast(std::int64_t min, std::int64_t max = std::numeric_limits<std::int64_t>::max()) {
  return CLI::Validator(
      [min, max](const std::string& text) {
        std::int64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        const bool good = error == std::errc() && stop == end && number >= min && number <= max;
        return good ? std::string() : "is \"" + text + "\"; " + WholeNumber(min, max);
      },
      "");
}
// The library's checks, without their own wording in the help.
CLI::Validator OneOf(std::vector<std::string> words) { return CLI::IsMember(std::move(words)).description(""); }
CLI::Validator Size() { return CLI::AsSizeValue(/*kb_is_1000=*/false).description(""); }

ColorChoice ColorFrom(const std::string& word) {
  if (word == "always") return ColorChoice::kAlways;
  return word == "never" ? ColorChoice::kNever : ColorChoice::kAuto;
}

tool::SchemaFormat FormatFrom(const std::string& word) {
  if (word == "openai") return tool::SchemaFormat::kOpenAi;
  return word == "anthropic" ? tool::SchemaFormat::kAnthropic : tool::SchemaFormat::kMcp;
}

// -e may stand for PATTERN, so the library takes it for optional.
class Help : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    const std::string_view optional = "[PATTERN]";
    if (const auto at = usage.find(optional); at != std::string::npos) usage.replace(at, optional.size(), "PATTERN");
    return usage;
  }
};

class Parser {
 public:
  Parser() : app_("Finds text in a local source tree, for people and for LLM agents.", "forge-search") {
    app_.require_subcommand(0, 1);
    app_.formatter(std::make_shared<Help>());
    app_.get_formatter()->column_width(32);
    app_.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app_.get_formatter()->label("REQUIRED", "");
    app_.set_help_flag("-h,--help", "Print this help");
    app_.add_flag("-V,--version", version_, "Print the version");
    app_.add_flag("--json", line_.json, "With --version: print it as JSON")->group("");
    app_.footer(kFooter);
    AddGlobal();
    AddSearch();
    AddAsk();
    AddCall();
    AddSchema();
    AddMcp();
    AddConfig();
    AddDoctor();
    AddIndex();
    AddSetup();
    AddCompletions();
    AddHelp();
  }

  CommandInfo Describe() const { return Describe(app_); }

  CommandLine Parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    try {
      app_.parse(arguments);
      line_.command = Chosen();
      if (version_) line_.command = Command::kVersion;
      if (line_.command == Command::kNone) MissingCommand();
      if (line_.command == Command::kSearch) FinishSearch();
      if (line_.command == Command::kHelp) FinishHelp();
      if (backend_->count() > 0 && line_.backend.empty()) Fail("--backend is empty; it must name a backend");
      line_.format = FormatFrom(format_);
    } catch (const CLI::CallForHelp&) {
      line_.command = Command::kHelp;
      line_.help = app_.help();
    } catch (const CLI::ParseError& error) {
      line_.command = Chosen();
      line_.error = Explain(error);
    }
    return std::move(line_);
  }

 private:
  CLI::App* AddCommand(CLI::App& parent, Command command, std::string name, std::string doc, const char* footer = "") {
    CLI::App* sub = parent.add_subcommand(std::move(name), std::move(doc));
    sub->fallthrough();  // global options are accepted after the command too
    sub->footer(footer);
    sub->group("Commands");
    commands_[sub] = command;
    return sub;
  }

  // An option that may be repeated and takes one value each time.
  static void AddList(CLI::App& app, const char* names, std::vector<std::string>& out, const char* value,
                      const char* doc) {
    app.add_option(names, out, doc)->allow_extra_args(false)->type_name(value);
  }

  static void AddNumber(CLI::App& app, const char* names, std::optional<std::int64_t>& out, const char* doc,
                        std::int64_t max = std::numeric_limits<std::int64_t>::max()) {
    app.add_option(names, out, doc)->check(AtLeast(1, max))->type_name("N");
  }

  static void AddTime(CLI::App& app, const char* names, std::optional<std::chrono::milliseconds>& out,
                      const char* doc) {
    const auto store = [&out](std::int64_t number) { out = std::chrono::milliseconds(number); };
    app.add_option_function<std::int64_t>(names, store, doc)->check(AtLeast(1))->type_name("N");
  }

  void AddCase(CLI::App& app, const char* names, CaseMode mode, const std::string& doc) {
    cases_[app.add_flag(names, doc)] = mode;
  }

  void AddGlobal() {
    const auto text = [this](const char* names, std::string& out, const char* value, const char* doc) {
      app_.add_option(names, out, doc)->type_name(value);
    };
    AddList(app_, "--root", line_.roots, "DIR",
            "A folder that may be searched; repeatable (default: the current folder)");
    text("--cwd", line_.cwd, "DIR", "Where relative paths start (default: the first root)");
    text("--config", line_.config_file, "FILE", "The configuration file to read");
    AddList(app_, "--set", line_.sets, "KEY=VALUE",
            "Set one configuration value, as tools.search.max_files=500; repeatable");
    backend_ = app_.add_option("--backend", line_.backend, "Use this backend (ugrep, rg, a path, native) and no other")
                   ->type_name("NAME");
    Choices(app_.add_option("--index", line_.index, "Whether an index may be used: off, auto or on")->type_name("MODE"),
            {"off", "auto", "on"});
  }

  void AddSearch() {
    CLI::App& app = *AddCommand(app_, Command::kSearch, "search", "Find text in files", kSearchFooter);
    SearchRequest& r = line_.request;
    first_ = app.add_option("PATTERN", first_text_, "What to find: a regular expression (see -F)")->type_name("");
    second_ = app.add_option("PATH", second_text_, "The file or folder to search (default: the working folder)")
                  ->type_name("");
    pattern_ = app.add_option("-e,--regexp", patterns_, "The pattern, if it starts with '-' or is '++'")
                   ->allow_extra_args(false)
                   ->type_name("PATTERN");
    app.add_flag("-F,--fixed-strings", r.fixed_strings, "Take the pattern as plain text");
    AddCase(app, "-i,--ignore-case", CaseMode::kInsensitive, "Ignore case");
    AddCase(app, "-s,--case-sensitive", CaseMode::kSensitive, "Respect case");
    AddCase(app, "-S,--smart-case", CaseMode::kSmart, "Ignore case unless the pattern has a capital letter (default)");
    app.add_flag("-w,--word-regexp", r.word_regexp, "Match whole words only");
    AddList(app, "-g,--glob", globs_, "GLOB",
            "Only files that match; with a leading '!', only files that do not; repeatable");
    app.add_option("-C,--context", r.context, "Show N lines before and after each match")
        ->check(AtLeast(0))
        ->type_name("N");
    AddNumber(app, "-m,--max-count", r.max_matches_per_file, "At most N matches from one file");
    AddNumber(app, "--max-results", r.max_results, "At most N lines in all, context included");
    AddNumber(app, "--max-files", r.max_files, "Look at no more than N files");
    app.add_option("--max-file-size,--max-filesize", r.max_file_size_bytes, "Skip larger files; N may end in K, M or G")
        ->transform(Size())
        ->check(AtLeast(1))
        ->type_name("N");
    AddTime(app, "--timeout-ms", r.timeout, "Stop after N milliseconds, with what was found");
    AddNumber(app, "--fuzzy", r.fuzzy, "Accept up to N wrong, missing or extra characters, 1 to 4", 4);
    app.add_flag("-.,--hidden", r.hidden, "Also search hidden files and folders");
    app.add_flag("-L,--follow", r.follow, "Follow symbolic links");
    app.add_flag("--no-ignore", r.no_ignore, "Also search what .gitignore and the like leave out");
    app.add_flag("--no-recursive", no_recursive_, "Only the files directly in the folder");
    app.add_flag("--json", line_.json, "Print JSON Lines, in ripgrep's shape");
    Choices(app.add_option("--color", color_, "auto (default), always or never")->type_name("WHEN"),
            {"auto", "always", "never"});
  }

  void AddAsk() {
    CLI::App& app = *AddCommand(app_, Command::kAsk, "ask", "Find the files that matter for a question", kAskFooter);
    KeywordSearchRequest& q = line_.question;
    app.add_option("QUESTION", q.query, "What you want to find or learn, in detail")->required()->type_name("");
    app.add_option("-t,--terms", q.search_terms,
                   "What to search for, most important first: words or regular expressions; commas divide, repeatable")
        ->delimiter(',')
        ->required()
        ->allow_extra_args(false)
        ->type_name("TERMS");
    app.add_option("--model", q.model, "The model to ask, by its name in the configuration")->type_name("NAME");
    app.add_flag("--dry-run", q.dry_run, "Print what would be sent, and send nothing");
  }

  void AddCall() {
    CLI::App& app = *AddCommand(app_, Command::kCall, "call", "Call a tool with JSON, as an agent does", kCallFooter);
    line_.arguments = "-";
    app.add_option("TOOL", line_.tool, "The name of the tool, such as Search")->required()->type_name("");
    app.add_option("JSON", line_.arguments, "Its arguments; '-' or nothing: read standard input")->type_name("");
  }

  void AddSchema() {
    CLI::App& app =
        *AddCommand(app_, Command::kSchema, "schema", "Print what a tool is for and which arguments it takes",
                    "Example:\n  forge-search schema Search --format openai");
    app.add_option("TOOL", line_.tool, "One tool (default: a list of all)")->type_name("");
    Choices(app.add_option("--format", format_, "mcp (default), openai or anthropic")->type_name("NAME"),
            {"mcp", "openai", "anthropic"});
  }

  void AddMcp() {
    CLI::App& app = *AddCommand(app_, Command::kMcp, "mcp", "Serve agents over standard input and output", kMcpFooter);
    app.add_flag("--structured", line_.structured, "Also send answers as data, which many hosts show instead of text");
  }

  void AddConfig() {
    CLI::App& app =
        *AddCommand(app_, Command::kNone, "config", "Print, check or create the configuration", kConfigFooter);
    app.require_subcommand(0, 1);  // at most one; that it is missing is said in Parse()
    AddCommand(app, Command::kConfigPrint, "print", "Print every value that holds, as TOML")
        ->add_flag("--origin", line_.origins, "Say where each value is from");
    AddCommand(app, Command::kConfigCheck, "check", "Check the configuration and list warnings");
    AddCommand(app, Command::kConfigReference, "reference", "Explain every key, in Markdown");
    AddCommand(app, Command::kConfigInit, "init", "Write a recommended configuration; never replaces a file")
        ->add_option("--path", line_.init_path, "Where to (default: ~/.forge/config.toml)")
        ->type_name("FILE");
  }

  void AddDoctor() {
    CLI::App& app =
        *AddCommand(app_, Command::kDoctor, "doctor", "Examine the installation and say what to do about problems",
                    "Exit status: 0 all is well, 1 there are warnings, 2 searching will fail.");
    app.add_flag("--json", line_.json, "Print one JSON document");
  }

  void AddIndex() {
    CLI::App& app =
        *AddCommand(app_, Command::kNone, "index", "Build, examine or remove the index of a tree", kIndexFooter);
    app.require_subcommand(0, 1);
    const auto add = [&](Command command, const char* name, const char* doc) {
      CLI::App* sub = AddCommand(app, command, name, doc);
      sub->add_flag("--json", line_.json, "Print one JSON document");
      return sub;
    };
    add(Command::kIndexBuild, "build", "Bring the index up to date, and wait for it")
        ->add_flag("--anew", line_.anew, "Reuse nothing of an older one");
    add(Command::kIndexStatus, "status", "Say what the index knows and how well");
    add(Command::kIndexVerify, "verify", "Read the tree again and prove the index against it");
    add(Command::kIndexClear, "clear", "Remove the index of this tree");
    add(Command::kIndexList, "list", "List the stored indexes of all trees");
    CLI::App& explain = *add(Command::kIndexExplain, "explain", "Show how a pattern is looked up");
    explain.add_option("PATTERN", line_.request.pattern, "A regular expression (see -F)")->required()->type_name("");
    explain.add_flag("-F,--fixed-strings", line_.request.fixed_strings, "Take the pattern as plain text");
    explain.add_flag("-w,--word-regexp", line_.request.word_regexp, "Match whole words only");
    AddNumber(explain, "--fuzzy", line_.request.fuzzy, "Accept up to N wrong characters, 1 to 4", 4);
  }

  void AddSetup() {
    CLI::App& app = *AddCommand(app_, Command::kSetup, "setup", "Add the MCP server to a host", kSetupFooter);
    Choices(app.add_option("HOST", line_.host, "Which program is to use it")->required()->type_name(""),
            setup::HostNames());
    app.add_flag("--project", line_.project, "For the current folder instead of for the user");
    app.add_flag("--write", line_.write, "Edit the host's configuration, keeping a copy of the old one");
  }

  void AddCompletions() {
    CLI::App& app =
        *AddCommand(app_, Command::kCompletions, "completions", "Print completions for a shell", kCompletionsFooter);
    Choices(app.add_option("SHELL", line_.shell, "bash, zsh or fish")->required()->type_name(""),
            {"bash", "zsh", "fish"});
  }

  void AddHelp() {
    CLI::App& app = *AddCommand(app_, Command::kHelp, "help", "Explain a command");
    app.add_option("COMMAND", topics_, "Which command (default: all)")->type_name("");
    app.add_flag("--man", line_.man, "Print the manual page, for man(1)");
  }

  void FinishHelp() {
    const CLI::App* app = &app_;
    std::string parents;
    for (const std::string& topic : topics_) {
      const auto subs = app->get_subcommands({});
      const auto found =
          std::find_if(subs.begin(), subs.end(), [&](const CLI::App* sub) { return sub->get_name() == topic; });
      if (found == subs.end()) {
        line_.error = Unknown("command", topic, CommandNames(*app));
        line_.error->hint = line_.error->hint.starts_with("did") ? line_.error->hint : "forge-search help lists them";
        return;
      }
      parents += (parents.empty() ? "" : " ") + app->get_name();
      app = *found;
    }
    const std::string name = (parents.empty() ? "" : parents + " ") + app->get_name();
    line_.help = app_.get_formatter()->make_help(app, name, CLI::AppFormatMode::Normal);  // help() would choose `help`
  }

  void Choices(CLI::Option* option, const std::vector<std::string>& words) {
    option->check(OneOf(words));
    choices_[option] = words;
  }

  OptionInfo Describe(const CLI::Option& option) const {
    OptionInfo info;
    for (const std::string& name : option.get_snames()) info.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
    info.positional = info.names.empty();
    if (info.positional) info.names.push_back(option.get_name(true));
    info.value = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
    info.doc = option.get_description();
    info.required = option.get_required() || &option == first_;
    if (const auto found = choices_.find(&option); found != choices_.end()) info.choices = found->second;
    return info;
  }

  CommandInfo Describe(const CLI::App& app) const {
    CommandInfo info{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
    for (const CLI::Option* option : app.get_options()) info.options.push_back(Describe(*option));
    for (const CLI::App* sub : app.get_subcommands({})) info.commands.push_back(Describe(*sub));
    return info;
  }

  // The innermost command that was recognized.
  const CLI::App* Innermost() const {
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
  }

  Command Chosen() const {
    const auto found = commands_.find(Innermost());
    return found == commands_.end() ? Command::kNone : found->second;
  }

  void MissingCommand() {
    line_.help = app_.help();
    line_.error = UsageError{"a command is required", ""};
  }

  // With -e, the first positional argument is the path.
  void FinishSearch() {
    if (pattern_->count() == 0) {
      if (first_->count() == 0) return Fail("search needs a PATTERN");
      line_.request.pattern = first_text_;
      line_.request.path = second_text_;
    } else {
      if (patterns_.size() > 1) {
        return Fail("-e is given " + std::to_string(patterns_.size()) + " times", "write alternatives as -e 'a|b'");
      }
      line_.request.pattern = patterns_.front();
      if (second_->count() > 0)
        return Fail("unexpected argument \"" + second_text_ + "\": -e already gave the pattern");
      line_.request.path = first_text_;
    }
    line_.request.recursive = !no_recursive_;
    line_.color = ColorFrom(color_);
    for (const std::string& glob : globs_) {
      if (glob.starts_with('!')) {
        line_.request.exclude_glob.push_back(glob.substr(1));
      } else {
        line_.request.include_glob.push_back(glob);
      }
    }
    for (const CLI::Option* option : Innermost()->parse_order()) {  // the last one wins, as in rg
      if (const auto found = cases_.find(option); found != cases_.end()) line_.request.case_mode = found->second;
    }
  }

  void Fail(std::string message, std::string hint = "") {
    line_.error = UsageError{std::move(message), hint.empty() ? HelpHint() : std::move(hint)};
  }

  std::string HelpHint() const {
    const CLI::App* app = Innermost();
    std::string name = app == &app_ ? "" : app->get_name() + " ";
    if (app != &app_ && app->get_parent() != &app_) name = app->get_parent()->get_name() + " " + name;
    return "forge-search " + name + "--help lists what there is";
  }

  UsageError Explain(const CLI::ParseError& error) const {
    const std::vector<std::string> extra = app_.remaining(true);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || extra.empty()) return {error.what(), HelpHint()};
    const std::string& word = extra.front();
    if (word.starts_with('-')) return UnknownOption(word.substr(0, word.find('=')));
    const CLI::App* app = Innermost();
    if (app == &app_ || !app->get_subcommands({}).empty()) return Unknown("command", word, CommandNames(*app));
    if (Chosen() == Command::kSearch) {
      return {"search takes one PATH, and \"" + word + "\" is one more",
              "search a folder that holds them all, and narrow it with -g 'GLOB'"};
    }
    return {"unexpected argument \"" + word + "\"", HelpHint()};
  }

  UsageError UnknownOption(const std::string& word) const {
    UsageError error = Unknown("option", word, OptionNames());
    if (Chosen() == Command::kSearch && !word.starts_with("--")) {
      for (const Foreign& foreign : kForeign) {
        if (word.starts_with(foreign.option)) return {"there is no option " + word.substr(0, 2), foreign.advice};
      }
    }
    if (Chosen() == Command::kSearch) error.hint += "; if it is the pattern, write -e " + word;
    return error;
  }

  UsageError Unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known) const {
    const std::string_view near = NearestWord(word, {known.begin(), known.end()});
    return {"unknown " + what + " " + word, near.empty() ? HelpHint() : "did you mean " + std::string(near) + "?"};
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

  CommandLine line_;
  CLI::App app_;
  std::map<const CLI::App*, Command> commands_;
  std::map<const CLI::Option*, CaseMode> cases_;
  std::map<const CLI::Option*, std::vector<std::string>> choices_;
  bool version_ = false;
  CLI::Option* backend_ = nullptr;
  std::vector<std::string> patterns_;
  std::vector<std::string> topics_;
  CLI::Option* first_ = nullptr;
  CLI::Option* second_ = nullptr;
  CLI::Option* pattern_ = nullptr;
  std::string first_text_;
  std::string second_text_;
  std::vector<std::string> globs_;
  bool no_recursive_ = false;
  std::string color_;
  std::string format_;
};

}  // namespace

CommandInfo DescribeCommandLine() { return Parser().Describe(); }

CommandLine ParseCommandLine(const std::vector<std::string>& arguments) { return Parser().Parse(arguments); }

}  // namespace forge::cli
