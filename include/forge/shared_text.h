// A text that never changes, and that several owners share.
//
//   const SharedText line = "int foo;";       // copies the bytes, once
//   const SharedText same = line;             // copies none
//   const SharedText foo = line.Part(4, 3);   // "foo"; keeps all of `line` alive
//
// An answer may have 50,000 lines, and with a std::string for each path, line and
// match, a quarter of a warm search was allocating them and freeing them. So lines lie
// side by side in pieces of memory, and the events of a file share one path.
//
// It converts to std::string_view by itself, so it is used like one. What it refers
// to lives as long as one of its owners. Different threads may use copies of one text.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace forge {

class SharedText {
 public:
  SharedText() = default;
  // NOLINTBEGIN(google-explicit-constructor): a text in place of a text
  SharedText(std::string_view text);
  SharedText(const std::string& text) : SharedText(std::string_view(text)) {}
  SharedText(const char* text) : SharedText(std::string_view(text)) {}
  operator std::string_view() const { return view(); }
  // NOLINTEND(google-explicit-constructor)

  // `text` lies in the memory that `owner` holds, and does not change any more.
  SharedText(std::shared_ptr<const char[]> owner, std::string_view text)  // NOLINT(modernize-avoid-c-arrays)
      : bytes_(std::move(owner), text.data()), size_(text.size()) {}

  std::string_view view() const { return {bytes_.get(), size_}; }
  std::string str() const { return std::string(view()); }
  const char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // As std::string_view::substr, without copying bytes. `at` must not be beyond the end.
  SharedText Part(std::size_t at, std::size_t size) const {
    SharedText part;
    part.bytes_ = {bytes_, bytes_.get() + at};
    part.size_ = size < size_ - at ? size : size_ - at;
    return part;
  }

  template <std::convertible_to<std::string_view> T>
  friend bool operator==(const SharedText& a, const T& b) {
    const std::string_view other = b;
    // The events of one file share their path.
    return a.size_ == other.size() && (a.data() == other.data() || a.view() == other);
  }
  template <std::convertible_to<std::string_view> T>
  friend auto operator<=>(const SharedText& a, const T& b) {
    return a.view() <=> std::string_view(b);
  }
  friend std::string operator+(std::string a, const SharedText& b) { return std::move(a.append(b.view())); }
  friend std::string operator+(const SharedText& a, std::string_view b) { return a.str().append(b); }
  friend std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << text.view(); }

 private:
  std::shared_ptr<const char> bytes_;
  std::size_t size_ = 0;
};

}  // namespace forge
