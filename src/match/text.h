// Makes the text that is searched from the bytes of a file.
//
// Only a byte order mark changes how a file is read. A UTF-8 mark is skipped.
// UTF-16 and UTF-32 are transcoded to UTF-8; lines, columns and matches then
// refer to the transcoded text (C10). All other files are searched as bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/deadline.h"

namespace forge {

enum class Encoding { kBytes, kUtf8Mark, kUtf16Little, kUtf16Big, kUtf32Little, kUtf32Big };

inline constexpr std::size_t kMarkBytes = 4;  // enough to tell

// `start` is the file's first kMarkBytes, or all of it.
Encoding SniffEncoding(std::string_view start);

inline bool IsWide(Encoding e) { return e != Encoding::kBytes && e != Encoding::kUtf8Mark; }

// The text of a whole file: a part of `raw`, or transcoded into `buffer`. Only a
// beginning of it if the deadline passes meanwhile.
std::string_view DecodeText(std::string_view raw, std::string& buffer, const Deadline& deadline = {});

// The same for a file that comes in pieces.
class TextDecoder {
 public:
  // The text of the next piece, as far as it is known; it lives until the next
  // call. `last`: no piece follows.
  std::string_view Take(std::string_view piece, bool last);

 private:
  std::size_t WholeCharacters(std::string_view bytes) const;

  bool started_ = false;
  Encoding encoding_ = Encoding::kBytes;
  std::string held_;  // the beginning of something that is not whole yet
  std::string text_;
};

}  // namespace forge
