// forge-search config print|check|reference|init

#include <cerrno>
#include <ostream>

#include "base/path.h"
#include "base/strings.h"
#include "cli/common.h"
#include "config/print.h"
#include "config/reference.h"
#include "os/named_file.h"
#include "os/new_file.h"

namespace forge::cli {
namespace {

constexpr const char* kFooter = R"(Settings come from, highest first: --set and --backend; FORGE_SEARCH_<KEY>
variables; the file of --config or $FORGE_CONFIG, else ~/.forge/config.toml,
else $XDG_CONFIG_HOME/forge/config.toml; the defaults. Never from the folder
that is searched.

Examples:
  forge-search config init                      write a file to start from
  forge-search config print --origin            what holds, and why
  forge-search --set tools.search.max_files=500 config print)";

struct PrintCommand : Command {
  bool origins = false;

  void Define(Options& options) override { options.Flag("--origin", origins, "Say where each value comes from"); }

  int Run(const GlobalOptions& global, Host& host) override {
    const auto loaded = LoadConfigAndWarn(global, host, config::Profile::kSpecification);
    if (!loaded) return Fail(host, loaded.error());
    host.out << config::Print(*loaded, origins);
    return 0;
  }
};

struct CheckCommand : Command {
  int Run(const GlobalOptions& global, Host& host) override {
    const auto loaded = LoadConfigAndWarn(global, host, config::Profile::kSpecification);
    if (!loaded) return Fail(host, loaded.error());
    host.out << (loaded->file.empty() ? "no configuration file; the defaults apply" : loaded->file) << ": "
             << (loaded->warnings.empty() ? "ok" : Count(loaded->warnings.size(), "warning")) << '\n';
    return 0;
  }
};

struct ReferenceCommand : Command {
  int Run(const GlobalOptions& /*global*/, Host& host) override {
    host.out << config::ReferencePage();
    return 0;
  }
};

struct InitCommand : Command {
  std::string file;  // "": ~/.forge/config.toml

  void Define(Options& options) override {
    options.Text("--path", file, "FILE", "Where to (default: ~/.forge/config.toml)");
  }

  int Run(const GlobalOptions& /*global*/, Host& host) override {
    const std::string path = file.empty() ? config::HomeFile(host.environment) : file;
    if (path.empty()) return Fail(host, "HOME is not set", "say where to write with --path FILE");
    // We create our own folder if it is missing; the name of another one may be
    // a typing mistake.
    const std::string parent = std::string(ParentPath(OwnForm(path)));
    if (!file.empty() && !parent.empty() && !os::StatPath(parent).ok()) {
      return Fail(host, "there is no folder " + parent, "make it first, or correct --path");
    }
    const auto written = os::WriteNewFile(path, config::RecommendedFile());
    if (!written.ok() && written.error().code == EEXIST) {
      return Fail(host, path + " exists, and was not changed",
                  "--path FILE writes the recommended configuration elsewhere");
    }
    if (!written.ok()) return Fail(host, "cannot write " + path + ": " + written.error().message());
    host.out << "wrote " << path << '\n';
    return 0;
  }
};

}  // namespace

CommandEntry ConfigEntry() {
  return {"config",
          "Print, check or create the configuration",
          kFooter,
          nullptr,
          {{"print", "Print every value in effect, as TOML", "", Make<PrintCommand>},
           {"check", "Check the configuration and list warnings", "", Make<CheckCommand>},
           {"reference", "Explain every key, in Markdown", "", Make<ReferenceCommand>},
           {"init", "Write a recommended configuration; never replaces a file", "", Make<InitCommand>}}};
}

}  // namespace forge::cli
