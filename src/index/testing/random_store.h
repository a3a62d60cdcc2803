// What the tests of the store share: keys, random rows, states by number.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "index/catalog_pages.h"
#include "index/store.h"
#include "tests/testing/seed.h"

namespace forge::index {

inline IndexKey KeyOf(const std::string& root) {
  IndexKey key;
  key.root = root;
  key.backend_id = "native";
  key.token_structure = "postings";
  key.tokenizer_id = "trigram-fold-16k-v1";
  return key;
}

inline IndexMeta MetaOf(const IndexKey& key, std::uint64_t epoch = 0) {
  IndexMeta meta;
  meta.key = key;
  meta.state = "COMPLETE";
  meta.coverage_epoch = epoch;
  meta.created_ms = 1;
  meta.complete = true;
  return meta;
}

// Short names over few letters meet again and again; odd ones are in every folder.
inline std::string RandomPath(testing::Random& random) {
  static const std::vector<std::string> names = {"a",
                                                 "b",
                                                 "a-b",
                                                 "src",
                                                 "a.cc",
                                                 "line\nfeed",
                                                 "\xff\xfe",
                                                 "caf\xc3\xa9",
                                                 "cafe\xcc\x81",
                                                 "\xc3",
                                                 " ",
                                                 "\xe2\x82",
                                                 "tab\tx",
                                                 "z",
                                                 "Z",
                                                 "0",
                                                 "\x7f",
                                                 "\xf0\x9f\x98\x80",
                                                 "a b",
                                                 "long-name-that-goes-on"};
  std::string path;
  for (std::size_t depth = random.Below(4); depth > 0; --depth) path += random.Pick(names) + "/";
  return path + random.Pick(names) + std::to_string(random.Below(40));
}

inline CatalogRow RandomRow(testing::Random& random, std::string path) {
  const auto number = [&] { return random.Below(std::size_t{1} << (1 + random.Below(63))); };
  CatalogRow row;
  row.path = std::move(path);
  row.kind = random.OneIn(10) ? CatalogRow::Kind::kDenied : CatalogRow::Kind::kFile;
  row.status = static_cast<TokenStatus>(random.Below(5));
  row.info.type = static_cast<os::FileType>(random.Below(4));
  row.info.size = number();
  row.info.mtime_ns = static_cast<std::int64_t>(number()) * (random.OneIn(2) ? 1 : -1);
  row.info.ctime_ns = static_cast<std::int64_t>(number());
  row.info.device = number();
  row.info.inode = random.OneIn(100) ? ~std::uint64_t{0} : number();
  row.info.links = number();
  row.settled = random.OneIn(2);
  row.segment = static_cast<SegmentId>(number());
  row.docs = {static_cast<std::uint32_t>(number()), static_cast<std::uint32_t>(number())};
  return row;
}

using Model = std::map<std::string, CatalogRow>;  // by path

inline std::vector<CatalogRow> InOrder(const Model& model) {
  std::vector<std::pair<Place, const CatalogRow*>> places;
  for (const auto& [path, row] : model) places.emplace_back(PlaceOf(row), &row);
  std::sort(places.begin(), places.end());
  std::vector<CatalogRow> rows;
  for (const auto& [place, row] : places) rows.push_back(*row);
  return rows;
}

inline Model RandomModel(testing::Random& random, std::size_t size) {
  Model model;
  while (model.size() < size) {
    const std::string path = RandomPath(random);
    model[path] = RandomRow(random, path);
  }
  return model;
}

// A catalog that is known by a number: every row of another differs.
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
  // Without replacing: what the one before had more of.
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
