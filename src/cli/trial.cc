#include "cli/trial.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "base/path.h"
#include "base/strings.h"
#include "forge/version.h"
#include "os/file.h"
#include "os/home.h"
#include "os/limits.h"
#include "os/named_file.h"
#include "os/new_file.h"
#include "os/private_file.h"
#include "os/process.h"
#include "os/system_name.h"
#include "os/watch.h"

namespace forge::cli {
namespace {

using tool::Level;
constexpr auto kArea = "Self-test";

// A folder for the test, and all that was made in it.
class Folder {
 public:
  explicit Folder(const Environment& environment) {
    const std::string parent = os::ResolvedPath(os::TemporaryFolder(environment));
    path_ = JoinPath(parent, "forge-search-self-test-" + std::to_string(os::OwnProcess()));
    made_ = os::MakePrivateFolder(path_).ok();
  }
  ~Folder() { Remove(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  bool made() const { return made_; }
  std::string Path(const std::string& relative) const { return JoinPath(path_, relative); }
  // The place of the folder may have the user's name in it.
  std::string Anonymous(std::string text) const {
    for (std::size_t at; (at = text.find(path_)) != std::string::npos;) text.replace(at, path_.size(), "TEST");
    return text;
  }
  bool Write(const std::string& relative, std::string_view text) const {
    const std::string path = Path(relative);
    return os::StatItself(path).ok() ? os::ReplaceFile(path, text).ok() : os::WriteNewFile(path, text).ok();
  }

 private:
  // Follows no link: it lists only what is a folder itself.
  static void Remove(const std::string& path) {
    const auto info = os::StatItself(path);
    if (info.ok() && info->type == os::FileType::kDirectory) {
      const auto folder = os::OpenFolderItself(path);
      const auto entries = folder.ok() ? os::ListFolder(folder->get()) : os::OsError{folder.error()};
      if (entries.ok()) {
        for (const os::DirEntry& entry : *entries) Remove(JoinPath(path, entry.name));
      }
    }
    os::RemoveFile(path);
  }

  std::string path_;
  bool made_ = false;
};

// The matches of an answer as "path:line", and what went wrong instead of it.
std::string Text(Engine& engine, SearchRequest request) {
  request.timeout = std::chrono::minutes(1);
  const auto answer = engine.Search(request);
  if (!answer) return "error: " + answer.error().message;
  std::string text;
  for (const Event& event : answer->matches) text += event.path + ":" + std::to_string(event.line_number) + " ";
  if (!text.empty()) text.pop_back();
  return text;
}

class Tests {
 public:
  explicit Tests(Host& host) : host_(host), folder_(host.environment) {}

  std::vector<tool::Finding> Run() {
    Say("forge-search " + std::string(Version()) + " on " + os::SystemName());
    if (!folder_.made()) {
      Expect("a folder for temporary files", "cannot be made", "");
      return std::move(findings_);
    }
    for (const auto& [name, text] : std::initializer_list<std::pair<const char*, const char*>>{
             {"tree/a.txt", "one needle\ntwo\n"},
             {"tree/sub/deep/b.txt", "two\nNEEDLE and needle\n"},
             {"tree/.hidden", "needle\n"},
             {"tree/ignored.log", "needle\n"},
             {"tree/.ignore", "*.log\n"},
             {"tree/caf\u00E9.txt", "needle in a name with an accent\n"},
             {"outside/secret.txt", "needle outside\n"}}) {
      if (!folder_.Write(name, text)) Expect(std::string("writing ") + name, "failed", "");
    }
    FileSystem();
    WithEngine(IndexMode::kOff, "without an index", [&](Engine& engine) {
      Searches(engine);
      Links(engine);
      Writes(engine, "without an index");
    });
    WithEngine(IndexMode::kOn, "with an index", [&](Engine& engine) {
      const Status built = engine.BuildIndexes(/*anew=*/true, [](const IndexStatus&) {}, host_.stop.token());
      Expect("an index can be built and stored", built ? "" : built.error().message, "");
      for (const IndexStatus& status : engine.index_status()) {
        const std::string reason(Name(status.reason));
        Say("index: " + std::string(Name(status.state)) + (reason.empty() ? "" : " " + reason) + ", " +
            std::to_string(status.indexed_files) + " of " + std::to_string(status.files) + " files");
      }
      Searches(engine);
      Writes(engine, "with an index");
    });
    Children();
    return std::move(findings_);
  }

 private:
  void Say(std::string text) { findings_.push_back({kArea, Level::kOk, std::move(text)}); }
  void Expect(const std::string& what, const std::string& found, const std::string& expected) {
    if (found == expected) return Say(what);
    findings_.push_back({kArea, Level::kFailure,
                         what + ": found \"" + folder_.Anonymous(found) + "\", expected \"" + expected + "\"",
                         "please send this report to the authors"});
  }

  void WithEngine(IndexMode mode, const std::string& how, const std::function<void(Engine&)>& use) {
    Config config;
    config.search.binary = "native";
    config.server.mode = ServerMode::kOff;
    config.search.index.mode = mode;
    config.search.index.path = folder_.Path("cache");
    auto engine = host_.create_engine(
        {.config = config, .roots = {folder_.Path("tree")}, .indexing = EngineOptions::Indexing::kForeground});
    if (!engine) return Expect("an engine " + how, engine.error().message, "");
    use(**engine);
  }

  // What differs from system to system, and decides how the rest works.
  void FileSystem() {
    const auto other_case = os::StatPath(folder_.Path("tree/A.TXT"));
    const auto other_form = os::StatPath(folder_.Path("tree/cafe\u0301.txt"));
    const auto place = os::OpenExactFolder(folder_.Path("tree"));
    const bool stamps = place.ok() && os::WatchableFolder(place->get());
    Say(std::string("file system: case ") + (other_case.ok() ? "does not matter" : "matters") +
        ", the form of accents " + (other_form.ok() ? "does not matter" : "matters") + ", stamps are " +
        (stamps ? "" : "not ") + "trusted");
  }

  void Searches(Engine& engine) {
    Expect("every match is found, in order", Text(engine, {.pattern = "needle"}),
           "a.txt:1 caf\u00E9.txt:1 sub/deep/b.txt:2");
    Expect("hidden and ignored files are found when asked for",
           Text(engine, {.pattern = "needle", .hidden = true, .no_ignore = true}),
           ".hidden:1 a.txt:1 caf\u00E9.txt:1 ignored.log:1 sub/deep/b.txt:2");
    Expect("a path in a request", Text(engine, {.pattern = "n\\w+e", .path = "sub/deep"}), "sub/deep/b.txt:2");
    Expect("a path with an accent", Text(engine, {.pattern = "needle", .path = "caf\u00E9.txt"}), "caf\u00E9.txt:1");
    // Long enough for each kind of vector instruction, at every distance from its borders.
    for (int before = 0; before < 130; ++before) {
      const std::string text = std::string(static_cast<std::size_t>(before), 'n') + "needle!" + std::string(70, 'e');
      folder_.Write("tree/lines.txt", text + "\n\n" + text + "\n");
      const std::string found = Text(engine, {.pattern = "needle!", .path = "lines.txt"});
      if (found != "lines.txt:1 lines.txt:3") return Expect("literals at " + std::to_string(before), found, "two");
    }
    Say("literals are found at every distance");
    os::RemoveFile(folder_.Path("tree/lines.txt"));
  }

  void Links(Engine& engine) {
    if (!os::MakeFolderLink(folder_.Path("outside"), folder_.Path("tree/link")))
      return Say("links cannot be made here");
    Expect("a link out of the root is not followed", Text(engine, {.pattern = "outside", .follow = true}), "");
    const std::string named = Text(engine, {.pattern = "outside", .path = "link/secret.txt", .follow = true});
    Expect("a path through it is refused", named.substr(0, 6), "error:");
    os::RemoveFile(folder_.Path("tree/link"));
  }

  // Read your writes: each change is seen by the next search.
  void Writes(Engine& engine, const std::string& how) {
    for (int i = 0; i < 100; ++i) {
      const std::string word = "written" + std::to_string(i) + "x";
      folder_.Write("tree/w.txt", word + "\n");
      if (const std::string found = Text(engine, {.pattern = word}); found != "w.txt:1") {
        return Expect("change " + std::to_string(i) + " is seen " + how, found, "w.txt:1");
      }
    }
    os::RemoveFile(folder_.Path("tree/w.txt"));
    Expect("100 changes and a removal are seen at once " + how, Text(engine, {.pattern = "written\\d+x"}), "");
  }

  void Children() {
    if (host_.program.empty()) return Say("the path of the program is not known, so no child was started");
    std::string out;
    const auto ended = os::Run({.program = host_.program, .args = {"--version"}, .env = {}}, Deadline::After(20000),
                               [&](std::string_view piece) {
                                 out += piece;
                                 return true;
                               });
    Expect("a child process", ended.ok() ? (out.find(Version()) != out.npos ? "" : out) : ended.error().message(), "");
  }

  Host& host_;
  Folder folder_;
  std::vector<tool::Finding> findings_;
};

}  // namespace

std::vector<tool::Finding> SelfTest(Host& host) { return Tests(host).Run(); }

}  // namespace forge::cli
