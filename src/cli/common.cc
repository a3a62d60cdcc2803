#include "cli/common.h"

#include <ostream>
#include <system_error>

#include "base/strings.h"
#include "base/utf8.h"
#include "os/named_file.h"
#include "tool/keyword_tool.h"
#include "tool/search_tool.h"

namespace forge::cli {

Result<config::Loaded> LoadConfig(const GlobalOptions& global, const Host& host, config::Profile profile) {
  std::vector<std::string> sets = global.sets;
  if (!global.index.empty()) sets.push_back("tools.search.index_mode=" + global.index);
  if (!global.server.empty()) sets.push_back("server.mode=" + global.server);
  return config::Load({.file = global.config_file,
                       .sets = sets,
                       .backend = global.backend,
                       .environment = host.environment,
                       .profile = profile});
}

Result<config::Loaded> LoadConfigAndWarn(const GlobalOptions& global, Host& host, config::Profile profile) {
  auto loaded = LoadConfig(global, host, profile);
  if (!loaded) return loaded;
  for (const std::string& warning : loaded->warnings) Note(host, "warning: " + warning);
  return loaded;
}

Result<std::unique_ptr<Engine>> CreateEngine(const GlobalOptions& global, const config::Loaded& loaded, Host& host) {
  return host.create_engine({.config = loaded.config, .roots = global.roots, .working_dir = global.cwd});
}

void Warn(const Engine& engine, Host& host) {
  for (const std::string& problem : engine.backend_diagnostics()) Note(host, "warning: " + problem);
  for (const std::string& problem : engine.index_diagnostics()) Note(host, "warning: " + problem);
}

void WarnPeople(const Engine& engine, const config::Loaded& loaded, Host& host) {
  const config::Origin& origin = loaded.origins[*config::FindKey("tools.search", "index_mode")];
  if (origin.layer != config::Origin::Layer::kDefault) return Warn(engine, host);
  for (const std::string& problem : engine.backend_diagnostics()) Note(host, "warning: " + problem);
}

std::string InBrackets(std::string_view word) { return word.empty() ? "" : " (" + std::string(word) + ")"; }

std::string WorkingFolder(const GlobalOptions& global) { return global.cwd.empty() ? os::CurrentFolder() : global.cwd; }

std::string SearchDisabledBy(const config::Loaded& loaded) {
  if (loaded.config.search.enabled.value_or(true)) return "";
  return "tools.search.enabled = false (" + loaded.origins[*config::FindKey("tools.search", "enabled")].text + ")";
}

std::string KeywordDisabledBy(const config::Loaded& loaded) {
  if (loaded.config.keyword.enabled.value_or(true)) return SearchDisabledBy(loaded);
  return "tools.keyword_search.enabled = false (" +
         loaded.origins[*config::FindKey("tools.keyword_search", "enabled")].text + ")";
}

Status AddTools(const config::Loaded& loaded, const std::function<Result<std::shared_ptr<Engine>>()>& engine,
                tool::Registry& registry) {
  if (Status added = registry.Add(tool::MakeSearchTool(engine), SearchDisabledBy(loaded)); !added) return added;
  return registry.Add(tool::MakeKeywordTool(engine), KeywordDisabledBy(loaded));
}

// One write, because threads of a server may have something to say as well.
void Note(Host& host, std::string_view text) { host.err << "forge-search: " + Sanitize(LossyUtf8(text)) + '\n'; }

int Fail(Host& host, std::string_view message, std::string_view hint) {
  Note(host, "error: " + std::string(message));
  if (!hint.empty()) host.err << "  hint: " << Sanitize(LossyUtf8(hint)) << '\n';
  return kExitError;
}

int Fail(Host& host, const Error& error) { return Fail(host, error.message); }

}  // namespace forge::cli
