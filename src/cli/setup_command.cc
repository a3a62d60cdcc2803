// forge-search setup

#include <cerrno>
#include <filesystem>
#include <ostream>
#include <system_error>

#include "cli/commands.h"
#include "os/named_file.h"
#include "os/new_file.h"
#include "setup/hosts.h"

namespace forge::cli {
namespace {

constexpr std::uint64_t kMaxFileBytes = 64 << 20;  // Claude Code keeps its history there too
constexpr int kMaxBackups = 100;

std::string ProgramOf(const Host& host) { return host.program.empty() ? "forge-search" : host.program; }

int Print(const CommandLine& line, const std::string& file, Host& host) {
  host.out << "To " << file << ", add:\n\n" << setup::Snippet(line.host, ProgramOf(host));
  if (const std::string own = setup::OwnCommand(line.host, ProgramOf(host)); !own.empty() && !line.project) {
    host.out << "\nor run:\n\n  " << own << '\n';
  }
  host.out << "\n`forge-search setup " << line.host << (line.project ? " --project" : "")
           << " --write` does it, and keeps a copy of the old file.\n";
  return 0;
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

int ByHand(const CommandLine& line, const std::string& file, const std::string& why, Host& host) {
  return Fail(host, file + " was left as it is: " + why,
              "`forge-search setup " + line.host + "` prints what to add by hand");
}

int CreateFile(const CommandLine& line, const std::string& file, Host& host) {
  const auto text = setup::Edit(line.host, "", ProgramOf(host));
  const auto written = os::WriteNewFile(file, text ? *text : "");
  if (!written.ok()) return Fail(host, "cannot write " + file + ": " + written.error().message());
  host.out << "wrote " << file << '\n';
  return 0;
}

int Write(const CommandLine& line, const std::string& file, Host& host) {
  const auto old = os::ReadSmallFile(file, kMaxFileBytes);
  if (!old.ok() && old.error().code == ENOENT) return CreateFile(line, file, host);
  if (!old.ok()) return Fail(host, "cannot read " + file + ": " + old.error().message());
  const auto edited = setup::Edit(line.host, *old, ProgramOf(host));
  if (!edited) return ByHand(line, file, edited.error().message, host);
  if (*edited == *old) {
    host.out << file << " has it already\n";
    return 0;
  }
  const auto copy = KeepCopy(file, *old);
  if (!copy) return Fail(host, copy.error());
  // A running host may write the same file.
  const auto now = os::ReadSmallFile(file, kMaxFileBytes);
  if (!now.ok() || *now != *old) return ByHand(line, file, "it changed meanwhile; close the host and try again", host);
  const auto replaced = os::ReplaceFile(file, *edited);
  if (!replaced.ok()) return Fail(host, "cannot write " + file + ": " + replaced.error().message());
  host.out << "changed " << file << "; the old one is " << *copy << '\n';
  return 0;
}

}  // namespace

int RunSetup(const CommandLine& line, Host& host) {
  std::error_code error;
  const std::string folder = line.cwd.empty() ? std::filesystem::current_path(error).string() : line.cwd;
  const auto scope = line.project ? setup::Scope::kProject : setup::Scope::kUser;
  const auto file = setup::FileOf(line.host, scope, host.environment, folder);
  if (!file && line.project)
    return Fail(host, line.host + " has no configuration for a project", "leave out --project");
  if (!file) return Fail(host, "HOME is not set, so the configuration cannot be found");
  return line.write ? Write(line, *file, host) : Print(line, *file, host);
}

}  // namespace forge::cli
