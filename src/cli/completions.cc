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

std::vector<std::string> OptionWords(const CommandInfo& command) {
  std::vector<std::string> words;
  for (const OptionInfo& option : command.options) {
    if (!option.positional) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
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
    out += option.choices.empty() ? "COMPREPLY=($(compgen -f -- \"$word\"))"
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
    options += "      " + command.name + ") options=" + Quoted(Joined(OptionWords(command))) + " ;;\n";
    for (const CommandInfo& sub : command.commands) BashValues(sub, values);
  }
  return "# bash completion for forge-search\n"
         "_forge_search() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words= options= i\n"
         "  COMPREPLY=()\n"
         "  case $previous in\n" +
         values +
         "  esac\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case ${COMP_WORDS[i]} in\n"
         "      " +
         names +
         ") command=${COMP_WORDS[i]}; break ;;\n"
         "    esac\n"
         "  done\n"
         "  if [[ -z $command ]]; then\n"
         "    words=" +
         Quoted(Joined(SubcommandWords(program))) +
         "\n  else\n"
         "    case $command in\n" +
         commands + "    esac\n    case $command in\n" + options +
         "    esac\n"
         "  fi\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options " +
         Joined(OptionWords(program)) +
         "\" -- \"$word\"))\n"
         "  elif [[ -n $words ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _forge_search forge-search\n";
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

std::vector<std::pair<std::string, std::string>> ZshOptions(const CommandInfo& command) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const OptionInfo& option : command.options) {
    if (option.positional) continue;
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

std::string Zsh(const CommandInfo& program) {
  std::string cases;
  std::string names;
  for (const CommandInfo& command : program.commands) {
    names += (names.empty() ? "" : "|") + command.name;
    cases += "    " + command.name + ")\n      options+=(" + ZshItems(ZshOptions(command)) + " )\n      choices=(" +
             ZshItems(ZshWords(command)) + " ) ;;\n";
  }
  return "#compdef forge-search\n"
         "_forge_search() {\n"
         "  local -a options choices\n"
         "  local command= word\n"
         "  options=(" +
         ZshItems(ZshOptions(program)) +
         " )\n"
         "  for word in ${words[2,CURRENT-1]}; do\n"
         "    case $word in\n      " +
         names +
         ") command=$word; break ;;\n"
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
         "_forge_search \"$@\"\n";
}

std::string FishLine(const std::string& condition, const OptionInfo& option) {
  std::string line = "complete -c forge-search" + condition;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + Quoted(name.substr(1));
  }
  if (!option.value.empty()) line += " -r";
  if (!option.choices.empty()) line += " -f -a " + Quoted(Joined(option.choices));
  return line + " -d " + Quoted(option.doc) + "\n";
}

std::string Fish(const CommandInfo& program) {
  std::string out = "# fish completion for forge-search\n";
  for (const OptionInfo& option : program.options) out += FishLine("", option);
  for (const CommandInfo& command : program.commands) {
    out +=
        "complete -c forge-search -n __fish_use_subcommand -f -a " + command.name + " -d " + Quoted(command.doc) + "\n";
    const std::string inside = " -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const OptionInfo& option : command.options) {
      if (!option.positional) out += FishLine(inside, option);
    }
    if (const auto words = FirstWords(command); !words.empty()) {
      out += "complete -c forge-search" + inside + " -f -a " + Quoted(Joined(words)) + "\n";
    }
    for (const CommandInfo& sub : command.commands) {
      for (const OptionInfo& option : sub.options) {
        if (!option.positional) out += FishLine(" -n '__fish_seen_subcommand_from " + sub.name + "'", option);
      }
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
