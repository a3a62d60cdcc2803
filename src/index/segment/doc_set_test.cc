#include "index/segment/doc_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace forge::index {
namespace {

// A set of bits and a set of numbers, filled alike.
struct Both {
  explicit Both(std::uint32_t size) : bits(size) {
    for (const std::uint32_t doc : *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, size))) {
      bits.Add(doc);
      numbers.insert(doc);
    }
  }
  DocSet bits;
  std::set<std::uint32_t> numbers;
};

RC_GTEST_PROP(DocSet, AnswersAsASetOfNumbers, ()) {
  const auto size = *rc::gen::inRange(1U, 400U);
  const Both set(size);
  const auto first = *rc::gen::inRange(0U, size);
  const auto count = *rc::gen::inRange(0U, size - first + 1);
  const auto from = set.numbers.lower_bound(first);
  RC_ASSERT(set.bits.HasAny(first, count) == (from != set.numbers.end() && *from < first + count));
  RC_ASSERT(set.bits.Next(first) == (from == set.numbers.end() ? size : *from));
  RC_ASSERT(set.bits.count() == set.numbers.size());
  const auto least = *rc::gen::inRange(0U, 10U);
  RC_ASSERT(set.bits.HasAtLeast(least) == (set.numbers.size() >= least));
  RC_ASSERT(set.bits.empty() == set.numbers.empty());
}

RC_GTEST_PROP(DocSet, KeepsWhatBothHaveAndSaysWhetherThatIsLess, ()) {
  const auto size = *rc::gen::inRange(1U, 200U);
  Both set(size);
  const Both other(size);
  const std::size_t gone = std::erase_if(set.numbers, [&](std::uint32_t doc) { return !other.numbers.contains(doc); });
  RC_ASSERT(set.bits.Keep(other.bits) == (gone > 0));
  for (std::uint32_t doc = 0; doc < size; ++doc) RC_ASSERT(set.bits.Has(doc) == set.numbers.contains(doc));
}

}  // namespace
}  // namespace forge::index
