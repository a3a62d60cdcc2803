#include "index/store/commit_stamp.h"

#include <array>
#include <cerrno>
#include <cstring>

#include "index/format/checksum.h"
#include "index/store/store_errors.h"
#include "os/private_file.h"

namespace forge::index {
namespace {

// Generation, cleared, checksum of both, in the machine's byte order: no other
// machine reads the file, and if one does, it finds a wrong checksum.
using Words = std::array<std::uint64_t, 3>;
constexpr std::uint64_t kSeed = 0x7374616d;

std::string_view BytesOf(const Words& words, std::size_t count) {
  return {reinterpret_cast<const char*>(words.data()), count * sizeof words[0]};
}

std::uint64_t SumOf(const Words& words) { return Checksum(BytesOf(words, 2), kSeed); }

}  // namespace

Result<CommitStamp> ReadStamp(const std::string& path) {
  const os::OsResult<os::Fd> fd = os::OpenFileItself(path);
  if (!fd.ok() && fd.error().code == ENOENT) return CommitStamp{};
  if (!fd.ok()) return SystemError("cannot read " + path, fd.error());
  const os::OsResult<os::FileInfo> info = os::Stat(fd->get());
  if (!info.ok() || info->type != os::FileType::kRegular) return Damaged("the commit stamp is not a file");
  // A writer may be writing it at this moment; then the next read finds it
  // whole.
  constexpr int kReadings = 10;
  for (int i = 0; i < kReadings; ++i) {
    std::array<char, sizeof(Words) + 1> bytes{};
    const os::OsResult<std::size_t> size = os::ReadAt(fd->get(), 0, bytes.data(), bytes.size());
    if (!size.ok()) return SystemError("cannot read " + path, size.error());
    if (*size == 0) return CommitStamp{};
    Words words;
    std::memcpy(words.data(), bytes.data(), sizeof words);
    if (*size == sizeof words && words[2] == SumOf(words) && words[1] <= 1) {
      return CommitStamp{words[0], words[1] == 1};
    }
  }
  return Damaged("the commit stamp is wrong");
}

Status WriteStamp(const std::string& path, const CommitStamp& stamp) {
  // Something else has its name.
  const auto there = os::StatItself(path);
  if (there.ok() && there->type != os::FileType::kRegular) os::RemoveFile(path);
  const os::OsResult<os::Fd> fd = os::OpenPrivateFile(path);
  if (!fd.ok()) return SystemError("cannot write " + path, fd.error());
  Words words = {stamp.generation, stamp.cleared ? 1U : 0U, 0};
  words[2] = SumOf(words);
  const os::OsResult<bool> written = os::WriteAt(fd->get(), 0, BytesOf(words, words.size()));
  if (!written.ok()) return SystemError("cannot write " + path, written.error());
  return {};
}

}  // namespace forge::index
