#include "agent/search_tool.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "agent/call.h"
#include "agent/find.h"
#include "agent/mend.h"
#include "agent/text.h"
#include "base/mutex.h"
#include "base/utf8.h"
#include "tool/hints.h"

namespace forge::agent {
namespace {

// What has been said in this session. Thread-safe.
class Said {
 public:
  // Whether it is the first time.
  bool Say(const std::string& text) {
    const Lock lock(mutex_);
    return texts_.size() < kMost && texts_.insert(text).second;
  }

 private:
  static constexpr std::size_t kMost = 1000;

  Mutex mutex_;
  std::set<std::string> texts_ GUARDED_BY(mutex_);
};

class SearchInvocation : public tool::Invocation {
 public:
  SearchInvocation(const tool::EngineProvider& engine, Said& said, Call call)
      : provider_(engine), said_(said), call_(std::move(call)) {}

  Result<tool::Answer> Run(const tool::RunOptions& options) override {
    const auto engine = provider_();
    if (!engine) return engine.error();
    const SearchConfig& config = (*engine)->config().search;
    ClampToConfig(config, call_.request);
    Finder finder(**engine, call_, options);
    auto mended = FindMended(finder, call_);
    if (!mended) return mended.error();
    call_ = std::move(mended->call);
    Found& found = mended->found;
    if (found.shown > 0 || found.met > 0) finder.Count(call_, found);
    TextParts parts{.remarks = std::move(mended->remarks), .notes = Notes(found, config)};
    parts.room = static_cast<std::size_t>(config.content_max_bytes);
    std::string text = LossyUtf8(TextFor(call_, found, parts));
    std::vector<std::string> hints = tool::HintLines(found.response.hints);
    return tool::Answer{text, [text, f = std::move(found)]() mutable { return ToDocument(text, std::move(f)); },
                        std::move(hints)};
  }

 private:
  // A standing note is said once, but always where nothing was found: it may be
  // the reason.
  std::vector<std::string> Notes(const Found& found, const SearchConfig& config) {
    std::vector<std::string> notes;
    for (Note& note : NotesFor(call_, found, config)) {
      const bool is_new = !note.standing || said_.Say(note.text);
      if (is_new || found.shown == 0) notes.push_back(std::move(note.text));
    }
    return notes;
  }

  // The specified response, for hosts that want data, and the files of the page.
  static tool::Document ToDocument(const std::string& text, Found found) {
    found.response.content = text;
    found.response.truncated = found.response.truncated || found.more;
    auto json = tool::ToDocument(std::move(found.response)).json();
    if (!found.files.empty()) {
      auto files = nlohmann::ordered_json::array();
      for (const FileReport& file : found.files) {
        files.push_back({{"path", LossyUtf8(file.path)}, {"matches", file.matched_lines}});
      }
      json["files"] = std::move(files);
    }
    return tool::Document(std::move(json));
  }

  const tool::EngineProvider& provider_;
  Said& said_;
  Call call_;
};

class SearchTool : public tool::Tool {
 public:
  explicit SearchTool(tool::EngineProvider engine) : engine_(std::move(engine)) {}

  const tool::Definition& definition() const override { return CallDefinition(); }

  Result<tool::Arguments> ReadLeniently(nlohmann::json&& arguments) const override {
    return ReadFields(std::move(arguments));
  }

  Result<std::unique_ptr<tool::Invocation>> Prepare(tool::Arguments arguments) override {
    auto call = ToCall(std::move(arguments));
    if (!call) return call.error();
    return std::unique_ptr<tool::Invocation>(std::make_unique<SearchInvocation>(engine_, said_, *std::move(call)));
  }

 private:
  const tool::EngineProvider engine_;
  Said said_;
};

}  // namespace

std::unique_ptr<tool::Tool> MakeSearchTool(tool::EngineProvider engine) {
  return std::make_unique<SearchTool>(std::move(engine));
}

}  // namespace forge::agent
