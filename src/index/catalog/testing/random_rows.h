// Random catalogs, for tests of the catalog and of the store.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "index/catalog/catalog_sheet.h"
#include "tests/testing/seed.h"

namespace forge::index {

// Short names over few letters, so that they repeat; every folder has odd ones.
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
  std::vector<std::pair<OrderKey, const CatalogRow*>> keys;
  for (const auto& [path, row] : model) keys.emplace_back(OrderKeyOf(path), &row);
  std::sort(keys.begin(), keys.end());
  std::vector<CatalogRow> rows;
  for (const auto& [key, row] : keys) rows.push_back(*row);
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

}  // namespace forge::index
