#include "cli/command_info.h"
#include "forge/version.h"

namespace forge::cli {
namespace {

// A backslash, and a dot or quote at the start of a line, mean something to
// troff; a plain '-' may be printed as a hyphen.
std::string Escaped(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      default: out += c;
    }
  }
  return out;
}

std::string Option(const OptionInfo& option) {
  std::string head;
  for (const std::string& name : option.names) head += (head.empty() ? "" : ", ") + ("\\fB" + Escaped(name) + "\\fR");
  if (!option.value.empty() && !option.positional) head += " \\fI" + Escaped(option.value) + "\\fR";
  return ".TP\n" + head + "\n" + Escaped(option.doc) + ".\n";
}

std::string Verbatim(const std::string& text) { return text.empty() ? "" : ".PP\n.nf\n" + Escaped(text) + "\n.fi\n"; }

void Command(const CommandInfo& command, const std::string& parent, std::string& out) {
  std::string line = parent + command.name;
  std::string usage;
  for (const OptionInfo& option : command.options) {
    if (!option.positional) continue;
    const std::string word = "\\fI" + Escaped(option.names.front()) + "\\fR";
    usage += option.required ? " " + word : " [" + word + "]";
  }
  out += ".SS " + Escaped(line) + "\n\\fBforge\\-search " + Escaped(line) + "\\fR" +
         (command.options.empty() ? "" : " [\\fIoptions\\fR]") + usage + "\n.PP\n" + Escaped(command.doc) + ".\n";
  for (const OptionInfo& option : command.options) out += Option(option);
  out += Verbatim(command.footer);
  for (const CommandInfo& sub : command.commands) Command(sub, line + " ", out);
}

}  // namespace

std::string ManPage(const CommandInfo& program) {
  std::string out = ".TH FORGE\\-SEARCH 1 \"\" \"forge\\-search " + std::string(Version()) +
                    "\" \"User Commands\"\n"
                    ".SH NAME\nforge\\-search \\- find text in a local source tree, for people and for LLM agents\n"
                    ".SH SYNOPSIS\n.B forge\\-search\n[\\fIoptions\\fR] \\fIcommand\\fR ...\n"
                    ".SH DESCRIPTION\n" +
                    Escaped(program.doc) + "\n.SH OPTIONS\nThese may also follow the command.\n";
  for (const OptionInfo& option : program.options) out += Option(option);
  out += ".SH COMMANDS\n";
  for (const CommandInfo& command : program.commands) Command(command, "", out);
  out +=
      ".SH EXIT STATUS\n0: something was found, or done. 1: nothing was found. 2: an error. 130, 143: ended by SIGINT, "
      "SIGTERM.\n"
      ".SH FILES\n.TP\n.I ~/.forge/config.toml\nConfiguration; else $XDG_CONFIG_HOME/forge/config.toml.\n"
      ".SH ENVIRONMENT\n.TP\n.B FORGE_CONFIG\nThe configuration file to read.\n"
      ".TP\n.BI FORGE_SEARCH_ KEY\nOverrides a key of [tools.search].\n"
      ".TP\n.BR FORGE_SEARCH_ROOT \", \" CLAUDE_PROJECT_DIR\nWhich folder the MCP server searches.\n"
      ".TP\n.BR NO_COLOR \", \" CLICOLOR_FORCE\nColour never, or always.\n"
      ".SH SEE ALSO\n.BR ugrep (1),\n.BR rg (1)\n";
  return out;
}

}  // namespace forge::cli
