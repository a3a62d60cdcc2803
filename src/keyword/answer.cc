#include "keyword/answer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/path.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "keyword/answer_line.h"

namespace forge::keyword {
namespace {

// Marks of writing direction, zero-width spaces, and the blocks of tags and
// variation selectors: text can hide in them from people, but not from models.
// Joiners stay, because some scripts need them.
bool IsInvisible(char32_t c) {
  return c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         c == 0xFEFF || (c >= 0xE0000 && c <= 0xE0FFF);
}

// Cuts at the end of a character; returns how many bytes are gone.
std::uint64_t Clip(std::string& text, std::size_t most) {
  const std::size_t before = text.size();
  if (before > most) text.resize(ValidUtf8Prefix(std::string_view(text).substr(0, most)));
  return before - text.size();
}

// Finds hits in text. A path may contain spaces and colons, so we look for what
// we know and do not guess where a path ends.
class HitFinder {
 public:
  HitFinder(const std::string& root, const Paths& hits)
      : folder_(root.ends_with('/') ? root : root + "/"), hits_(hits) {}

  struct Found {
    const std::string* path = nullptr;
    std::string_view rest;
  };

  // The longest hit at the front of `text`.
  Found At(std::string_view text) const {
    text = Relative(text);
    std::string_view front = text;
    while (!front.empty()) {
      auto next = hits_.upper_bound(front);
      if (next == hits_.begin()) return {};
      const std::string& hit = *--next;  // of all hits that begin `front`, the longest is not after this one
      if (front.starts_with(hit) && EndsPath(text.substr(hit.size()))) return {&hit, text.substr(hit.size())};
      const auto same = std::mismatch(front.begin(), front.end(), hit.begin(), hit.end()).first - front.begin();
      front = front.substr(0, std::min(static_cast<std::size_t>(same), front.size() - 1));
    }
    return {};
  }

  // "/r/a" and "./a" as "a", where /r is the root.
  std::string_view Relative(std::string_view text) const {
    if (text.starts_with(folder_)) text.remove_prefix(folder_.size());
    while (text.starts_with("./")) text.remove_prefix(2);
    return text;
  }

 private:
  const std::string folder_;  // the root and a slash
  const Paths& hits_;
};

class Checker {
 public:
  explicit Checker(const AnswerWorld& world) : world_(world), finder_(world.root, world.hits) {}

  CheckedAnswer ReadList(const std::vector<std::string_view>& lines) {
    for (const std::string_view line : lines) TakeLine(line);
    return Finish();
  }

  CheckedAnswer ReadProse(const std::vector<std::string_view>& lines) {
    answer_.is_prose = true;
    for (const std::string_view line : lines) {
      if (TakeBlank(ReadAnswerLine(line))) continue;
      AddText(line);
      TakeMentions(line);
      for (const PathWord& word : PathWordsIn(line)) TakeWord(word);
    }
    return Finish();
  }

  // After ReadList(): it has an entry that we took, or most lines had the form of
  // one.
  bool was_list() const { return entries_ > 0 || says_none_ || others_ == 0 || dropped_.size() > others_; }

 private:
  void TakeLine(std::string_view text) {
    const AnswerLine line = ReadAnswerLine(text);
    if (TakeBlank(line) || TakeHits(line) || TakeNamed(line) || TakeNone(line) || TakeReason(line)) return;
    ++others_;
    AddText(text);
  }

  bool TakeBlank(const AnswerLine& line) {
    if (!IsEmptyLine(line)) return false;
    after_blank_ = true;
    wants_reason_ = nullptr;
    return true;
  }

  // "a.c: why", "a.c, b.c: why", "a.c does it"
  bool TakeHits(const AnswerLine& line) {
    HitFinder::Found found = finder_.At(line.body);
    if (found.path == nullptr) found = finder_.At(line.bare);
    if (found.path == nullptr) return false;
    std::vector<const std::string*> paths;
    std::string_view rest;
    for (; found.path != nullptr; found = finder_.At(NextInEnumeration(rest))) {
      if (std::find(paths.begin(), paths.end(), found.path) == paths.end()) paths.push_back(found.path);
      rest = found.rest;
    }
    for (const std::string* path : paths) Add(answer_.files, *path, ReasonIn(rest));
    const bool is_entry = line.is_listed || MarksEntry(rest);
    entries_ += is_entry ? 1 : 0;
    if (!is_entry) TakeMentions(rest);
    return true;
  }

  bool TakeNamed(const AnswerLine& line) {
    const auto named = PathOfEntry(line.bare);
    if (!named) return false;
    const auto path = Find(named->path);
    if (!path && !named->certain) return false;
    wants_reason_ = nullptr;
    if (path) {
      ++entries_;
      Add(world_.hits.contains(*path) ? answer_.files : answer_.without_hits, *path, ReasonIn(named->rest));
    } else {
      Drop(named->path);
    }
    return true;
  }

