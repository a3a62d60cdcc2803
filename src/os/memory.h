// How much memory this process may use, and whether memory is short.
//
// Short means one of these:
//   - processes had to wait for memory during a tenth of the last ten seconds
//     (PSI, "some avg10"), on the whole machine or in our control group;
//   - our control group uses 15/16 of its limit. Pages of files that the kernel
//     drops by itself (inactive_file) do not count, else every group that reads
//     files would be short;
//   - of the machine's memory less than 1/16 is available.
// What the system does not tell counts as plenty.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace forge::os {

// Thread-safe.
class Memory {
 public:
  virtual ~Memory() = default;

  // Of the machine, or the smallest limit of our control group and those above it.
  virtual std::optional<std::uint64_t> Limit() const = 0;
  virtual bool IsShort() const = 0;

  static const Memory& System();
};

// As the files in these folders tell, which have the form of /proc and
// /sys/fs/cgroup (version 2, or version 1 in its folder `memory`).
std::unique_ptr<Memory> MemoryFrom(std::string proc, const std::string& cgroups);

// Gives memory that was freed back to the system. An allocator keeps what a large
// piece of work has used, in case that comes again; it takes some milliseconds.
void ReturnFreedMemory();

// For a process that lives long and mostly waits; once, before it starts threads.
//
// glibc keeps free memory at the end of each thread's heap, and raises the amount with
// every large block that is freed, up to 64 MiB a heap; ReturnFreedMemory() does not
// reach it. After the index of 78,000 files was built, a server held 89 MB where 39 were
// in use. This fixes the amount at a megabyte. A program that ends soon is better off
// without it, so the library does not do it.
void PreferSmallMemory();

}  // namespace forge::os
