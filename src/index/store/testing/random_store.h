// What the tests of the store share: keys, changes by number.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "index/catalog/testing/random_rows.h"
#include "index/store/store.h"

namespace forge::index {

inline IndexKey KeyOf(const std::string& root) {
  IndexKey key;
  key.root = root;
  key.backend_id = "native";
  key.tokenizer_id = "trigram-fold-16k-v1";
  return key;
}

inline IndexMeta MetaOf(const IndexKey& key, std::uint64_t epoch = 0) {
  IndexMeta meta;
  meta.key = key;
  meta.state = State::kComplete;
  meta.coverage_epoch = epoch;
  meta.created_ms = 1;
  return meta;
}

// A catalog that depends on a number: for another number every row differs.
inline std::vector<CatalogRow> NumberedRows(std::uint64_t number) {
  std::vector<CatalogRow> rows;
  for (std::uint64_t i = 0; i < 20 + number % 7; ++i) {
    CatalogRow row;
    row.path = "folder/" + std::to_string(100 + i);
    row.info.size = number;
    rows.push_back(row);
  }
  return rows;
}

inline StoreChange NumberedChange(const IndexKey& key, std::uint64_t number) {
  StoreChange change;
  change.meta = MetaOf(key, number);
  change.rows = NumberedRows(number);
  change.replace_rows = number % 2 == 0;
  // Without `replace_rows`: removes the rows that only the one before had.
  for (std::uint64_t i = change.rows.size(); i < 20 + 7; ++i)
    change.removed.push_back("folder/" + std::to_string(100 + i));
  return change;
}

inline std::unique_ptr<Store> MustOpen(const std::string& folder, const IndexKey& key, bool write,
                                       std::int64_t lock_timeout_ms = 5000) {
  StoreOptions options;
  options.folder = folder;
  options.lock_timeout_ms = lock_timeout_ms;
  Result<std::unique_ptr<Store>> store = OpenStore(options, key, write);
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

inline void Must(const Status& status) {
  if (!status) throw std::runtime_error(status.error().message);
}

inline StoredIndex MustLoad(Store& store) {
  Result<std::optional<StoredIndex>> index = store.Load();
  if (!index) throw std::runtime_error(index.error().message);
  if (!*index) throw std::runtime_error("nothing is stored");
  return std::move(**index);
}

}  // namespace forge::index
