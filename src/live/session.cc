#include "live/session.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "live/editor.h"
#include "live/model.h"
#include "live/view.h"
#include "os/terminal.h"
#include "os/wake.h"

namespace forge::live {
namespace {

constexpr std::size_t kMostMatches = 5000;  // more than a user looks through
constexpr std::uint64_t kAround = 200;      // lines of a file, before the match and after it
// How often to look whether the terminal has another size: a signal may reach
// another thread.
constexpr std::chrono::milliseconds kLook{250};

// What is the same for every search.
SearchRequest BaseOf(SearchRequest request) {
  request.every_match = true;
  request.exact_bytes = true;
  request.context = 0;
  return request;
}

// The same lines match, but only in this file, however it was found.
SearchRequest InOneFile(SearchRequest request) {
  request.include_glob.clear();
  request.exclude_glob.clear();
  request.include_iglob.clear();
  request.exclude_iglob.clear();
  request.type_glob.clear();
  request.exclude_type_glob.clear();
  request.max_depth.reset();
  request.recursive = true;
  request.hidden = true;
  request.no_ignore = true;
  request.context = static_cast<std::int64_t>(kAround);
  return request;
}

std::string Joined(const std::string& folder, const std::string& path) {
  if (folder.empty() || path.starts_with('/')) return path;
  return folder.ends_with('/') ? folder + path : folder + "/" + path;
}

// The path of a found file for a request; `shown` begins with what its place is
// called.
std::string PathIn(const Place& place, const std::string& shown) {
  std::string rest = shown.substr(std::min(place.show_as.value_or("").size(), shown.size()));
  if (place.path.empty() && rest.starts_with('/')) rest.erase(0, 1);
  return place.path + rest;
}

class Loop {
 public:
  explicit Loop(const Session& session)
      : session_(session),
        base_(BaseOf(session.request)),
        model_(Query::Of(session.request), session.screen.size()),
        matches_(session.engine, [this] { wake_.Ring(); }),
        preview_(session.engine, [this] { wake_.Ring(); }) {}

  void Run() {
    StartSearch(/*keep_choice=*/false);
    while (!quit_ && !session_.stop.cancelled()) {
      if (std::exchange(changed_, false)) session_.screen.Show(Draw(model_));
      wake_.Wait(session_.input, kLook.count());
      TakeSize();
      while (const auto key = session_.screen.NextKey()) TakeKey(*key);
      TakeMatches();
      TakePreview();
    }
  }

 private:
  void TakeSize() {
    const Size size = session_.screen.size();
    if (size == model_.size()) return;
    model_.Resize(size);
    changed_ = true;
  }

  void TakeKey(const Key& key) {
    changed_ = true;
    switch (model_.Take(key)) {
      case Action::kNone: break;
      case Action::kSearch: StartSearch(/*keep_choice=*/false); break;
      case Action::kPreview: StartPreview(); break;
      case Action::kOpen: OpenEditor(); break;
      case Action::kSuspend: session_.screen.Suspend(); break;
      case Action::kQuit: quit_ = true; break;
    }
  }

  void StartSearch(bool keep_choice) {
    model_.BeginSearch(keep_choice);
    if (!model_.searching()) {
      matches_.Stop();
      return;
    }
    matches_.Start({.request = model_.query().Over(base_),
                    .limits = session_.limits,
                    .places = session_.places,
                    .most = kMostMatches});
  }

  void TakeMatches() {
    News news = matches_.Take();
    if (news.lines.empty() && !news.ended) return;
    changed_ = true;
    if (!news.lines.empty()) model_.AddMatches(std::move(news.lines));
    if (news.ended) model_.EndSearch(EndingOf(news));
    if (ChosenChanged()) StartPreview();
  }

  Ending EndingOf(const News& news) const {
    Ending ending{.more = news.more, .elapsed = news.elapsed};
    if (news.error) ending.error = news.error->message;
    for (const SearchResponse& response : news.responses) {
      for (std::string& note : session_.notes(response)) ending.notes.push_back(std::move(note));
    }
    return ending;
  }

  // Whether another line is chosen than the preview is for.
  bool ChosenChanged() const {
    const Match* chosen = model_.chosen();
    return chosen != nullptr &&
           (chosen->path != previewed_.path || chosen->line != previewed_.line || previewed_.text != chosen->text);
  }

  void StartPreview() {
    const Match* chosen = model_.chosen();
    if (chosen == nullptr) return;
    previewed_ = *chosen;
    lines_.clear();
    preview_.Start({.request = InOneFile(model_.query().Over(base_)),
                    .limits = session_.limits,
                    .places = {{PathIn(session_.places[chosen->place], chosen->path), chosen->path}},
                    .first_line = chosen->line - std::min(chosen->line - 1, kAround),
                    .last_line = chosen->line + kAround});
  }

  void TakePreview() {
    News news = preview_.Take();
    std::move(news.lines.begin(), news.lines.end(), std::back_inserter(lines_));
    if (!news.ended) return;
    model_.ShowPreview(std::exchange(lines_, {}), previewed_.line);
    changed_ = true;
  }

  void OpenEditor() {
    const Match& match = *model_.chosen();
    const Spot spot{Joined(session_.folder, match.path), match.line, match.column};
    session_.screen.Leave();
    const auto status = os::RunInTerminal(EditorCommand(session_.environment, spot));
    session_.screen.Return();
    StartSearch(/*keep_choice=*/true);  // the file may be another one now
    previewed_ = {};
    if (!status.ok()) {
      model_.SetNote("the editor could not be started: " + status.error().message());
    } else if (*status == 127) {
      model_.SetNote("the editor could not be started: set VISUAL or EDITOR to one that is installed");
    }
  }

  const Session& session_;
  const SearchRequest base_;
  Model model_;
  os::Wake wake_;
  Searcher matches_;
  Searcher preview_;
  Match previewed_;           // what the preview is for
  std::vector<Match> lines_;  // of the preview, as far as they are there
  bool changed_ = true;
  bool quit_ = false;
};

}  // namespace

void Session::Run() const { Loop(*this).Run(); }

}  // namespace forge::live
