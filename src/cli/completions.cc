#include <algorithm>
#include <cctype>

#include "cli/command_info.h"

namespace forge::cli {
namespace {

std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// The options of a command, and of the commands below it: which of these is
// meant is not looked at.
std::vector<OptionInfo> OptionsOf(const CommandInfo& command) {
  std::vector<OptionInfo> options;
  const auto add = [&](const CommandInfo& from) {
    for (const OptionInfo& option : from.options) {
      const bool known = std::any_of(options.begin(), options.end(),
                                     [&](const OptionInfo& other) { return other.names == option.names; });
      if (!option.positional && !known) options.push_back(option);
    }
  };
  add(command);
  for (const CommandInfo& sub : command.commands) add(sub);
  return options;
}

std::vector<std::string> OptionWords(const std::vector<OptionInfo>& options) {
  std::vector<std::string> words;
  for (const OptionInfo& option : options) words.insert(words.end(), option.names.begin(), option.names.end());
  return words;
}

// Those of the program itself, which every command takes.
std::vector<OptionInfo> GlobalOptionsOf(CommandInfo program) {
  program.commands.clear();
  return OptionsOf(program);
}

std::vector<std::string> SubcommandWords(const CommandInfo& command) {
  std::vector<std::string> words;
  for (const CommandInfo& sub : command.commands) words.push_back(sub.name);
  return words;
}

// The words that may come first after the command, if the list is fixed.
std::vector<std::string> FirstWords(const CommandInfo& command) {
  if (!command.commands.empty()) return SubcommandWords(command);
  for (const OptionInfo& option : command.options) {
    if (option.positional && !option.choices.empty()) return option.choices;
  }
  return {};
}

// Options with a value: those with a fixed list of values, and the others, which
// are completed as files.
void BashValues(const CommandInfo& command, std::string& out) {
  for (const OptionInfo& option : command.options) {
    if (option.positional || option.value.empty()) continue;
    std::string names;
    for (const std::string& name : option.names) names += (names.empty() ? "" : "|") + name;
    out += "    " + names + ") ";
    out += option.choices.empty() ? "_forge_search_files \"$word\""
                                  : "COMPREPLY=($(compgen -W " + Quoted(Joined(option.choices)) + " -- \"$word\"))";
    out += "; return ;;\n";
  }
}

std::string Bash(const CommandInfo& program) {
  std::string values;
  BashValues(program, values);
  std::string names;
  std::string commands;
  std::string options;
  for (const CommandInfo& command : program.commands) {
    names += (names.empty() ? "" : "|") + command.name;
    BashValues(command, values);
    commands += "      " + command.name + ") words=" + Quoted(Joined(FirstWords(command))) + " ;;\n";
    options += "      " + command.name + ") options=" + Quoted(Joined(OptionWords(OptionsOf(command)))) + " ;;\n";
    for (const CommandInfo& sub : command.commands) BashValues(sub, values);
  }
  return R"(# bash completion for forge-search and frg
# A name may have blanks, and only a name gets a slash: there may be a folder "search".
_forge_search_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$1"))
}
_forge_search() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words= options= i
  COMPREPLY=()
  # bash takes --sort=path apart at the "=".
  if [[ $word == = ]]; then
    word=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $previous in
)" + values +
         R"(  esac
  [[ ${COMP_WORDS[0]##*/} == frg ]] && command=search
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ -n $command ]] && break
    case ${COMP_WORDS[i]} in
      )" +
         names +
         R"() command=${COMP_WORDS[i]} ;;
    esac
  done
  case $command in
    '') words=)" +
         Quoted(Joined(SubcommandWords(program))) + R"( ;;
    *)
      case $command in
)" + commands +
         R"(      esac
      case $command in
)" + options +
         R"(      esac ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options )" +
         Joined(OptionWords(GlobalOptionsOf(program))) + R"(" -- "$word"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    _forge_search_files "$word"
  fi
}
complete -F _forge_search forge-search frg
)";
}

// name:doc, for _describe.
std::string ZshItems(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string out;
  for (const auto& [name, doc] : items) {
    std::string text = name + ":" + doc;
    std::replace(text.begin() + static_cast<std::ptrdiff_t>(name.size()) + 1, text.end(), ':', ';');
    out.append(" ").append(Quoted(text));
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> ZshOptions(const std::vector<OptionInfo>& options) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const OptionInfo& option : options) {
    for (const std::string& name : option.names) items.emplace_back(name, option.doc);
  }
  return items;
}

