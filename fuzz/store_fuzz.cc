// A database of the store with any bytes: it is refused, read as empty, or read.
#include "fuzz/fuzz.h"
#include "index/store/store.h"
#include "index/store/testing/random_store.h"
#include "tests/testing/temp_tree.h"

namespace forge {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const index::IndexKey key = index::KeyOf("/root");
  const testing::TempTree folder;
  {
    const auto store = index::MustOpen(folder.root(), key, true);
    (void)store->Commit(index::NumberedChange(key, 2));
    (void)store->Checkpoint();
  }
  const std::string name = index::HashOf(key) + ".db";
  std::string image = folder.Read(name);
  FuzzedDataProvider in(data, size);
  while (in.remaining_bytes() > 3) {
    const auto place = in.ConsumeIntegralInRange<std::size_t>(0, image.size() - 1);
    const std::string bytes = in.ConsumeRandomLengthString(64);
    image.replace(place, std::min(bytes.size(), image.size() - place), bytes, 0,
                  std::min(bytes.size(), image.size() - place));
  }
  folder.Write(name, image);
  auto store = index::OpenStore({.folder = folder.root()}, key, in.remaining_bytes() % 2 == 0);
  if (!store) return 0;
  const auto loaded = (*store)->Load();
  if (loaded.ok() && *loaded) fuzz::Require((*loaded)->rows.size() <= 1000, "no rows out of nothing");
  (void)index::ListStored({.folder = folder.root()});
  return 0;
}

}  // namespace forge
