// forge-search setup

#include <cerrno>
#include <ostream>

#include "base/path.h"
#include "cli/common.h"
#include "os/named_file.h"
#include "os/new_file.h"
#include "setup/hosts.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Hosts: claude-code, cline, codex, continue, copilot, cursor, gemini, kilo,
opencode, qwen, vscode, zed.

Examples:
  forge-search setup claude-code                print what to add, and where
  forge-search setup codex --write              add it; the old file is kept
  forge-search setup vscode --project --write   for the current folder only)";

constexpr std::uint64_t kMaxFileBytes = 64 << 20;  // Claude Code keeps its history there too
constexpr int kMaxBackups = 100;

setup::Starter StarterOf(const Host& host) {
  return setup::StarterFor(host.program.empty() ? "forge-search" : host.program);
}

// A build folder does not live as long as a configuration.
void WarnOfBuildFolder(Host& host) {
  const std::string folder(ParentPath(host.program));
  if (folder.empty() || !os::StatPath(JoinPath(folder, "CMakeCache.txt")).ok()) return;
  Note(host, "warning: " + host.program +
                 " is in a build folder, and the host will start it from there; install it first (`cmake --install "
                 "build/release`) to have a command that lasts");
}

// The name of the copy.
Result<std::string> KeepCopy(const std::string& file, const std::string& text) {
  for (int i = 1; i <= kMaxBackups; ++i) {
    const std::string copy = file + ".before-forge-search" + (i == 1 ? "" : "-" + std::to_string(i));
    const auto written = os::WriteNewFile(copy, text);
    if (written.ok()) return copy;
    if (written.error().code != EEXIST)
      return ExecutionFailed("cannot write " + copy + ": " + written.error().message());
  }
  return ExecutionFailed("there are " + std::to_string(kMaxBackups) + " copies of " + file + " already");
}

struct SetupCommand : Command {
  std::string name;  // of the host
  bool project = false;
  bool write = false;

  void Define(Options& options) override {
    options.Required("HOST", name, setup::HostNames(), "The program that will use the server");
    options.Flag("--project", project, "For the current folder instead of for the user");
    options.Flag("--write", write, "Edit the host's configuration, keeping a copy of the old one");
  }

  int Run(const GlobalOptions& global, Host& host) override {
    const auto scope = project ? setup::Scope::kProject : setup::Scope::kUser;
    const auto file = setup::FileOf(name, scope, host.environment, WorkingFolder(global), os::ThisSystem());
    if (!file && project) return Fail(host, name + " has no configuration for a project", "leave out --project");
    if (!file) return Fail(host, "HOME is not set, so the configuration cannot be found");
    WarnOfBuildFolder(host);
    return write ? Write(*file, host) : Print(*file, host);
  }

 private:
  int Print(const std::string& file, Host& host) const {
    host.out << "To " << file << ", add:\n\n" << setup::Snippet(name, StarterOf(host));
    if (const std::string own = setup::OwnCommand(name, StarterOf(host)); !own.empty() && !project) {
      host.out << "\nor run:\n\n  " << own << '\n';
    }
    host.out << "\n`forge-search setup " << name << (project ? " --project" : "")
             << " --write` does it, and keeps a copy of the old file.\n";
    return 0;
  }

  int ByHand(const std::string& file, const std::string& why, Host& host) const {
    return Fail(host, file + " was not changed: " + why,
                "`forge-search setup " + name + "` prints what to add by hand");
  }

  int CreateFile(const std::string& file, Host& host) const {
    const auto text = setup::Edit(name, "", StarterOf(host));
    const auto written = os::WriteNewFile(file, text ? *text : "");
    if (!written.ok()) return Fail(host, "cannot write " + file + ": " + written.error().message());
    host.out << "wrote " << file << '\n';
    return 0;
  }

  int Write(const std::string& file, Host& host) const {
    const auto old = os::ReadSmallFile(file, kMaxFileBytes);
    if (!old.ok() && old.error().code == ENOENT) return CreateFile(file, host);
    if (!old.ok()) return Fail(host, "cannot read " + file + ": " + old.error().message());
    const auto edited = setup::Edit(name, *old, StarterOf(host));
    if (!edited) return ByHand(file, edited.error().message, host);
    if (*edited == *old) {
      host.out << file << " has it already\n";
      return 0;
    }
    const auto copy = KeepCopy(file, *old);
    if (!copy) return Fail(host, copy.error());
    // A running host may write the same file.
    const auto now = os::ReadSmallFile(file, kMaxFileBytes);
    if (!now.ok() || *now != *old) return ByHand(file, "it changed meanwhile; close the host and try again", host);
    const auto replaced = os::ReplaceFile(file, *edited);
    if (!replaced.ok()) return Fail(host, "cannot write " + file + ": " + replaced.error().message());
    host.out << "changed " << file << "; the old one is " << *copy << '\n';
    return 0;
  }
};

}  // namespace

CommandEntry SetupEntry() { return {"setup", "Add the MCP server to a host", kFooter, Make<SetupCommand>}; }

}  // namespace forge::cli
