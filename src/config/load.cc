#include "config/load.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/strings.h"
#include "config/models.h"
#include "os/named_file.h"

namespace forge::config {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1 << 20;
constexpr std::string_view kEnvironmentPrefix = "FORGE_SEARCH_";
constexpr std::string_view kEnvironmentSection = "tools.search";
// Variables with that prefix that are not keys.
constexpr std::string_view kReserved[] = {"FORGE_SEARCH_ROOT", "FORGE_SEARCH_LOG"};
// The section of the superseded first draft (A6).
constexpr std::string_view kOldSection = "tools.search_files";

std::string FullName(const Entry& entry) {
  return entry.section.empty() ? entry.name : entry.section + "." + entry.name;
}

// The known key that the user probably meant: one with nearly this name, or
// with this name in another section.
std::string Meant(const Entry& entry) {
  std::vector<std::string> names;
  for (const Key& key : Keys()) names.push_back(key.FullName());
  const std::string_view near = NearestWord(FullName(entry), {names.begin(), names.end()});
  if (!near.empty()) return std::string(near);
  for (const Key& key : Keys()) {
    if (key.name == entry.name) return key.FullName();
  }
  return "";
}

std::string UnknownKey(const Entry& entry, const std::string& place) {
  const std::string meant = Meant(entry);
  return "unknown key " + FullName(entry) + " (" + place + "), ignored" +
         (meant.empty() ? "" : "; did you mean " + meant + "?");
}

bool IsOldSection(const std::string& section) {
  return section == kOldSection || section.starts_with(std::string(kOldSection) + ".");
}

bool IsSection(const std::string& name) {
  const auto keys = Keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const Key& key) { return key.section == name || key.section.starts_with(name + "."); });
}

std::string Upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return out;
}

std::string VariableName(const Key& key) { return std::string(kEnvironmentPrefix) + Upper(key.name); }

class Loader {
 public:
  explicit Loader(const Sources& sources) : sources_(sources) { loaded_.origins.resize(Keys().size()); }

  Result<Loaded> Run() {
    if (Status s = ReadFile(); !s) return s.error();
    if (Status s = CheckModels(loaded_.config.llm, loaded_.file); !s) return s.error();
    if (Status s = ReadEnvironment(); !s) return s.error();
    if (Status s = ReadSets(); !s) return s.error();
    ApplyBackend();
    if (Status s = CheckTogether(); !s) return s.error();
    return std::move(loaded_);
  }

 private:
  Status ReadFile() {
    const auto place_of = [](const std::string& path, const Entry& entry) {
      return path + ":" + std::to_string(entry.line) + ":" + std::to_string(entry.column);
    };
    auto text = FindFile();
    if (!text) return text.error();
    if (loaded_.file.empty()) return {};
    auto entries = ParseToml(*text, loaded_.file);
    if (!entries) return entries.error();
    bool warned_old = false;
    for (const Entry& entry : *entries) {
      const Origin origin = {Origin::Layer::kFile, place_of(loaded_.file, entry)};
      if (IsOldSection(entry.section)) {
        if (!std::exchange(warned_old, true)) WarnOldSection(origin.text);
        continue;
      }
      if (Status s = Apply(entry, origin); !s) return s;
    }
    return {};
  }

  // The text of the file to read; sets loaded_.file. Nothing, and no name, if
  // there is no file.
  Result<std::string> FindFile() {
    const std::string named = sources_.file.empty() ? sources_.environment.Get("FORGE_CONFIG") : sources_.file;
    if (!named.empty()) return ReadOne(named, /*must_exist=*/true);
    for (const std::string& path : {HomeFile(sources_.environment), XdgFile()}) {
      if (path.empty()) continue;
      auto text = ReadOne(path, /*must_exist=*/false);
      if (!text || !loaded_.file.empty()) return text;
    }
    return std::string();
  }

  Result<std::string> ReadOne(const std::string& path, bool must_exist) {
    if (path == "/dev/null") {  // the usual way to say: no file
      loaded_.file = path;
      return std::string();
    }
    auto text = os::ReadSmallFile(path, kMaxFileBytes);
    if (text.ok()) {
      loaded_.file = path;
      return std::move(*text);
    }
    const int code = text.error().code;
    if (!must_exist && (code == ENOENT || code == ENOTDIR)) return std::string();
    return ExecutionFailed("cannot read the configuration " + path + ": " + text.error().message());
  }

