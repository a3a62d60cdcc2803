// forge-search doctor

#include <algorithm>
#include <ostream>

#include "base/names.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/bug_report.h"
#include "cli/common.h"
#include "cli/index_words.h"
#include "cli/lazy_engine.h"
#include "cli/trial.h"
#include "forge/version.h"
#include "llm/registry.h"
#include "mcp/self_check.h"
#include "os/limits.h"
#include "os/named_file.h"
#include "os/process.h"
#include "remote/contact.h"
#include "setup/hosts.h"
#include "tool/findings.h"
#include "tool/registry.h"
#include "tool/search_tool.h"
#include "tool/write.h"

namespace forge::cli {
namespace {

using tool::Finding;
using tool::Level;
using Findings = std::vector<Finding>;
using Layer = config::Origin::Layer;

constexpr std::uint64_t kFewOpenFiles = 1024;
constexpr std::uint64_t kFewWatches = 8192;
constexpr std::uint64_t kMaxHostFile = 64 << 20;

void ExamineConfig(const config::Loaded& loaded, Findings& out) {
  constexpr auto kArea = "Configuration";
  out.push_back({kArea, Level::kOk,
                 loaded.file.empty() ? "no file; `forge-search config init` writes one" : "file " + loaded.file});
  for (const std::string& warning : loaded.warnings) {
    out.push_back({kArea, Level::kWarning, warning, "correct or remove it"});
  }
  for (std::size_t i = 0; i < config::Keys().size(); ++i) {
    const config::Key& key = config::Keys()[i];
    if (loaded.origins[i].layer == Layer::kDefault) continue;  // `config print` has them all
    const std::string value = config::TomlText(config::Get(key, loaded.config));
    out.push_back(
        {kArea, Level::kOk,
         key.FullName() + " = " + (value.empty() ? "(not set)" : value) + " (" + loaded.origins[i].text + ")"});
  }
  if (const std::string by = SearchDisabledBy(loaded); !by.empty()) {
    out.push_back({kArea, Level::kWarning, "Search is switched off by " + by, "set tools.search.enabled = true"});
  }
}

std::string Describe(const BackendReport& backend) {
  std::string text = backend.configured;
  if (!backend.path.empty()) text += ": " + backend.path;
  if (!backend.id.empty()) text += ", " + backend.id;
  for (std::size_t i = 0; i < backend.capabilities.size(); ++i) {
    text += (i == 0 ? " (" : ", ") + backend.capabilities[i] + (i + 1 == backend.capabilities.size() ? ")" : "");
  }
  return text;
}

// The commands that share a backend, and what it means for them if there is none.
struct Users {
  std::string commands;
  Level without;
};

// Which backend these commands use, and why (R6).
void ExamineUse(const Users& users, const config::Loaded& loaded, const std::vector<BackendReport>& backends,
                Findings& out) {
  const config::Origin& origin = loaded.origins[*config::FindKey("tools.search", "binary")];
  const auto used = std::find_if(backends.begin(), backends.end(), [](const BackendReport& b) { return b.usable; });
  const std::string why = origin.layer == Layer::kDefault ? "the default of these" : origin.text;
  if (used != backends.end()) {
    out.push_back({"Backends", Level::kOk,
                   users.commands + ": " + (used->id.empty() ? used->configured : used->id) + " (" + why + ")"});
    return;
  }
  out.push_back({"Backends", users.without, users.commands + ": no usable backend (" + why + ")",
                 "install ugrep 3.0 or rg 13.0 or newer, set tools.search.binary to its path, or to \"native\", "
                 "which needs nothing"});
}

void ExamineBackends(const Users& users, const config::Loaded& loaded, const Engine& engine, Findings& out) {
  const auto backends = engine.backends();
  ExamineUse(users, loaded, backends, out);
  const bool any = std::any_of(backends.begin(), backends.end(), [](const BackendReport& b) { return b.usable; });
  const bool asked_for = loaded.origins[*config::FindKey("tools.search", "fallback_binary")].layer != Layer::kDefault;
  for (const BackendReport& backend : backends) {
    // Nobody asked for a fallback behind a backend that is always there.
    if (!asked_for && &backend != backends.data() && backends.front().configured == "native") break;
    const Level level = backend.usable ? Level::kOk : any ? Level::kWarning : users.without;
    const std::string problem = backend.problem.empty() ? "" : ": " + backend.problem;
    out.push_back({"Backends", level, Describe(backend) + problem,
                   backend.usable ? "" : "install ugrep 3.0 or rg 13.0 or newer, or use native"});
  }
}

// Only `call` and the library take another backend, and only where no source
// names one. A fallback that nothing needs is no problem.
void ExamineCallBackends(const config::Loaded& loaded, const Engine& engine, Findings& out) {
  const auto backends = engine.backends();
  ExamineUse({"call and the library", Level::kWarning}, loaded, backends, out);
  for (const BackendReport& backend : backends) {
    const std::string problem = backend.problem.empty() ? "" : ": " + backend.problem;
    out.push_back({"Backends", Level::kOk, Describe(backend) + problem});
  }
}

void ExamineRoots(const Engine& engine, Findings& out) {
  for (const std::string& root : engine.roots()) out.push_back({"Roots", Level::kOk, root});
  out.push_back({"Roots", Level::kOk, "working folder " + engine.working_dir()});
}

void ExamineLimit(std::string name, std::optional<std::uint64_t> value, std::uint64_t few, std::string hint,
                  Findings& out) {
  const bool low = value && *value < few;
  out.push_back({"Limits", low ? Level::kWarning : Level::kOk,
                 std::move(name) + ": " + (value ? std::to_string(*value) : "no limit known"),
                 low ? std::move(hint) : ""});
}

// A one-shot command does not build, so this shows the stored index.
void ExamineIndex(Engine& engine, Findings& out) {
  constexpr auto kArea = "Index";
  if (engine.config().search.index.mode == IndexMode::kOff) {
    out.push_back({kArea, Level::kOk, "off; docs/index.md says what it is for"});
    return;
  }
  for (const std::string& problem : engine.index_diagnostics()) {
    out.push_back({kArea, Level::kWarning, problem, "searches without it give the same answers, but take longer"});
  }
  for (const IndexStatus& status : engine.index_status()) {
    if (status.state == IndexState::kDisabled && status.reason == IndexReason::kBelowThreshold) {
      out.push_back({kArea, Level::kOk, status.root + ": " + StateInWords(status) + "; --index=on uses one"});
      continue;
    }
    const bool bad = !status.problem.empty() || status.state == IndexState::kCorrupt;
    std::string text = status.root + ": " + StateInWords(status);
    text.append("; ").append(Name(status.storage)).append(InBrackets(NameOr(status.storage_fallback_reason, "")));
    text += ", " + Count(status.files, "file");
    if (!status.problem.empty()) text += ": " + status.problem;
    out.push_back({kArea, bad ? Level::kWarning : Level::kOk, std::move(text),
                   bad ? "`forge-search index build --anew` builds it again" : ""});
  }
}

// Never needed, so nothing about it is worse than fine.
void ExamineServer(const config::Loaded& loaded, const Host& host, Findings& out) {
  if (loaded.config.server.mode == ServerMode::kOff) {
    out.push_back({"Server", Level::kOk, "off; every process searches by itself"});
    return;
  }
  const remote::Met met = remote::Meet(remote::FindPlace(host.environment));
  std::string text(remote::Describe(met.contact));
  if (met.channel) text += " (process " + std::to_string(met.channel->peer()) + "); `forge-search serve --status`";
  if (met.contact != remote::Contact::kMet) text += ", so every process searches by itself";
  out.push_back({"Server", Level::kOk, std::move(text)});
}

// Names only; we see whether a key works when it is used.
void ExamineModels(const config::Loaded& loaded, const Environment& environment, Findings& out) {
  constexpr auto kArea = "Models";
  if (const std::string by = KeywordDisabledBy(loaded); !by.empty()) {
    out.push_back({kArea, Level::kOk, "keyword_search is switched off by " + by});
    return;
  }
  const std::vector<std::string> names = llm::Registry(loaded.config.llm, environment).Available();
  for (const std::string& name : names) out.push_back({kArea, Level::kOk, name});
  if (names.empty()) out.push_back({kArea, Level::kOk, "none, so keyword_search has no model to ask"});
}

// One file is enough to see whether a call is answered.
void ExamineMcp(const GlobalOptions& global, const config::Loaded& loaded, Host& host, Findings& out) {
  if (!SearchDisabledBy(loaded).empty()) return;
  LazyEngine engine([&] { return CreateEngine(global, loaded, host); });
  tool::Registry registry;
  if (!registry.Add(tool::MakeSearchTool([&engine] { return engine.Get(); }))) return;
  const std::string problem =
      mcp::SelfCheck(registry, "Search", R"({"pattern":"x","max_files":1,"max_results":1,"timeout_ms":5000})");
  if (problem.empty()) {
    out.push_back({"MCP", Level::kOk, "the server answers, and so does a call of Search"});
  } else {
    out.push_back({"MCP", Level::kFailure, problem, "see Backends and Roots above"});
  }
}

// `options` are those of `setup` for this file.
void ExamineHost(const std::string& name, const std::string& file, const std::string& options,
                 const std::string& search_path, Findings& out) {
  const auto text = os::ReadSmallFile(file, kMaxHostFile);
  if (!text.ok()) return;
  const auto program = setup::ProgramIn(name, *text);
  if (!program) return;
  if (os::FindProgram(*program, search_path)) {
    out.push_back({"Hosts", Level::kOk, name + " starts " + *program + " (" + file + ")"});
  } else {
    out.push_back({"Hosts", Level::kWarning,
                   name + " would start " + *program + ", which does not exist (" + file + ")",
                   "`forge-search setup " + name + options + " --write` corrects it"});
  }
}

void ExamineHosts(const GlobalOptions& global, const Host& host, Findings& out) {
  const std::string folder = WorkingFolder(global);
  const std::size_t before = out.size();
  for (const std::string& name : setup::HostNames()) {
    const auto user = setup::FileOf(name, setup::Scope::kUser, host.environment, folder, os::ThisSystem());
    const auto project = setup::FileOf(name, setup::Scope::kProject, host.environment, folder, os::ThisSystem());
    const std::string search_path = host.environment.Get("PATH");
    if (user) ExamineHost(name, *user, "", search_path, out);
    // In the home folder both are one file.
    if (project && project != user) ExamineHost(name, *project, " --project", search_path, out);
  }
  if (out.size() == before) {
    out.push_back({"Hosts", Level::kOk, "none is set up to start it; `forge-search setup HOST` shows how"});
  }
}

// `loaded` is the configuration of `search` and `mcp`.
void ExamineEngine(const GlobalOptions& global, const config::Loaded& loaded, Host& host, Findings& out) {
  const auto engine = CreateEngine(global, loaded, host);
  if (!engine) {
    out.push_back(
        {"Roots", Level::kFailure, engine.error().message, "check --root, --cwd and tools.sandbox.allowed_roots"});
    return;
  }
  const auto for_call = LoadConfig(global, host, config::Profile::kSpecification);
  const bool same = !for_call || for_call->config.search.binary == loaded.config.search.binary;
  ExamineBackends({same ? "all commands" : "search, live, ask, index and mcp", Level::kFailure}, loaded, **engine, out);
  if (!same) {
    if (const auto other = CreateEngine(global, *for_call, host)) ExamineCallBackends(*for_call, **other, out);
  }
  ExamineRoots(**engine, out);
  ExamineIndex(**engine, out);
}

Findings Examine(const GlobalOptions& global, Host& host) {
  Findings out;
  auto loaded = LoadConfig(global, host, config::Profile::kRecommended);
  if (loaded) {
    ExamineConfig(*loaded, out);
    ExamineServer(*loaded, host, out);
    loaded->config.server.mode = ServerMode::kOff;  // the rest is about this process
  } else {
    out.push_back({"Configuration", Level::kFailure, loaded.error().message,
                   "correct it; `forge-search config --help` explains"});
  }
  if (loaded) ExamineEngine(global, *loaded, host, out);
  if (loaded) ExamineModels(*loaded, host.environment, out);
  if (loaded) ExamineMcp(global, *loaded, host, out);
  ExamineHosts(global, host, out);
  ExamineLimit("open files", os::MaxOpenFiles(), kFewOpenFiles, "raise it with `ulimit -n 4096`", out);
  ExamineLimit("watched folders", os::MaxWatches(), kFewWatches,
               "raise it with `sysctl fs.inotify.max_user_watches=524288`", out);
  return out;
}

void Print(const Findings& findings, std::ostream& out) {
  out << "forge-search " << Version() << '\n';
  std::string_view area;
  std::uint64_t problems = 0;
  for (const Finding& finding : findings) {
    if (finding.area != area) out << '\n' << finding.area << '\n';
    area = finding.area;
    const std::string name(tool::Name(finding.level));
    out << "  " << name << std::string(9 - name.size(), ' ') << Sanitize(LossyUtf8(finding.message)) << '\n';
    if (!finding.hint.empty()) out << "           hint: " << Sanitize(LossyUtf8(finding.hint)) << '\n';
    if (finding.level != Level::kOk) ++problems;
  }
  out << '\n' << (problems == 0 ? "All is well." : Count(problems, "problem") + ".") << '\n';
}

struct DoctorCommand : Command {
  bool report = false;
  bool self_test = false;

  void Define(Options& options) override {
    options.Json("Print one JSON document");
    options.Flag("--self-test", self_test, "Instead, try the program on this machine, in a temporary folder");
    options.Flag(
        "--report", report,
        "Print a report for a bug, as JSON: versions, switches, counts and sizes; no path, name, text or pattern");
  }

  int Run(const GlobalOptions& global, Host& host) override {
    if (report) {
      const auto made = MakeBugReport(global, host);
      if (!made) return Fail(host, made.error());
      tool::WritePretty(tool::ToDocument(*made), host.out);
      return 0;
    }
    const Findings findings = self_test ? SelfTest(host) : Examine(global, host);
    if (global.json) {
      tool::WritePretty(tool::ToDocument(findings), host.out);
    } else {
      Print(findings, host.out);
    }
    return static_cast<int>(tool::Worst(findings));
  }
};

}  // namespace

CommandEntry DoctorEntry() {
  return {"doctor", "Examine the installation and say what to do about problems",
          "Exit status: 0 all is well, 1 there are warnings, 2 searching will fail. With --report: 0 if it could be "
          "made.\n\n"
          "What --self-test and --report print holds nothing of yours; read it, and send it if something fails.",
          Make<DoctorCommand>};
}

}  // namespace forge::cli
