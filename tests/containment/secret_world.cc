#include "tests/containment/secret_world.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace forge::testing {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

constexpr int kSomeTime = 1'700'000'000;

// Where secrets lie that are inside, but denied: by the defaults and by the
// configuration of the test.
const Strings kDenied = {"tree/.ssh/id_rsa", "tree/server.pem", "tree/sub/.ssh/config", "tree/sub/private.hush",
                         "tree/hush.d/notes.txt"};

}  // namespace

SecretWorld::SecretWorld(std::uint64_t seed, std::string place, std::string secret, bool mounts)
    : place_(std::move(place)), secret_(std::move(secret)) {
  Random random(seed);
  fs::create_directories(place_);
  MakeSecrets(random);
  MakeInside(random);
  MakeLinks(random);
  MakeGitFiles(random);
  if (mounts) MakeMounts(random);
}

SecretWorld::~SecretWorld() {
  for (const std::string& place : mounts_) umount2(place.c_str(), MNT_DETACH);
  fs::remove_all(place_);
}

void SecretWorld::Write(const std::string& relative, const std::string& text) const {
  const fs::path path = fs::path(place_) / relative;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  const timespec times[2] = {{kSomeTime, 0}, {kSomeTime, 0}};
  utimensat(AT_FDCWD, path.c_str(), times, 0);
}

void SecretWorld::Link(const std::string& target, const std::string& relative) const {
  std::error_code ignored;
  const fs::path path = fs::path(place_) / relative;
  fs::create_directories(path.parent_path(), ignored);
  fs::create_symlink(target, path, ignored);
}

void SecretWorld::MakeSecrets(Random& random) const {
  const std::string text = "TOKEN_" + secret_ + "\nneedle TOKEN_" + secret_ + "\n";
  // How many files there are, their names and their sizes are secret, too.
  const std::size_t more = std::hash<std::string>()(secret_) % 5;
  for (const char* folder : {"outside", "outside/deep", "outside/git/info"}) {
    Write(folder + std::string("/f.txt"), text);
    for (std::size_t i = 0; i < more; ++i) {
      Write(folder + ("/" + secret_) + std::to_string(i) + ".txt", std::string(i * 100, 'x') + text);
    }
  }
  if (more % 2 == 0) Write("outside/sometimes.txt", text);
  Write("outside.txt", text);
  for (const std::string& denied : kDenied) {
    if (!random.OneIn(4)) Write(denied, text);
  }
  Write("tree/.ssh/" + secret_, text);
  // Ignore rules and configurations whose effect would show the secret: each
  // ignores another file.
  const std::string ignores = "seen" + std::to_string(more) + ".txt\n" + secret_ + "\n";
  Write("outside/ignore", ignores);
  Write("outside/git/info/exclude", ignores);
  Write("outside/git/HEAD", "ref: refs/heads/" + secret_ + "\n");
  Write("outside/git/config", "[core]\n\texcludesFile = " + place_ + "/outside/ignore\n");
  Write("outside/config", "[core]\n\texcludesFile = " + place_ + "/outside/ignore\n");
}

void SecretWorld::MakeInside(Random& random) const {
  for (int i = 0; i < 5; ++i) Write("tree/seen" + std::to_string(i) + ".txt", "inside needle\n");
  for (std::size_t n = random.Below(8); n > 0; --n) {
    Write("tree/sub/d" + std::to_string(random.Below(3)) + "/f" + std::to_string(n) + ".txt", "inside needle\nhay\n");
  }
  Write("tree/sub/f.txt", "inside needle\n");
  Write("tree/other/deep/f.txt", "inside needle\n");
  if (random.OneIn(3)) Write("tree/.gitignore", "seen4.txt\n");
  Write("home/.forge/config.toml", "[tools.sandbox]\ndenied_patterns = [\"*.hush\", \"hush.d/\"]\n");
}

void SecretWorld::MakeLinks(Random& random) const {
  const Strings targets = {"../outside",
                           "../outside.txt",
                           place_ + "/outside",
                           place_ + "/outside.txt",
                           place_ + "/outside/deep/f.txt",
                           "../outside/sometimes.txt",
                           ".ssh",
                           ".ssh/id_rsa",
                           "server.pem",
                           "hush.d",
                           "link0/../../outside",
                           "..",
                           "/proc/self/cwd/../outside",
                           "/proc/self/root" + place_ + "/outside",
                           "link1"};
  for (std::size_t i = 0; i < 6; ++i) Link(random.Pick(targets), "tree/link" + std::to_string(i));
  Link("../" + random.Pick(targets), "tree/sub/link");
  if (random.OneIn(3)) Link(place_ + "/outside/ignore", random.OneIn(2) ? "tree/.ignore" : "tree/sub/.gitignore");
}