  bool TakeNone(const AnswerLine& line) {
    if (!SaysNone(line)) return false;
    says_none_ = true;
    return true;
  }

  // Some models put the reason under the path.
  bool TakeReason(const AnswerLine& line) {
    if (wants_reason_ == nullptr) return false;
    wants_reason_->back().reason = Reason(ReasonIn(line.body));
    wants_reason_ = nullptr;
    return true;
  }

  // The hits that a sentence names.
  void TakeMentions(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!BeginsPath(text.substr(0, i))) continue;
      const HitFinder::Found found = finder_.At(text.substr(i));
      if (found.path == nullptr) continue;
      if (!listed_.contains(*found.path)) Add(answer_.files, *found.path, "");
      i = text.size() - found.rest.size();
    }
    wants_reason_ = nullptr;
  }

  // A word of a sentence that is perhaps the path of a file without a hit.
  void TakeWord(const PathWord& word) {
    if (listed_.contains(finder_.Relative(word.path))) return;
    if (const auto path = Find(word.path)) {
      if (listed_.contains(*path)) return;
      Add(world_.hits.contains(*path) ? answer_.files : answer_.without_hits, *path, "");
    } else if (word.certain) {
      Drop(word.path);
    }
  }

  void Add(std::vector<RelevantFile>& list, const std::string& path, std::string_view reason) {
    wants_reason_ = nullptr;
    if (!listed_.insert(path).second) {
      ++answer_.repeated;
    } else if (list.size() == kMaxListedFiles) {
      ++answer_.beyond;
    } else {
      list.push_back({JoinPath(world_.root, path), Reason(reason)});
      if (list.back().reason.empty()) wants_reason_ = &list;
    }
  }

  // Asks for each name once.
  std::optional<std::string> Find(std::string_view name) {
    const auto known = looked_up_.find(name);
    if (known != looked_up_.end()) return known->second;
    std::optional<std::string> path;
    if (looked_up_.size() < kMaxLookups) path = world_.find_file(name);
    return looked_up_.emplace(name, std::move(path)).first->second;
  }

  void Drop(std::string_view name) {
    if (!dropped_.emplace(name).second) return;
    ++answer_.dropped_count;
    if (dropped_.size() > kMaxDroppedNames) return;
    std::string shown = Readable(name, world_.secrets);
    if (Clip(shown, kMaxReasonBytes) > 0) shown += "...";
    answer_.dropped.push_back(std::move(shown));
  }

  std::string Reason(std::string_view text) {
    std::string out = Readable(text, world_.secrets);
    while (!out.empty() && std::string_view(" \t*`|").find(out.back()) != std::string_view::npos) out.pop_back();
    if (Clip(out, kMaxReasonBytes) == 0) return out;
    ++answer_.clipped_reasons;
    return out + "...";
  }

  void AddText(std::string_view line) {
    if (!text_.empty()) text_ += after_blank_ ? "\n\n" : "\n";
    after_blank_ = false;
    text_ += Readable(line, world_.secrets);
  }

  CheckedAnswer Finish() {
    answer_.not_looked_up = looked_up_.size() - std::min(looked_up_.size(), kMaxLookups);
    answer_.text_bytes_cut = Clip(text_, kMaxTextBytes);
    answer_.text = std::move(text_);
    return std::move(answer_);
  }

  const AnswerWorld& world_;
  const HitFinder finder_;
  CheckedAnswer answer_;
  std::string text_;
  bool after_blank_ = false;
  Paths listed_;
  Paths dropped_;
  std::map<std::string, std::optional<std::string>, std::less<>> looked_up_;
  std::vector<RelevantFile>* wants_reason_ = nullptr;  // the list whose last file has none yet
  std::uint64_t entries_ = 0;
  std::uint64_t others_ = 0;
  bool says_none_ = false;
};

}  // namespace

namespace {

// Without characters that control a terminal or that a reader does not see.
std::string Visible(std::string_view text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const Decoded d = DecodeOne(rest);
    if (!IsInvisible(d.code)) AppendUtf8(d.code, out);
    rest.remove_prefix(d.size);
  }
  return Sanitize(out);
}

}  // namespace

std::string Readable(std::string_view text, const Secrets& secrets) { return secrets.Hide(Visible(text)); }

CheckedAnswer CheckAnswer(std::string_view text, const AnswerWorld& world) {
  std::string_view read = text.substr(0, kMaxAnswerBytes);
  // Whole lines, where there are any: a path that is cut names another file.
  if (read.size() < text.size()) read = read.substr(0, read.rfind('\n'));
  const std::string clean = Visible(LossyUtf8(read));
  const std::vector<std::string_view> lines = Split(clean, '\n');
  Checker as_list(world);
  CheckedAnswer answer = as_list.ReadList(lines);
  if (!as_list.was_list()) answer = Checker(world).ReadProse(lines);
  answer.answer_bytes_cut = text.size() - read.size();
  return answer;
}

}  // namespace forge::keyword