std::vector<std::pair<std::string, std::string>> ZshWords(const CommandInfo& command) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const CommandInfo& sub : command.commands) items.emplace_back(sub.name, sub.doc);
  if (items.empty()) {
    for (const std::string& word : FirstWords(command)) items.emplace_back(word, word);
  }
  return items;
}

// The values of options, by the word before the cursor.
void ZshValues(const CommandInfo& command, std::string& out) {
  for (const OptionInfo& option : command.options) {
    if (option.positional || option.value.empty()) continue;
    std::string names;
    for (const std::string& name : option.names) names += (names.empty() ? "" : "|") + name;
    const std::string offer = option.choices.empty() ? "_files" : "compadd -- " + Joined(option.choices);
    out += "    " + names + ") " + offer + "; return ;;\n";
  }
  for (const CommandInfo& sub : command.commands) ZshValues(sub, out);
}

std::string Zsh(const CommandInfo& program) {
  std::string cases;
  std::string names;
  std::string values;
  ZshValues(program, values);
  for (const CommandInfo& command : program.commands) {
    names += (names.empty() ? "" : "|") + command.name;
    cases += "    " + command.name + ")\n      options+=(" + ZshItems(ZshOptions(OptionsOf(command))) +
             " )\n      choices=(" + ZshItems(ZshWords(command)) + " ) ;;\n";
  }
  return "#compdef forge-search frg\n"
         "_forge_search() {\n"
         "  local -a options choices\n"
         "  local command= word\n"
         "  options=(" +
         ZshItems(ZshOptions(GlobalOptionsOf(program))) +
         " )\n"
         "  case ${words[CURRENT-1]} in\n" +
         values +
         "  esac\n"
         "  [[ ${words[1]:t} == frg ]] && command=search\n"
         "  for word in ${words[2,CURRENT-1]}; do\n"
         "    [[ -n $command ]] && break\n"
         "    case $word in\n      " +
         names +
         ") command=$word ;;\n"
         "    esac\n"
         "  done\n"
         "  case $command in\n"
         "    '')\n      choices=(" +
         ZshItems(ZshWords(program)) + " ) ;;\n" + cases +
         "  esac\n"
         "  if [[ ${words[CURRENT]} == -* ]]; then\n"
         "    _describe -o option options\n"
         "  elif (( $#choices )); then\n"
         "    _describe word choices\n"
         "  else\n"
         "    _files\n"
         "  fi\n"
         "}\n"
         "# As a file of $fpath it is the function itself; else it is read by `source`.\n"
         "if [[ ${funcstack[1]} == _forge-search ]]; then\n"
         "  _forge_search \"$@\"\n"
         "else\n"
         "  compdef _forge_search forge-search frg\n"
         "fi\n";
}

std::string FishLine(const std::string& program, const std::string& condition, const OptionInfo& option) {
  std::string line = "complete -c " + program + condition;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + Quoted(name.substr(1));
  }
  if (!option.value.empty()) line += " -r";
  if (!option.choices.empty()) line += " -f -a " + Quoted(Joined(option.choices));
  return line + " -d " + Quoted(option.doc) + "\n";
}

std::string FishLines(const std::string& program, const std::string& condition, const CommandInfo& command) {
  std::string out;
  for (const OptionInfo& option : command.options) {
    if (!option.positional) out += FishLine(program, condition, option);
  }
  return out;
}

std::string Fish(const CommandInfo& program) {
  const std::string name = "forge-search";
  std::string out = "# fish completion for forge-search and frg\n" + FishLines(name, "", program);
  out += FishLines("frg", "", program);
  for (const CommandInfo& command : program.commands) {
    if (command.name == "search") out += FishLines("frg", "", command);
    out +=
        "complete -c " + name + " -n __fish_use_subcommand -f -a " + command.name + " -d " + Quoted(command.doc) + "\n";
    const std::string inside = " -n '__fish_seen_subcommand_from " + command.name + "'";
    out += FishLines(name, inside, command);
    if (const auto words = FirstWords(command); !words.empty()) {
      out += "complete -c " + name + inside + " -f -a " + Quoted(Joined(words)) + "\n";
    }
    for (const CommandInfo& sub : command.commands) {
      out += FishLines(name, " -n '__fish_seen_subcommand_from " + sub.name + "'", sub);
    }
  }
  return out;
}

}  // namespace

std::string Completions(const CommandInfo& program, Shell shell) {
  switch (shell) {
    case Shell::kBash: return Bash(program);
    case Shell::kZsh: return Zsh(program);
    case Shell::kFish: return Fish(program);
  }
  return "";
}

}  // namespace forge::cli