// A repository whose files lead outside.
void SecretWorld::MakeGitFiles(Random& random) const {
  switch (random.Below(6)) {
    case 0: Write("tree/.git", "gitdir: ../outside/git\n"); return;
    case 1: Write("tree/.git", "gitdir: " + place_ + "/outside/git\n"); return;
    case 2: Link(place_ + "/outside/git", "tree/.git"); return;
    case 3:
      Write("tree/.git/HEAD", "ref: refs/heads/main\n");
      Write("tree/.git/commondir", "../../outside/git\n");
      return;
    default: break;
  }
  const Strings lines = {"[core]\n\texcludesFile = " + place_ + "/outside/ignore\n",
                         "[core]\n\texcludesFile = ../outside/ignore\n",
                         "[include]\n\tpath = " + place_ + "/outside/config\n",
                         "[include]\n\tpath = ../../outside/config\n",
                         "[includeIf \"gitdir:" + place_ + "/\"]\n\tpath = " + place_ + "/outside/config\n",
                         "[core]\n\tworktree = " + place_ + "/outside\n"};
  Write("tree/.git/HEAD", "ref: refs/heads/main\n");
  Write("tree/.git/config", random.Pick(lines) + random.Pick(lines));
  if (random.OneIn(2)) Link(place_ + "/outside/git/info/exclude", "tree/.git/info/exclude");
  if (random.OneIn(2)) Write("tree/sub/.git", "gitdir: ../../outside/git\n");
}

// What a mount hides is not there, and what lies in it is.
void SecretWorld::MakeMounts(Random& random) {
  Write("tree/covered/f.txt", "TOKEN_" + secret_ + "\n");
  const std::string place = place_ + "/tree/covered";
  if (mount("none", place.c_str(), "tmpfs", 0, "size=1m") != 0) return;
  mounts_.push_back(place);
  Write("tree/covered/inside.txt", "inside needle\n");
  if (random.OneIn(2)) Link(place_ + "/outside", "tree/covered/link");
}

void SecretWorld::Swap(Random& random) {
  const Strings pairs = {"tree/sub", "tree/other", "tree/seen0.txt"};
  const std::string inside = place_ + "/" + random.Pick(pairs);
  const std::string link = place_ + "/exchange";
  // All drawn now, so that what is met here does not change what is drawn later.
  const bool to_outside = random.OneIn(2);
  const bool back = random.OneIn(2);
  const std::string kept = place_ + "/kept" + std::to_string(random.Below(1'000'000'000));
  std::error_code ignored;
  fs::remove(link, ignored);
  fs::create_symlink(place_ + (to_outside ? "/outside" : "/tree/.ssh"), link, ignored);
  renameat2(AT_FDCWD, inside.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE);
  // The next Swap() must not lose what was inside.
  if (back) {
    renameat2(AT_FDCWD, inside.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE);
  } else if (!fs::is_symlink(fs::symlink_status(link, ignored))) {
    fs::rename(link, kept, ignored);
  }
}

SearchRequest MakeNosyRequest(Random& random, const std::string& place) {
  const Strings patterns = {"needle", "needle",      "in", "TOKEN_\\w+", "TOKEN",        "needle",
                            ".",      "TOKEN_[a-m]", "^",  "refs/heads", "TOKEN_.{20}$", "e"};
  const Strings paths = {"",
                         "",
                         "",
                         ".",
                         "sub",
                         "sub/f.txt",
                         "link0",
                         "link1/f.txt",
                         "link2/deep",
                         "sub/link",
                         "../outside",
                         "../outside/sometimes.txt",
                         "../outside.txt",
                         ".ssh",
                         ".ssh/id_rsa",
                         "server.pem",
                         "hush.d/notes.txt",
                         "sub/../../outside",
                         "covered",
                         "covered/link",
                         "link3/../f.txt",
                         place + "/outside",
                         place + "/tree/sub",
                         "/proc/self/root" + place + "/outside",
                         "other/deep/f.txt"};
  SearchRequest request;
  request.pattern = random.Pick(patterns);
  request.path = random.Pick(paths);
  request.hidden = !random.OneIn(3);
  request.follow = random.OneIn(2);
  request.no_ignore = random.OneIn(2);
  request.context = static_cast<std::int64_t>(random.Below(3));
  if (random.OneIn(4)) request.max_results = static_cast<std::int64_t>(1 + random.Below(5));
  if (random.OneIn(4)) request.include_glob = {random.OneIn(2) ? "*.txt" : "**/id_rsa"};
  if (random.OneIn(5)) request.max_file_size_bytes = static_cast<std::int64_t>(1 + random.Below(400));
  return request;
}

}  // namespace forge::testing
