#include "match/hyperscan.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "os/library.h"

namespace forge {
namespace {

// The part of hs.h, version 5, that we use. We do not include the library's own
// header: we only pass its structures through.
constexpr int kSuccess = 0;
constexpr unsigned kBlockMode = 1;
using OnMatch = int (*)(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void* context);

struct Api {
  const char* (*version)();
  int (*valid_platform)();
  int (*compile)(const char* expression, unsigned flags, unsigned mode, const void* platform, void** database,
                 void** error);
  int (*free_compile_error)(void* error);
  int (*free_database)(void* database);
  int (*alloc_scratch)(const void* database, void** scratch);
  int (*free_scratch)(void* scratch);
  int (*scan)(const void* database, const char* data, unsigned size, unsigned flags, void* scratch, OnMatch on_match,
              void* context);
};

template <typename Function>
bool Find(const os::Library& library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(library.Symbol(name));
  return out != nullptr;
}

std::optional<Api> LoadApi() {
  const auto library = os::Library::Open(os::LibraryName("hs", 5));
  if (!library) return std::nullopt;
  Api api = {};
  const bool complete =
      Find(*library, "hs_version", api.version) && Find(*library, "hs_valid_platform", api.valid_platform) &&
      Find(*library, "hs_compile", api.compile) && Find(*library, "hs_free_compile_error", api.free_compile_error) &&
      Find(*library, "hs_free_database", api.free_database) && Find(*library, "hs_alloc_scratch", api.alloc_scratch) &&
      Find(*library, "hs_free_scratch", api.free_scratch) && Find(*library, "hs_scan", api.scan);
  if (!complete || api.valid_platform() != kSuccess) return std::nullopt;
  return api;
}

const std::optional<Api>& SharedApi() {
  static const std::optional<Api> api = LoadApi();
  return api;
}

// Up to these limits, compiling takes one to ten milliseconds. Beyond them, above
// all with more sets that contain non-ASCII characters, it takes up to 200.
constexpr std::size_t kMaxPositions = 16;
constexpr std::size_t kMaxLoops = 4;

bool CompilesFast(const std::vector<ByteSequence>& sequences) {
  std::size_t positions = 0;
  std::size_t loops = 0;
  for (const ByteSequence& sequence : sequences) {
    positions += sequence.size();
    loops += static_cast<std::size_t>(std::count_if(sequence.begin(), sequence.end(), [](auto& p) { return p.loops; }));
  }
  return positions <= kMaxPositions && loops <= kMaxLoops;
}

void AppendByte(std::size_t byte, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\x";
  out += kHex[byte / 16];
  out += kHex[byte % 16];
}

// False if no byte fits.
bool AppendPosition(const BytePosition& position, std::string& out) {
  out += '[';
  bool any = false;
  for (std::size_t begin = 0; begin < 256; ++begin) {
    if (!position.bytes[begin]) continue;
    std::size_t end = begin + 1;
    while (end < 256 && position.bytes[end]) ++end;
    AppendByte(begin, out);
    out += '-';
    AppendByte(end - 1, out);
    begin = end;
    any = true;
  }
  out += position.loops ? "][\\x80-\\xff]*" : "]";
  return any;
}

// Empty if nothing fits.
std::string ToExpression(const std::vector<ByteSequence>& sequences) {
  std::string out;
  for (const ByteSequence& sequence : sequences) {
    std::string one;
    if (!std::all_of(sequence.begin(), sequence.end(), [&](auto& p) { return AppendPosition(p, one); })) continue;
    if (!out.empty()) out += '|';
    out += one;
  }
  return out;
}

}  // namespace

std::unique_ptr<Hyperscan> Hyperscan::For(const std::vector<ByteSequence>& sequences) {
  if (!CompilesFast(sequences)) return nullptr;
  const std::string expression = ToExpression(sequences);
  const auto& api = SharedApi();
  if (expression.empty() || !api) return nullptr;
  void* database = nullptr;
  void* error = nullptr;
  // No flags: bytes, not UTF-8, and every occurrence is reported.
  if (api->compile(expression.c_str(), 0, kBlockMode, nullptr, &database, &error) != kSuccess) {
    api->free_compile_error(error);
    return nullptr;
  }
  auto* const made = new (std::nothrow) Hyperscan(database);
  if (made == nullptr) api->free_database(database);
  return std::unique_ptr<Hyperscan>(made);
}

std::optional<std::string> Hyperscan::Version() {
  if (!SharedApi()) return std::nullopt;
  const std::string version = SharedApi()->version();  // "5.4.0 2021-01-28"
  return version.substr(0, version.find(' '));
}

Hyperscan::~Hyperscan() { SharedApi()->free_database(database_); }

std::unique_ptr<Hyperscan::Workspace> Hyperscan::Borrow() {
  {
    const Lock lock(mutex_);
    if (idle_) {
      auto workspace = std::move(idle_);
      idle_ = std::move(workspace->below_);
      return workspace;
    }
  }
  std::unique_ptr<Workspace> workspace(new (std::nothrow) Workspace(database_));
  if (!workspace || SharedApi()->alloc_scratch(database_, &workspace->scratch_) != kSuccess) return nullptr;
  return workspace;
}

void Hyperscan::GiveBack(std::unique_ptr<Workspace> workspace) noexcept {
  const Lock lock(mutex_);
  workspace->below_ = std::move(idle_);
  idle_ = std::move(workspace);
}

Hyperscan::Workspace::~Workspace() {
  if (scratch_ != nullptr) SharedApi()->free_scratch(scratch_);
}

int Hyperscan::Workspace::Take(unsigned /*id*/, unsigned long long /*from*/, unsigned long long to, unsigned /*flags*/,
                               void* workspace) {
  Workspace& self = *static_cast<Workspace*>(workspace);
  if (self.count_ == kMaxPlaces) return 1;  // ends the scan
  self.places_[self.count_++] = static_cast<std::uint32_t>(to - 1);
  return 0;
}

bool Hyperscan::Workspace::Scan(std::string_view text) {
  count_ = 0;
  next_ = 0;
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) return false;
  const auto size = static_cast<std::uint32_t>(text.size());
  if (SharedApi()->scan(database_, text.data(), size, 0, scratch_, &Take, this) != kSuccess) return false;
  // The library promises to report all occurrences, but not in order. So we must
  // not stop at the first one.
  std::sort(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(count_));
  return true;
}

std::size_t Hyperscan::Workspace::Next(std::size_t from) {
  while (next_ < count_ && places_[next_] < from) ++next_;
  return next_ < count_ ? places_[next_] : std::string_view::npos;
}

}  // namespace forge
