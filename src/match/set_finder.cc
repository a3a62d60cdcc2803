#include "match/set_finder.h"

#include <algorithm>
#include <new>
#include <utility>

namespace forge {
namespace {

// One line may be longer than a piece. Hyperscan scans so much in about five
// milliseconds, and cannot be interrupted.
constexpr std::size_t kLongPiece = 8 * 1024 * 1024;

}  // namespace

SetFinder::SetFinder(std::vector<ByteSequence> sequences, std::uint64_t shift_and_bytes)
    : sequences_(std::move(sequences)), shift_and_(sequences_), shift_and_bytes_(shift_and_bytes) {}

// The other threads continue with Shift-And while one thread compiles.
Hyperscan* SetFinder::Expect(std::uint64_t bytes) {
  if (Hyperscan* const ready = hyperscan_.load(std::memory_order_acquire)) return ready;
  const std::uint64_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (before > shift_and_bytes_ || before + bytes <= shift_and_bytes_) return nullptr;
  try {
    owned_ = Hyperscan::For(sequences_);
  } catch (const std::bad_alloc&) {
    return nullptr;  // Shift-And finds the same, more slowly
  }
  hyperscan_.store(owned_.get(), std::memory_order_release);
  return owned_.get();
}

SetFinder::Cursor::Cursor(SetFinder& finder, std::string_view text, const Deadline& deadline)
    : shift_and_(finder.shift_and_), hyperscan_(finder.Expect(text.size())), text_(text), deadline_(deadline) {
  if (hyperscan_ != nullptr) workspace_ = hyperscan_->Borrow();
}

SetFinder::Cursor::~Cursor() {
  if (workspace_) hyperscan_->GiveBack(std::move(workspace_));
}

std::size_t SetFinder::Cursor::Next(std::size_t from) {
  if (!workspace_) return FindInBlocks(text_, from);
  while (from < text_.size() && !interrupted_) {
    if (from >= piece_end_) StartPiece(from);
    const std::size_t at = NextInPiece(from);
    if (at != std::string_view::npos) return at;
    from = piece_end_;
    interrupted_ = deadline_.over();
  }
  return std::string_view::npos;
}

std::size_t SetFinder::Cursor::FindInBlocks(std::string_view text, std::size_t from) {
  std::uint64_t state = 0;
  while (from < text.size() && !interrupted_) {
    const std::size_t end = from + std::min(kBlock, text.size() - from);
    const std::size_t at = shift_and_.Find(text.substr(0, end), from, state);
    if (at != std::string_view::npos) return at;
    from = end;
    interrupted_ = end < text.size() && deadline_.over();
  }
  return std::string_view::npos;
}

// It ends with a line, because no occurrence crosses the end of a line.
void SetFinder::Cursor::StartPiece(std::size_t from) {
  piece_begin_ = from;
  piece_end_ = text_.size();
  if (text_.size() - from > kPiece) {
    const std::size_t last = text_.substr(from, kPiece).rfind('\n');
    const std::size_t end = last != std::string_view::npos ? from + last : text_.find('\n', from + kPiece);
    if (end != std::string_view::npos) piece_end_ = end + 1;
  }
  const std::string_view piece = text_.substr(piece_begin_, piece_end_ - piece_begin_);
  scanned_ = piece.size() <= kLongPiece && workspace_->Scan(piece);
}

std::size_t SetFinder::Cursor::NextInPiece(std::size_t from) {
  if (!scanned_) return FindInBlocks(text_.substr(0, piece_end_), from);
  const std::size_t at = workspace_->Next(from - piece_begin_);
  return at == std::string_view::npos ? at : piece_begin_ + at;
}

}  // namespace forge
