#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

namespace forge::cli {
namespace {

std::string WholeNumber(Range range) {
  const std::string from = "must be a whole number of at least " + std::to_string(range.min);
  return range.max == Range().max ? from : from + " and at most " + std::to_string(range.max);
}

CLI::Validator In(Range range) {
  return CLI::Validator(
      [range](const std::string& text) {
        std::int64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        const bool good = error == std::errc() && stop == end && number >= range.min && number <= range.max;
        return good ? std::string() : "is \"" + text + "\"; " + WholeNumber(range);
      },
      "");
}

CLI::Validator OneOf(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        std::string all;
        for (const std::string& word : words) {
          all += (all.empty() ? "" : &word == &words.back() ? " or " : ", ") + word;
        }
        return "is \"" + text + "\"; must be " + all;
      },
      "");
}

// Who gives an option twice means the last one: an alias may have the first.
CLI::Option* TakeLast(CLI::Option* option) { return option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast); }

CLI::Option* AddOptional(CLI::App& app, const char* name, std::optional<std::string>& out, const char* doc) {
  // The library would treat "" as a missing value.
  return app
      .add_option_function<std::string>(
          name, [&out](const std::string& text) { out = text; }, doc)
      ->type_name("");
}

}  // namespace

void Options::Required(const char* name, std::string& out, const char* doc) {
  app_.add_option(name, out, doc)->required()->type_name("");
}

void Options::Optional(const char* name, std::string& out, const char* doc) {
  app_.add_option(name, out, doc)->type_name("");
}

void Options::Optional(const char* name, std::optional<std::string>& out, const char* doc) {
  AddOptional(app_, name, out, doc);
}

void Options::Optional(const char* name, std::vector<std::string>& out, const char* doc) {
  app_.add_option(name, out, doc)->type_name("");
}

void Options::Needed(const char* name, std::optional<std::string>& out, const char* doc) {
  notes_[AddOptional(app_, name, out, doc)].needed = true;
}

void Options::Required(const char* name, std::string& out, const std::vector<std::string>& choices, const char* doc) {
  AddChoice(
      name, "", choices, [&out](const std::string& word) { out = word; }, doc, /*required=*/true);
}

void Options::Flag(const char* names, bool& out, const char* doc) {
  AddFlag(
      names, [&out] { out = true; }, doc);
}

void Options::AddFlag(const char* names, std::function<void()> apply, const char* doc) {
  const std::string description = doc;
  notes_[app_.add_flag(names, description)].apply = std::move(apply);
}

void Options::Ignored(const char* names) { app_.add_flag(names)->group(""); }

void Options::IgnoredValue(const char* names) {
  TakeLast(app_.add_option_function<std::string>(names, [](const std::string&) {}))->group("")->type_name("N");
}

void Options::HiddenText(const char* names, std::string& out) { TakeLast(app_.add_option(names, out))->group(""); }

void Options::Opposite(const char* names, bool& out) {
  CLI::Option* option = app_.add_flag(names)->group("");
  notes_[option].apply = [&out] { out = false; };
}

void Options::Json(const char* doc) {
  Flag("--json", json_, doc);
  Opposite("--no-json", json_);
}

void Options::Text(const char* names, std::string& out, const char* value, const char* doc) {
  TakeLast(app_.add_option(names, out, doc))->type_name(value);
}

void Options::Text(const char* names, std::optional<std::string>& out, const char* value, const char* doc) {
  TakeLast(AddOptional(app_, names, out, doc))->type_name(value);
}

void Options::List(const char* names, std::vector<std::string>& out, const char* value, const char* doc,
                   ListRules rules) {
  CLI::Option* option = app_.add_option(names, out, doc);
  if (rules.commas) option->delimiter(',');
  option->required(rules.required)->allow_extra_args(false)->type_name(value);
}

void Options::Choice(const char* names, std::string& out, const std::vector<std::string>& choices, const char* value,
                     const char* doc) {
  AddChoice(
      names, value, choices, [&out](const std::string& word) { out = word; }, doc, /*required=*/false);
}

void Options::OnGiven(const char* name, std::function<void()> apply) {
  notes_[app_.get_option(name)].apply = std::move(apply);
}

void Options::Suggest(const char* name, std::vector<std::string> words) {
  notes_[app_.get_option(name)].choices = std::move(words);
}

void Options::AddChoice(const char* names, const char* value, const std::vector<std::string>& words, const Set& set,
                        const char* doc, bool required) {
  CLI::Option* option = app_.add_option_function<std::string>(names, set, doc);
  option->required(required)->type_name(value)->check(OneOf(words));
  if (!required) TakeLast(option);
  notes_[option].choices = words;
}

void Options::Number(const char* names, std::int64_t& out, const char* doc, Range range) {
  TakeLast(app_.add_option(names, out, doc))->check(In(range))->type_name("N");
}

void Options::Number(const char* names, std::optional<std::int64_t>& out, const char* doc, Range range) {
  TakeLast(app_.add_option(names, out, doc))->check(In(range))->type_name("N");
}

void Options::Milliseconds(const char* names, std::optional<std::chrono::milliseconds>& out, const char* doc) {
  const auto store = [&out](std::int64_t number) { out = std::chrono::milliseconds(number); };
  TakeLast(app_.add_option_function<std::int64_t>(names, store, doc))->check(In({}))->type_name("N");
}

void Options::Size(const char* names, std::optional<std::int64_t>& out, const char* doc) {
  TakeLast(app_.add_option(names, out, doc))
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false).description(""))
      ->check(In({}))
      ->type_name("N");
}

}  // namespace forge::cli
