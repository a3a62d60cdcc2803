#include "mcp/line_splitter.h"

namespace forge::mcp {

void LineSplitter::Feed(std::string_view bytes) {
  for (;;) {
    const std::size_t end = bytes.find('\n');
    Append(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    EndLine();
    bytes.remove_prefix(end + 1);
  }
}

void LineSplitter::Finish() { EndLine(); }

void LineSplitter::Append(std::string_view bytes) {
  if (skipping_) return;
  if (bytes.size() <= limit_ - line_.size()) {
    line_ += bytes;
    return;
  }
  skipping_ = true;
  line_ = std::string();  // gives the memory back
  handlers_.too_long();
}

void LineSplitter::EndLine() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view line = line_;
  if (first_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!skipping_ && line.find_first_not_of(" \t\r") != std::string_view::npos) handlers_.line(line);
  first_ = false;
  skipping_ = false;
  // One large line must not keep its memory for the rest of the session.
  constexpr std::size_t kKeptBytes = 64 * 1024;
  line_.capacity() > kKeptBytes ? std::string().swap(line_) : line_.clear();
}

}  // namespace forge::mcp
