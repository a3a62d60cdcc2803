// forge-search config print, check, init, reference

#include <cerrno>
#include <filesystem>
#include <ostream>

#include "base/strings.h"
#include "cli/commands.h"
#include "config/print.h"
#include "os/named_file.h"
#include "os/new_file.h"

namespace forge::cli {

int RunConfigPrint(const CommandLine& line, Host& host) {
  const auto loaded = LoadConfigAndWarn(line, host);
  if (!loaded) return Fail(host, loaded.error());
  host.out << config::Print(*loaded, line.origins);
  return 0;
}

int RunConfigCheck(const CommandLine& line, Host& host) {
  const auto loaded = LoadConfigAndWarn(line, host);
  if (!loaded) return Fail(host, loaded.error());
  host.out << (loaded->file.empty() ? "no configuration file, the defaults hold" : loaded->file) << ": "
           << (loaded->warnings.empty() ? "ok" : Count(loaded->warnings.size(), "warning")) << '\n';
  return 0;
}

int RunConfigInit(const CommandLine& line, Host& host) {
  const std::string path = line.init_path.empty() ? config::HomeFile(host.environment) : line.init_path;
  if (path.empty()) return Fail(host, "HOME is not set", "say where to write with --path FILE");
  // Our own folder is made if it is missing; a mistyped one is not.
  const std::string parent = std::filesystem::path(path).parent_path().string();
  if (!line.init_path.empty() && !parent.empty() && !os::StatPath(parent).ok()) {
    return Fail(host, "there is no folder " + parent, "make it first, or correct --path");
  }
  const auto written = os::WriteNewFile(path, config::RecommendedFile());
  if (!written.ok() && written.error().code == EEXIST) {
    return Fail(host, path + " exists, and is left as it is",
                "--path FILE writes the recommended configuration elsewhere");
  }
  if (!written.ok()) return Fail(host, "cannot write " + path + ": " + written.error().message());
  host.out << "wrote " << path << '\n';
  return 0;
}

int RunConfigReference(const CommandLine& /*line*/, Host& host) {
  host.out << config::ReferencePage();
  return 0;
}

}  // namespace forge::cli
