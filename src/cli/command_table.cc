#include "cli/command.h"

// To add a command: its file, which defines NAMEEntry(), and its row here.
#define FORGE_COMMANDS(ROW) \
  ROW(Search)               \
  ROW(Live)                 \
  ROW(Ask)                  \
  ROW(Call)                 \
  ROW(Schema)               \
  ROW(Mcp)                  \
  ROW(Serve)                \
  ROW(Config)               \
  ROW(Doctor)               \
  ROW(Index)                \
  ROW(Setup)                \
  ROW(Completions)          \
  ROW(Help)

namespace forge::cli {

#define FORGE_DECLARE(NAME) CommandEntry NAME##Entry();
FORGE_COMMANDS(FORGE_DECLARE)
#undef FORGE_DECLARE

std::vector<CommandEntry> CommandTable() {
#define FORGE_ENTRY(NAME) NAME##Entry(),
  return {FORGE_COMMANDS(FORGE_ENTRY)};
#undef FORGE_ENTRY
}

}  // namespace forge::cli
