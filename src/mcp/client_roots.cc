#include "mcp/client_roots.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/path.h"

namespace forge::mcp {
namespace {

constexpr std::size_t kMaxRoots = 64;

std::optional<char> HexByte(std::string_view digits) {
  unsigned value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (digits.size() != 2 || error != std::errc() || stop != end || value == 0) return std::nullopt;
  return static_cast<char>(value);
}

}  // namespace

void ClientRoots::Asked() {
  const Lock lock(mutex_);
  asked_ = Clock::now();
}

void ClientRoots::Answered(std::vector<std::string> folders) {
  std::function<void()> tell;  // without the mutex: it may ask for the folders
  {
    const Lock lock(mutex_);
    asked_.reset();
    if (!known_ || folders != folders_) tell = on_known_;
    known_ = true;
    folders_ = std::move(folders);
  }
  answered_.NotifyAll();
  if (tell) tell();
}

std::vector<std::string> ClientRoots::Get() {
  Lock lock(mutex_);
  if (asked_) {
    const Clock::time_point end = *asked_ + patience_;
    while (asked_ && answered_.WaitUntil(mutex_, end)) {
    }
  }
  return folders_;
}

std::vector<std::string> FoldersOf(const nlohmann::json& list_result) {
  std::vector<std::string> folders;
  const auto list = list_result.is_object() ? list_result.find("roots") : list_result.end();
  if (!list_result.is_object() || list == list_result.end() || !list->is_array()) return folders;
  for (const auto& root : *list) {
    const auto uri = root.is_object() ? root.find("uri") : root.end();
    if (!root.is_object() || uri == root.end() || !uri->is_string() || folders.size() == kMaxRoots) continue;
    if (auto path = PathOfFileUri(uri->get_ref<const std::string&>())) folders.push_back(*std::move(path));
  }
  return folders;
}

std::optional<std::string> PathOfFileUri(std::string_view uri) {
  for (const std::string_view prefix : {"file://localhost/", "file:///"}) {
    if (!uri.starts_with(prefix)) continue;
    std::string path = "/";
    std::string_view rest = uri.substr(prefix.size());
    while (!rest.empty()) {
      const bool escaped = rest.front() == '%';
      const auto byte = escaped ? HexByte(rest.substr(1, 2)) : std::optional(rest.front());
      if (!byte) return std::nullopt;
      path += *byte;
      rest.remove_prefix(escaped ? 3 : 1);
    }
    // "file:///C:/a" names C:/a where paths are like that.
    if (std::string drive = OwnForm(path.substr(1)); IsAbsolutePath(drive) && drive.front() != '/') return drive;
    return path;
  }
  return std::nullopt;
}

}  // namespace forge::mcp
