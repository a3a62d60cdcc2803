// Where the matches of one line are.
//
//   Places places;
//   places.Add(2, 5);
//   places.Add(7, 9);
//   for (const Place& place : places) Mark(place.begin, place.end);
//
// A line may have as many matches as bytes, so each is kept as two differences:
// the way from the end of the one before, and its length. That is two bytes for
// most matches; a list of structs takes gigabytes for a line of 75 MB. The
// price: places are read in order only. No places at all, as in most answers, take
// the room of a pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace forge {

// In bytes from the beginning of the line.
struct Place {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string_view replacement = {};  // if the request has one; it lies in the Places

  friend bool operator==(const Place&, const Place&) = default;
};

class Places {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Place;
    using difference_type = std::ptrdiff_t;
    using pointer = const Place*;
    using reference = const Place&;

    const Place& operator*() const { return place_; }
    const Place* operator->() const { return &place_; }
    Iterator& operator++() {
      Read();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      Read();
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_end_ == b.at_end_ && a.at_ == b.at_; }

   private:
    friend Places;
    Iterator() = default;
    explicit Iterator(const Places& places);
    void Read();

    std::string_view steps_;
    std::string_view texts_;
    std::size_t at_ = 0;  // in the steps, after those of place_
    bool replaced_ = false;
    bool at_end_ = true;
    Place place_;
  };

  Places() = default;
  Places(std::initializer_list<Place> places) {  // without replacements
    for (const Place& place : places) Add(place.begin, place.end);
  }
  Places(const Places& other) : kept_(other.kept_ ? std::make_unique<Kept>(*other.kept_) : nullptr) {}
  Places(Places&&) noexcept = default;
  Places& operator=(Places other) noexcept {
    kept_ = std::move(other.kept_);
    return *this;
  }
  ~Places() = default;

  // A place must not begin before the end of the one before it. Either all
  // have a replacement or none.
  void Add(std::uint64_t begin, std::uint64_t end);
  void Add(std::uint64_t begin, std::uint64_t end, std::string_view replacement);

  std::size_t size() const { return kept_ ? kept_->size : 0; }
  bool empty() const { return size() == 0; }
  Place front() const { return *begin(); }  // there must be one
  Iterator begin() const { return Iterator(*this); }
  Iterator end() const;

  // How much memory they take, beside the object itself.
  std::size_t bytes() const { return kept_ ? kept_->steps.size() + kept_->texts.size() : 0; }

  struct Kept {
    std::string steps;  // varints: gap, length and, with replacements, the size of the text
    std::string texts;  // the replacements, one after another
    std::uint64_t size = 0;
    std::uint64_t end = 0;  // of the last place
    bool replaced = false;

    friend bool operator==(const Kept&, const Kept&) = default;
  };

  // For the wire (wire/types.h): all that is kept; null if there are none. What comes
  // from elsewhere may be nonsense; then the places are nonsense too, but reading them
  // ends.
  static auto Members(auto& places) { return std::tie(places.kept_); }

  friend bool operator==(const Places& a, const Places& b) {
    return a.empty() == b.empty() && (a.empty() || *a.kept_ == *b.kept_);
  }

 private:
  Kept& Mutable();

  std::unique_ptr<Kept> kept_;
};

}  // namespace forge
