// The test's end of a FaultTable.
//
//   FaultFile faults;
//   faults.AddTo(command.env);
//   faults.Arm({kFault_read, 3, EIO});
//   RunProgram(command);
//   faults.failed()
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <new>
#include <stdexcept>
#include <string>

#include "tests/faults/fault_table.h"
#include "tests/testing/places.h"
#include "tests/testing/temp_tree.h"

namespace forge::testing {

struct Fault {
  int function = -1;
  std::uint64_t at = 0;
  int error = 0;
};

inline constexpr std::array<const char*, kFaultFunctions> kFaultNames = {
#define FORGE_FAULT_NAME(name, error) #name,
    FORGE_FAULT_FUNCTIONS(FORGE_FAULT_NAME)
#undef FORGE_FAULT_NAME
};

inline constexpr std::array<int, kFaultFunctions> kFaultErrors = {
#define FORGE_FAULT_ERROR(name, error) error,
    FORGE_FAULT_FUNCTIONS(FORGE_FAULT_ERROR)
#undef FORGE_FAULT_ERROR
};

class FaultFile {
 public:
  FaultFile() : path_(folder_.Path("faults")) {
    folder_.Write("faults", std::string(sizeof(FaultTable), '\0'));
    const int fd = open(path_.c_str(), O_RDWR | O_CLOEXEC);
    void* place = mmap(nullptr, sizeof(FaultTable), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (place == MAP_FAILED) throw std::runtime_error("mmap failed");
    table_ = new (place) FaultTable;
  }
  ~FaultFile() { munmap(table_, sizeof(FaultTable)); }
  FaultFile(const FaultFile&) = delete;
  FaultFile& operator=(const FaultFile&) = delete;

  void AddTo(std::map<std::string, std::string>& env) const {
    env["LD_PRELOAD"] = FaultLibrary();
    env[kFaultFile] = path_;
    env[kFaultProgram] = ProgramPath();
  }

  // From now on; counts begin anew.
  void Arm(const Fault& fault) {
    table_->function = -1;
    for (auto& calls : table_->calls) calls = 0;
    table_->failed = 0;
    table_->at = fault.at;
    table_->error = fault.error;
    table_->function = fault.function;
  }
  std::uint64_t calls(int function) const { return table_->calls[function]; }
  bool failed() const { return table_->failed > 0; }

 private:
  const TempTree folder_;
  const std::string path_;
  FaultTable* table_ = nullptr;
};

}  // namespace forge::testing
