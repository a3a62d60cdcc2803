// JSON for tests, behind an interface that compiles fast: only json_view.cc
// includes the library.
//
//   JsonView json(text);
//   json.At("/matches/0/data/line_number")  ==  "7"
//   json.At("/errors")                      ==  "[]"
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace forge::testing {

class JsonView {
 public:
  explicit JsonView(std::string_view text);
  ~JsonView();
  JsonView(JsonView&&) noexcept;
  JsonView& operator=(JsonView&&) noexcept;

  // Exactly one document, strictly: UTF-8, nothing after it.
  bool valid() const;
  std::string At(const std::string& pointer) const;    // compact; "" if there is none
  std::string Text(const std::string& pointer) const;  // a string, unquoted; "" otherwise
  std::size_t Size(const std::string& pointer) const;
  std::vector<std::string> Keys(const std::string& pointer) const;  // in the order of the text

 private:
  struct Document;
  std::unique_ptr<Document> document_;
};

// `text` as a JSON string, with its quotes. Bytes that are not UTF-8 stay.
std::string Quoted(std::string_view text);

}  // namespace forge::testing
