#include "live/editor.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"

namespace forge::live {
namespace {

std::string EditorOf(const Environment& environment) {
  for (const char* name : {"VISUAL", "EDITOR"}) {
    if (std::string editor = environment.Get(name); !editor.empty()) return editor;
  }
  return "vi";
}

// "/usr/bin/code --wait" is "code".
std::string_view ProgramOf(std::string_view command) {
  command = command.substr(0, command.find(' '));
  return command.substr(command.rfind('/') + 1);
}

bool IsOne(std::string_view program, const std::vector<std::string_view>& programs) {
  return std::find(programs.begin(), programs.end(), program) != programs.end();
}

// How each editor takes a line; most take vi's way.
std::vector<std::string> Arguments(std::string_view program, const Spot& spot) {
  const std::string path = spot.path.starts_with('-') ? "./" + spot.path : spot.path;
  const std::string line = std::to_string(spot.line);
  const std::string place = path + ":" + line + ":" + std::to_string(std::max<std::uint64_t>(spot.column, 1));
  if (IsOne(program, {"code", "code-insiders", "codium", "cursor", "windsurf"})) return {"--goto", place};
  if (IsOne(program, {"hx", "helix", "subl", "zed", "zeditor"})) return {place};
  if (IsOne(program, {"kate", "kwrite"})) return {"--line", line, path};
  return {"+" + line, path};
}

}  // namespace

std::vector<std::string> EditorCommand(const Environment& environment, const Spot& spot) {
  const std::string editor = EditorOf(environment);
  std::vector<std::string> command = {"/bin/sh", "-c", editor + " \"$@\"", editor};
  for (std::string& argument : Arguments(ProgramOf(editor), spot)) command.push_back(std::move(argument));
  return command;
}

}  // namespace forge::live
