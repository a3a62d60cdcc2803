#include "cli/bug_report.h"

#include <algorithm>
#include <limits>
#include <set>

#include "cli/common.h"
#include "os/limits.h"
#include "os/memory.h"
#include "os/named_file.h"
#include "os/system_name.h"
#include "remote/contact.h"

namespace forge::cli {
namespace {

using Layer = config::Origin::Layer;

constexpr std::chrono::minutes kTimeToCount{1};

std::string NameOf(Layer layer) {
  switch (layer) {
    case Layer::kDefault: return "default";
    case Layer::kFile: return "file";
    case Layer::kEnvironment: return "environment";
    case Layer::kFlag: return "flag";
  }
  return "";
}

// A word of ours, which says nothing about the user.
bool IsOurWord(const config::Key& key, const std::string& value) {
  Config any;
  const bool closed = !std::holds_alternative<std::string*>(key.slot(any));
  return closed || value.empty() || value == "native" || value == "rg" || value == "ugrep";
}

// Text that the user chose is given by its length, a list of texts by its size.
std::string ValueOf(const config::Key& key, const Config& config) {
  const config::Value value = config::Get(key, config);
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && !IsOurWord(key, *text)) {
    return "a text of " + std::to_string(text->size()) + " bytes";
  }
  if (const auto* list = std::get_if<std::vector<std::string>>(&value); list != nullptr) {
    return "a list of " + std::to_string(list->size());
  }
  return config::TomlText(value);
}

std::vector<tool::Setting> SettingsOf(const config::Loaded& loaded) {
  std::vector<tool::Setting> settings;
  for (std::size_t i = 0; i < config::Keys().size(); ++i) {
    const config::Key& key = config::Keys()[i];
    if (loaded.origins[i].layer == Layer::kDefault) continue;
    settings.push_back({key.FullName(), ValueOf(key, loaded.config), NameOf(loaded.origins[i].layer)});
  }
  return settings;
}

// Everything: no limit of the configuration counts here.
SearchOptions CountAll(const CancelToken& cancel) {
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  SearchOptions options;
  options.cancel = cancel;
  options.show_as = "";
  options.on_any_file = true;
  options.counted = false;
  options.keep_events = false;
  options.limits = AnswerLimits{kTimeToCount, kAll, kAll, kAll, kAll};
  return options;
}

tool::TreeShape ShapeOf(Engine& engine, const std::string& root, const CancelToken& cancel) {
  tool::TreeShape shape;
  std::set<std::string> folders;
  SearchRequest request{
      .path = root, .hidden = true, .no_ignore = true, .may_be_blank = true, .report = Report::kNames};
  SearchOptions options = CountAll(cancel);
  options.on_file = [&](const FileReport& file) {
    const auto info = os::StatPath(root + "/" + file.path);
    shape.Count(file.path, info.ok() ? info->size : 0);
    folders.insert(file.path.substr(0, std::min(file.path.rfind('/'), file.path.size())));
  };
  const auto all = engine.Search(request, options);
  shape.folders = folders.size();
  if (!all) return shape;
  shape.complete = all->end == SearchEnd::kComplete;
  shape.denied = all->left_out.denied;
  shape.errors = all->errors.size();
  request.hidden = request.no_ignore = false;
  options.on_file = [&](const FileReport&) { ++shape.eligible; };
  const auto eligible = engine.Search(request, options);
  shape.complete = shape.complete && eligible && eligible->end == SearchEnd::kComplete;
  return shape;
}

}  // namespace

Result<tool::BugReport> MakeBugReport(const GlobalOptions& global, Host& host) {
  auto loaded = LoadConfig(global, host, config::Profile::kRecommended);
  if (!loaded) return loaded.error();
  tool::BugReport report;
  report.system = os::SystemName();
  report.processors = os::Processors();
  report.memory_bytes = os::Memory::System().Limit().value_or(0);
  report.open_files = os::MaxOpenFiles().value_or(0);
  report.watches = os::MaxWatches().value_or(0);
  report.settings = SettingsOf(*loaded);
  report.server = remote::Describe(remote::Meet(remote::FindPlace(host.environment)).contact);
  loaded->config.server.mode = ServerMode::kOff;  // the rest is about this process
  const auto engine = CreateEngine(global, *loaded, host);
  if (!engine) return engine.error();
  report.backends = (*engine)->backends();
  report.indexes = (*engine)->index_status();
  for (const std::string& root : (*engine)->roots()) {
    report.trees.push_back(ShapeOf(**engine, root, host.stop.token()));
  }
  return report;
}

}  // namespace forge::cli
