#include "cli/hyperlink.h"

#include <algorithm>

#include "base/path.h"
#include "os/named_file.h"

namespace forge::cli {
namespace {

struct Named {
  std::string_view name;
  std::string_view format;
};
constexpr Named kFormats[] = {
    {"none", ""},
    {"default", "file://{path}"},
    {"file", "file://{path}"},
    {"vscode", "vscode://file{path}:{line}:{column}"},
    {"vscode-insiders", "vscode-insiders://file{path}:{line}:{column}"},
    {"vscodium", "vscodium://file{path}:{line}:{column}"},
    {"kitty", "file://{path}#{line}"},
    {"grep+", "grep+://{path}:{line}"},
    {"macvim", "mvim://open?url=file://{path}&line={line}&column={column}"},
    {"textmate", "txmt://open?url=file://{path}&line={line}&column={column}"},
};

// A path in an address: what is not plain ASCII is percent-encoded.
std::string Encoded(std::string_view path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/:").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out;
}

void Replace(std::string_view word, const std::string& with, std::string& text) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + with.size())) {
    text.replace(at, word.size(), with);
  }
}

}  // namespace

std::optional<std::string> LinkFormat(std::string_view text) {
  for (const Named& known : kFormats) {
    if (known.name == text) return std::string(known.format);
  }
  if (text.find("{path}") == std::string_view::npos) return std::nullopt;
  return std::string(text);
}

std::string LinkTo(std::string_view format, std::string_view path, std::uint64_t line, std::uint64_t column) {
  std::string whole = NormalPath(PathFrom(os::CurrentFolder(), path));
  if (!whole.starts_with('/')) whole.insert(0, 1, '/');  // "file:///C:/a"
  std::string out(format);
  Replace("{host}", "", out);
  Replace("{wslprefix}", "", out);
  Replace("{line}", std::to_string(std::max<std::uint64_t>(line, 1)), out);
  Replace("{column}", std::to_string(std::max<std::uint64_t>(column, 1)), out);
  Replace("{path}", Encoded(whole), out);
  return out;
}

}  // namespace forge::cli
