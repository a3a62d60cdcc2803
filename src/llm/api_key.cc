#include "llm/api_key.h"

#include <algorithm>
#include <utility>

#include "os/file.h"
#include "os/process.h"

namespace forge::llm {
namespace {

constexpr std::uint64_t kMaxKeyBytes = 16 * 1024;
constexpr std::int64_t kMaxCommandMs = 10'000;

// A key goes into a header: white space around it is a line end of the file it
// comes from, anything else below a space would end the header.
Result<std::string> Checked(std::string key, const std::string& source) {
  const std::size_t begin = key.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return ExecutionFailed(source + " holds nothing");
  key = key.substr(begin, key.find_last_not_of(" \t\r\n") - begin + 1);
  if (std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < 0x7F; })) return key;
  return ExecutionFailed(source + " holds more than one word, or a character that no key has");
}

std::string ExpandHome(const std::string& path, const Environment& environment) {
  return path.starts_with("~/") ? environment.Get("HOME") + path.substr(1) : path;
}

Result<std::string> FromFile(const std::string& given, const Environment& environment) {
  const std::string path = ExpandHome(given, environment);
  if (!path.starts_with('/')) return ExecutionFailed("api_key_file is " + given + "; must start with / or ~/");
  auto text = os::ReadSmallFile(path, kMaxKeyBytes);
  if (!text.ok()) return ExecutionFailed("cannot read api_key_file " + path + ": " + text.error().message());
  return Checked(std::move(*text), "api_key_file " + path);
}

Result<std::string> FromCommand(const std::vector<std::string>& words, const Environment& environment,
                                const Deadline& deadline) {
  const auto program = os::FindProgram(words.front(), environment.Get("PATH"));
  if (!program) return ExecutionFailed("api_key_cmd: there is no program " + words.front());
  os::Command command{.program = *program, .args = {words.begin() + 1, words.end()}, .env = {}};
  for (const auto& [name, value] : environment.all()) command.env.push_back(name + "=" + value);
  const Deadline soon(std::min(deadline.at(), Deadline::After(kMaxCommandMs).at()), deadline.cancel());
  std::string output;
  const auto outcome = os::Run(command, soon, [&](std::string_view piece) {
    output.append(piece);
    return output.size() <= kMaxKeyBytes;
  });
  using End = os::RunOutcome::End;
  if (!outcome.ok()) return ExecutionFailed("api_key_cmd cannot be run: " + outcome.error().message());
  if (outcome->end == End::kCancelled) return Cancelled();
  if (outcome->end == End::kDeadline) return ExecutionFailed("api_key_cmd did not end in time");
  if (outcome->end == End::kStopped) return ExecutionFailed("api_key_cmd prints too much to be a key");
  if (outcome->exit_code != 0 || outcome->signal != 0) {
    return ExecutionFailed("api_key_cmd failed with exit status " + std::to_string(outcome->exit_code) +
                           "; run it in a terminal to see why");
  }
  return Checked(std::move(output), "the output of api_key_cmd");
}

}  // namespace

Result<std::string> ReadApiKey(const ModelConfig& model, const Environment& environment, const Deadline& deadline) {
  if (!model.api_key.empty()) return Checked(model.api_key, "api_key");
  if (!model.api_key_env.empty()) return Checked(environment.Get(model.api_key_env), model.api_key_env);
  if (!model.api_key_file.empty()) return FromFile(model.api_key_file, environment);
  if (!model.api_key_cmd.empty()) return FromCommand(model.api_key_cmd, environment, deadline);
  return std::string();
}

}  // namespace forge::llm
