// The syntax of git configuration files.
#include "base/ascii.h"
#include "tree/git_config.h"

namespace forge {
namespace {

// As git's: a form feed and a vertical tab are characters of a value.
bool IsBlankByte(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool IsAlpha(char c) { return IsAsciiLetter(static_cast<unsigned char>(c)); }
bool IsKeyByte(char c) { return IsAlpha(c) || (c >= '0' && c <= '9') || c == '-'; }

class Parser {
 public:
  Parser(std::string_view text, const std::function<void(const GitConfigEntry&)>& use) : text_(text), use_(use) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  bool Run() {
    while (SkipToContent()) {
      const bool fine = Peek() == '[' ? Section() : Entry();
      if (!fine) return false;
    }
    return true;
  }

 private:
  bool AtEnd() const { return at_ >= text_.size(); }

  // '\n' at the end of the file, and for CRLF.
  char Peek() const {
    if (AtEnd()) return '\n';
    if (text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n')) return '\n';
    return text_[at_];
  }

  char Take() {
    const char c = Peek();
    if (!AtEnd()) at_ += c == '\n' && text_[at_] == '\r' && at_ + 1 < text_.size() ? 2U : 1U;
    return c;
  }

  void SkipLine() {
    while (!AtEnd() && Take() != '\n') {
    }
  }

  bool SkipToContent() {
    while (!AtEnd()) {
      const char c = Peek();
      if (c == '#' || c == ';') {
        SkipLine();
      } else if (c == '\n' || IsBlankByte(c)) {
        Take();
      } else {
        return true;
      }
    }
    return false;
  }

  // [name], [name "Sub"], and the old form [name.sub].
  bool Section() {
    Take();
    section_ = {};
    while (IsKeyByte(Peek()) || Peek() == '.') section_.section.push_back(LowerAscii(Take()));
    if (IsBlankByte(Peek())) {
      while (IsBlankByte(Peek())) Take();
      if (!Subsection()) return false;
    } else if (const std::size_t dot = section_.section.find('.'); dot != std::string::npos) {
      section_.subsection = section_.section.substr(dot + 1);
      section_.section.resize(dot);
    }
    return Take() == ']';
  }

  bool Subsection() {
    if (Take() != '"') return false;
    std::string& name = section_.subsection.emplace();
    while (Peek() != '"') {
      if (Peek() == '\\') Take();
      if (Peek() == '\n') return false;
      name.push_back(Take());
    }
    Take();
    return true;
  }

  bool Entry() {
    GitConfigEntry entry = section_;
    if (!IsAlpha(Peek())) return false;
    while (IsKeyByte(Peek())) entry.key.push_back(LowerAscii(Take()));
    while (Peek() == ' ' || Peek() == '\t') Take();
    if (Peek() == '=') {
      Take();
      entry.value.emplace();
      if (!Value(*entry.value)) return false;
    } else if (Peek() != '\n' && Peek() != '#' && Peek() != ';') {
      return false;
    }
    use_(entry);
    return true;
  }

  bool Value(std::string& out) {
    bool quoted = false;
    std::size_t kept = 0;  // out.size() without trailing blanks
    while (true) {
      const char c = Take();
      if (c == '\n') {
        out.resize(kept);
        return !quoted;
      }
      if (!quoted && (c == '#' || c == ';')) {
        SkipLine();
        out.resize(kept);
        return true;
      }
      if (!quoted && IsBlankByte(c)) {
        if (!out.empty()) out.push_back(c);
        continue;
      }
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\') {
        if (!Escape(out)) return false;
      } else {
        out.push_back(c);
      }
      kept = out.size();
    }
  }

  bool Escape(std::string& out) {
    switch (Take()) {
      case '\n': return true;  // the value goes on in the next line
      case 't': out.push_back('\t'); return true;
      case 'b': out.push_back('\b'); return true;
      case 'n': out.push_back('\n'); return true;
      case '\\': out.push_back('\\'); return true;
      case '"': out.push_back('"'); return true;
      default: return false;
    }
  }

  std::string_view text_;
  const std::function<void(const GitConfigEntry&)>& use_;
  std::size_t at_ = 0;
  GitConfigEntry section_;
};

}  // namespace

bool ParseGitConfig(std::string_view text, const std::function<void(const GitConfigEntry&)>& use) {
  return Parser(text, use).Run();
}

}  // namespace forge
