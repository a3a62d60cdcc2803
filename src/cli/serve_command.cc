// forge-search serve

#include <ostream>

#include "base/names.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/common.h"
#include "os/memory.h"
#include "os/named_file.h"
#include "remote/contact.h"
#include "remote/server.h"
#include "tool/server_json.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(One process for all sessions of a user: it holds the indexes of the trees in use,
and answers searches of `mcp`, `search`, `call` and `index status`. An agent's
session starts it by itself where an index is used; nothing ever needs it.

  forge-search serve --status                   what it holds; with --json, for programs
  forge-search serve --stop                     end it

It ends when nobody has used it for server.idle_timeout_ms, and when the program
is replaced by another version.)";

constexpr std::chrono::milliseconds kReplyTime{2000};

std::string Megabytes(std::uint64_t bytes) { return std::to_string((bytes + 500'000) / 1'000'000) + " MB"; }

std::string Shown(std::string_view text) { return Sanitize(LossyUtf8(text)); }

void PrintTree(const remote::TreeReport& tree, std::ostream& out) {
  std::string roots;
  for (const std::string& root : tree.roots) roots += (roots.empty() ? "" : ", ") + Shown(root);
  out << roots << (tree.working_dir == tree.roots.front() ? "" : ", working folder " + Shown(tree.working_dir)) << '\n';
  out << "  clients     " << tree.clients << '\n';
  for (const IndexStatus& index : tree.indexes) {
    out << "  index       " << Name(index.state) << InBrackets(Name(index.reason)) << ", " << Count(index.files, "file")
        << ", " << Megabytes(index.bytes_in_memory) << " in memory, " << Megabytes(index.text_bytes) << " of text, "
        << index.watches << " watches\n";
    if (!index.problem.empty()) out << "  problem     " << Shown(index.problem) << '\n';
  }
}

void Print(const remote::ServerReport& report, std::ostream& out) {
  std::uint64_t watches = 0;
  for (const remote::TreeReport& tree : report.trees) {
    for (const IndexStatus& index : tree.indexes) watches += index.watches;
  }
  out << "process " << report.process << ", running for " << report.running.count() / 1000 << " s, "
      << Count(report.clients - 1, "other client") << ", " << Count(report.calls, "call") << " so far, "
      << Megabytes(report.memory_bytes) << ", " << watches << " watches\n";
  for (const remote::TreeReport& tree : report.trees) PrintTree(tree, out);
}

struct ServeCommand : Command {
  bool status = false;
  bool stop = false;

  void Define(Options& options) override {
    options.Flag("--status", status, "Show the server that runs: trees, clients, memory, watches");
    options.Flag("--stop", stop, "End the server that runs");
    options.Json("With --status: print one JSON document");
  }

  int Run(const GlobalOptions& global, Host& host) override {
    const remote::Place place = remote::FindPlace(host.environment);
    if (status || stop) return Ask(place, global.json, host);
    os::PreferSmallMemory();
    const auto loaded = LoadConfigAndWarn(global, host, config::Profile::kRecommended);
    if (!loaded) return Fail(host, loaded.error());
    return Serve(place, loaded->config.server, host);
  }

 private:
  int Ask(const remote::Place& place, bool json, Host& host) const {
    const remote::Met met = remote::Meet(place, host.stop.token());
    if (met.channel == nullptr) {
      Note(host, std::string(remote::Describe(met.contact)));
      return met.contact == remote::Contact::kNone ? kExitNotFound : kExitError;
    }
    const Deadline deadline = Deadline::After(kReplyTime, host.stop.token());
    if (stop) {
      remote::Lost lost = remote::Lost::kClosed;
      const bool told =
          met.channel->SendBytes(remote::Type::kStop, "", deadline) && met.channel->Receive(deadline, lost).has_value();
      return told ? 0 : Fail(host, "the server does not answer");
    }
    const bool sent = met.channel->SendBytes(remote::Type::kServerStatus, "", deadline);
    const auto report =
        sent ? met.channel->Expect<remote::ServerReport>(remote::Type::kServerReport, deadline) : std::nullopt;
    if (!report) return Fail(host, "the server does not answer");
    if (json) {
      tool::WritePretty(tool::ToDocument(*report), host.out);
    } else {
      Print(*report, host.out);
    }
    return 0;
  }

  static int Serve(const remote::Place& place, const ServerConfig& config, Host& host) {
    auto server = remote::Server::Create({.place = place,
                                          .make = host.make_engine,
                                          .idle_timeout = config.idle_timeout,
                                          .is_current = [&] { return IsCurrent(place, host.program); },
                                          .log = [&host](const std::string& line) { Note(host, "warning: " + line); },
                                          .stop = host.stop});
    if (!server && server.error().code == ErrorCode::kLocked) {
      Note(host, server.error().message);
      return 0;
    }
    if (!server) return Fail(host, server.error());
    // A client that has started us waits for this line.
    host.out << "serving in " << Shown(place.folder) << '\n' << std::flush;
    if (!host.out) return Fail(host, "cannot write to standard output");
    (*server)->Run();
    return 0;
  }

  static bool IsCurrent(const remote::Place& place, const std::string& program) {
    const auto file = os::StatPath(program);
    return file.ok() && remote::BuildOf(*file) == place.build;
  }
};

}  // namespace

CommandEntry ServeEntry() {
  return {"serve", "Keep indexes warm for all sessions, in one process", kFooter, Make<ServeCommand>};
}

}  // namespace forge::cli
