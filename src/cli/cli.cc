#include "cli/cli.h"

#include <cerrno>
#include <cstring>
#include <ostream>

#include "cli/command_line.h"
#include "cli/common.h"
#include "forge/version.h"
#include "mcp/protocol.h"
#include "os/standard_streams.h"

namespace forge::cli {
namespace {

int PrintVersion(bool json, Host& host) {
  if (!json) {
    host.out << "forge-search " << Version() << '\n';
    return 0;
  }
  host.out << R"({"name":"forge-search","version":")" << Version() << R"(","compiler":")" << __VERSION__
           << R"(","mcp":[)";
  for (const std::string_view version : mcp::kLegacyVersions) host.out << '"' << version << "\",";
  host.out << '"' << mcp::kModernVersion << "\"]}\n";
  return 0;
}

int Run(CommandLine line, Host& host) {
  if (line.error) {
    if (!line.help.empty()) host.err << line.help << '\n';
    return line.command != nullptr ? line.command->Refuse(*line.error, host)
                                   : Fail(host, line.error->message, line.error->hint);
  }
  if (line.version) return PrintVersion(line.global.json, host);
  if (line.command != nullptr) return line.command->Run(line.global, host);
  host.out << line.help;
  return 0;
}

}  // namespace

int Command::Refuse(const UsageError& error, Host& host) const { return Fail(host, error.message, error.hint); }

int RunCli(const std::vector<std::string>& arguments, Host& host) {
  errno = 0;
  const int status = Run(ParseCommandLine(arguments), host);
  host.out.flush();
  if (host.out) return status;
  // `forge-search ... | head` is no error: the reader has seen enough.
  if (os::ReaderIsGone(errno)) return status;
  return Fail(host, std::string("cannot write the output: ") + (errno != 0 ? std::strerror(errno) : "unknown reason"));
}

}  // namespace forge::cli
