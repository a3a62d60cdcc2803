#include "tool/registry.h"

#include <utility>

#include "base/strings.h"

namespace forge::tool {

Status Registry::Add(std::unique_ptr<Tool> tool, std::string disabled_by) {
  const Definition& definition = tool->definition();
  std::vector<std::string_view> words = definition.aliases;
  words.push_back(definition.name);
  for (const std::string_view word : words) {
    const auto taken = by_word_.find(word);
    if (taken == by_word_.end()) continue;
    return Error{.kind = ErrorKind::kDuplicateTool,
                 .message = "the tool name \"" + std::string(word) + "\" of " + std::string(definition.name) +
                            " is taken by " + std::string(taken->second->tool->definition().name)};
  }
  auto entry = std::make_unique<Entry>(Entry{std::move(tool), std::move(disabled_by)});
  for (const std::string_view word : words) by_word_.emplace(word, entry.get());
  tools_.emplace(definition.name, std::move(entry));
  return {};
}

Result<Tool*> Registry::Find(std::string_view name) const {
  const std::string_view called = name;
  if (name.starts_with(prefix_)) name.remove_prefix(prefix_.size());
  const auto found = by_word_.find(name);
  if (found == by_word_.end()) {
    std::vector<std::string_view> words;
    std::string names;
    for (const auto& [word, entry] : by_word_) words.push_back(word);
    for (const Definition* definition : Definitions()) {
      names += (names.empty() ? "" : ", ") + NameOf(*definition);
    }
    constexpr std::size_t kMostShown = 60;
    const std::string_view word = NearestWord(name.substr(0, kMostShown), words);
    const std::string near = word.empty() ? "" : NameOf(by_word_.find(word)->second->tool->definition());
    return Error{.kind = ErrorKind::kUnknownTool,
                 .message = "there is no tool \"" + Echo(called, kMostShown) + "\"" +
                            (near.empty() ? "; use " + names : "; did you mean \"" + near + "\"?")};
  }
  const Entry& entry = *found->second;
  if (!entry.disabled_by.empty()) {
    return SandboxViolation(ErrorCode::kDisabled, "tool disabled: " + NameOf(entry.tool->definition()) +
                                                      " is switched off by " + Spelled(entry.disabled_by));
  }
  return entry.tool.get();
}

std::vector<const Definition*> Registry::Definitions() const {
  std::vector<const Definition*> definitions;
  for (const auto& [name, entry] : tools_) {
    if (entry->disabled_by.empty()) definitions.push_back(&entry->tool->definition());
  }
  return definitions;
}

std::string Registry::NameOf(const Definition& definition) const { return prefix_ + std::string(definition.name); }

std::string Registry::Spelled(std::string text) const {
  if (prefix_.empty()) return text;
  for (const auto& [name, entry] : tools_) {
    const std::string word = "`" + std::string(name) + "`";
    const std::string now = "`" + prefix_ + std::string(name) + "`";
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + now.size())) {
      text.replace(at, word.size(), now);
    }
  }
  return text;
}

}  // namespace forge::tool
