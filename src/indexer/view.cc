#include "indexer/view.h"

namespace forge::indexer {

std::string_view ToString(Storage storage) {
  switch (storage) {
    case Storage::kNone: return "none";
    case Storage::kMemory: return "memory";
    case Storage::kSqlite: return "sqlite";
  }
  return "";
}

std::string_view ToString(Phase phase) {
  switch (phase) {
    case Phase::kIdle: return "";
    case Phase::kEnumerate: return "ENUMERATE";
    case Phase::kTokenize: return "TOKENIZE";
    case Phase::kPersist: return "PERSIST";
    case Phase::kActivate: return "ACTIVATE";
  }
  return "";
}

std::string_view ToString(Bypass bypass, const View& view) {
  switch (bypass) {
    case Bypass::kNone: return "";
    case Bypass::kIndexOff: return "INDEX_OFF";
    case Bypass::kNoIndexRoot: return "NO_INDEX_ROOT";
    case Bypass::kKeyDiffers: return "KEY_DIFFERS";
    case Bypass::kRemoteFileSystem: return "REMOTE_FILE_SYSTEM";
    case Bypass::kState: return view.reason == index::Reason::kNone ? Name(view.state) : Name(view.reason);
    case Bypass::kDamaged: return "CORRUPT";
    case Bypass::kNoRequiredGram: return "NO_REQUIRED_GRAM";
  }
  return "";
}

}  // namespace forge::indexer
