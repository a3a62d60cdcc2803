// Memory whose content comes late: who reads it waits. A system call that reads it waits
// in the middle, as one does whose memory was swapped out. Linux only.
//
//   auto memory = StalledMemory::Make("text");
//   std::thread writer([&] { write(fd, memory->data(), 4); });   // waits
//   memory->Fill();                                              // and goes on
#pragma once

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "os/file.h"

namespace forge::testing {

class StalledMemory {
 public:
  // Null, with errno, where the system does not allow it. At most a page of text.
  static std::unique_ptr<StalledMemory> Make(std::string text) {
    std::unique_ptr<StalledMemory> made(new StalledMemory(std::move(text)));
    return made->Register() ? std::move(made) : nullptr;
  }
  StalledMemory(const StalledMemory&) = delete;
  StalledMemory& operator=(const StalledMemory&) = delete;
  ~StalledMemory() {
    if (memory_ != MAP_FAILED) munmap(memory_, size_);
  }

  const void* data() const { return memory_; }

  // Whether a thread waits, or has waited.
  bool Waited() {
    uffd_msg message;
    waited_ |= read(faults_.get(), &message, sizeof message) > 0;
    return waited_;
  }

  void Fill() {
    text_.resize(size_);
    uffdio_copy copy{};
    copy.dst = reinterpret_cast<std::uintptr_t>(memory_);
    copy.src = reinterpret_cast<std::uintptr_t>(text_.data());
    copy.len = size_;
    ioctl(faults_.get(), UFFDIO_COPY, &copy);
  }

 private:
  explicit StalledMemory(std::string text)
      : faults_(static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK))),
        size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        memory_(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        text_(std::move(text)) {}

  bool Register() {
    if (!faults_.valid() || memory_ == MAP_FAILED) return false;
    uffdio_api api{};
    api.api = UFFD_API;
    if (ioctl(faults_.get(), UFFDIO_API, &api) != 0) return false;
    uffdio_register place{};
    place.range = {reinterpret_cast<std::uintptr_t>(memory_), size_};
    place.mode = UFFDIO_REGISTER_MODE_MISSING;
    return ioctl(faults_.get(), UFFDIO_REGISTER, &place) == 0;
  }

  const os::Fd faults_;
  const std::size_t size_;
  void* const memory_;
  std::string text_;
  bool waited_ = false;
};

}  // namespace forge::testing
