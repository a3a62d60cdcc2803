#include "match/lines.h"

#include <algorithm>
#include <cstring>

#include "base/last_byte.h"

namespace forge {
namespace {

Line CutLine(std::string_view text, std::size_t begin, std::uint64_t number) {
  Line line;
  line.number = number;
  line.begin = begin;
  const std::size_t lf = text.find('\n', begin);
  const bool ended = lf != std::string_view::npos;
  const std::size_t end = ended ? lf : text.size();
  line.next = ended ? lf + 1 : text.size();
  line.text = text.substr(begin, end - begin);
  if (ended && line.text.ends_with('\r')) line.text.remove_suffix(1);
  return line;
}

}  // namespace

bool LineReader::Next(Line& line) {
  if (pos_ >= text_.size()) return false;
  line = CutLine(text_, pos_, next_number_);
  pos_ = line.next;
  ++next_number_;
  return true;
}

bool LineReader::NextNumber(std::uint64_t number, Line& line) {
  while (next_number_ < number && pos_ < text_.size()) {
    const std::size_t lf = text_.find('\n', pos_);
    if (lf == std::string_view::npos) {
      pos_ = text_.size();
      return false;
    }
    pos_ = lf + 1;
    ++next_number_;
  }
  return next_number_ == number && Next(line);
}

Line LineAround(std::string_view text, std::size_t offset, std::size_t start) {
  const char* const lf = offset > start ? LastByte(text.substr(start, offset - start), '\n') : nullptr;
  const std::size_t begin = lf == nullptr ? start : static_cast<std::size_t>(lf - text.data()) + 1;
  return CutLine(text, begin, 0);
}

bool PreviousLine(std::string_view text, const Line& line, Line& previous) {
  if (line.begin == 0) return false;
  const std::size_t lf = line.begin < 2 ? std::string_view::npos : text.rfind('\n', line.begin - 2);
  previous = CutLine(text, lf == std::string_view::npos ? 0 : lf + 1, line.number - 1);
  return true;
}

}  // namespace forge