  std::string XdgFile() const {
    const std::string xdg = sources_.environment.GetAbsolute("XDG_CONFIG_HOME");
    if (!xdg.empty()) return xdg + "/forge/config.toml";
    const std::string home = sources_.environment.GetAbsolute("HOME");
    return home.empty() ? "" : home + "/.config/forge/config.toml";
  }

  Status ReadEnvironment() {
    for (const auto& [name, text] : sources_.environment.all()) {
      if (!name.starts_with(kEnvironmentPrefix)) continue;
      if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) continue;
      if (Status s = ApplyVariable(name, text); !s) return s;
    }
    return {};
  }

  Status ApplyVariable(const std::string& name, const std::string& text) {
    std::vector<std::string> known;
    for (const Key& key : Keys()) {
      if (key.section != kEnvironmentSection) continue;
      known.push_back(VariableName(key));
      if (known.back() != name) continue;
      Entry entry = ParseTomlValue(text);
      entry.section = key.section;
      entry.name = key.name;
      return Apply(entry, {Origin::Layer::kEnvironment, "environment " + name});
    }
    const std::string_view near = NearestWord(name, {known.begin(), known.end()});
    loaded_.warnings.push_back("unknown environment variable " + name + ", ignored" +
                               (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
    return {};
  }

  Status ReadSets() {
    for (const std::string& set : sources_.sets) {
      const std::size_t equals = set.find('=');
      const std::size_t dot = set.substr(0, equals).rfind('.');
      if (equals == std::string::npos || dot == std::string::npos) {
        return ExecutionFailed("--set " + set +
                               ": write it as SECTION.KEY=VALUE, for example tools.search.max_files=500");
      }
      Entry entry = ParseTomlValue(set.substr(equals + 1));
      entry.section = set.substr(0, dot);
      entry.name = set.substr(dot + 1, equals - dot - 1);
      if (IsOfModels(entry)) return NotATable("--set");
      if (Status s = Apply(entry, {Origin::Layer::kFlag, "--set"}); !s) return s;
    }
    return {};
  }

  void ApplyBackend() {
    if (sources_.backend.empty()) return;
    loaded_.config.search.binary = sources_.backend;
    loaded_.config.search.fallback_binary.clear();
    for (const std::string_view name : {"binary", "fallback_binary"}) {
      loaded_.origins[*FindKey("tools.search", name)] = {Origin::Layer::kFlag, "--backend"};
    }
  }

  // Rules between keys. They apply to the result of all layers.
  Status CheckTogether() const {
    const SearchConfig& search = loaded_.config.search;
    if (!search.fuzzy_fallback || !search.fuzzy_fallback_levels.empty()) return {};
    return ExecutionFailed("tools.search.fuzzy_fallback_levels is [] (" + OriginOf("fuzzy_fallback_levels") +
                           "), but must hold a level from 1 to 4, because tools.search.fuzzy_fallback is true (" +
                           OriginOf("fuzzy_fallback") + ")");
  }

  const std::string& OriginOf(std::string_view search_key) const {
    return loaded_.origins[*FindKey("tools.search", search_key)].text;
  }

  Status Apply(const Entry& entry, const Origin& origin) {
    const std::string& place = origin.text;
    if (IsOfModels(entry)) return ApplyToModel(entry, place, loaded_.config, loaded_.warnings);
    const auto index = FindKey(entry.section, entry.name);
    if (!index) {
      if (IsSection(FullName(entry))) {
        return ExecutionFailed(FullName(entry) + " is " + entry.shown + " (" + place + "), but must be a table");
      }
      loaded_.warnings.push_back(UnknownKey(entry, place));
      return {};
    }
    if (Status s = Set(Keys()[*index], entry, place, loaded_.config); !s) return s;
    loaded_.origins[*index] = origin;
    return {};
  }

  void WarnOldSection(const std::string& place) {
    loaded_.warnings.push_back("[" + std::string(kOldSection) + "] (" + place +
                               ") is no longer read; use [tools.search]");
  }

  const Sources& sources_;
  Loaded loaded_;
};

}  // namespace

Result<Loaded> Load(const Sources& sources) { return Loader(sources).Run(); }

std::string HomeFile(const Environment& environment) {
  const std::string home = environment.GetAbsolute("HOME");
  return home.empty() ? "" : home + "/.forge/config.toml";
}

}  // namespace forge::config
