#include "index/postings/plan_eval.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/byte_rarity.h"
#include "index/format/damage.h"

namespace forge::index {
namespace {

using Kind = NgramPlan::Kind;

// One or two documents stand in the dictionary itself.
void AddInline(const Dictionary::Entry& entry, DocSet& set) {
  set.Add(entry.place & 0xFFFFU);
  if (entry.df() == 2) set.Add(entry.place >> 16U);
}

unsigned RarityOf(const NgramPlan& plan) {
  unsigned sum = 0;
  for (const char c : plan.gram) sum += kByteRarity[static_cast<unsigned char>(c)];
  return sum;
}

// A plan with its grams looked up and its absent parts removed.
struct Node {
  Kind kind = Kind::kAll;
  std::uint64_t most = 0;   // postings that have to be read; no more documents can fulfil it
  Dictionary::Range grams;  // kGram
  std::vector<Node> parts;  // kAnd: rarest first
  // kSets: neighbours in the dictionary as one range
  std::vector<Dictionary::Range> ranges = {};
  bool has_sets = false;  // here or in a part
};

class Lookup {
 public:
  Lookup(const Dictionary& dictionary, std::uint32_t docs, AndLimits limits)
      : dictionary_(dictionary),
        docs_(docs),
        most_for_sets_(std::uint64_t{limits.set_postings} * docs),
        most_for_all_(std::uint64_t{limits.all_postings} * docs) {}

  Node operator()(const NgramPlan& plan) const {
    switch (plan.kind) {
      case Kind::kAll: return All();
      case Kind::kNone: return None();
      case Kind::kGram: return Gram(plan.gram);
      case Kind::kSets: return Sets(plan.sets);
      case Kind::kAnd: return And(plan.parts);
      case Kind::kOr: return Or(plan.parts);
    }
    return All();
  }

 private:
  Node All() const { return {Kind::kAll, docs_, {}, {}}; }
  static Node None() { return {Kind::kNone, 0, {}, {}}; }

  static bool IsIndexed(const std::string& gram) { return gram.size() == 2 || gram.size() == 3; }

  Node Gram(const std::string& gram) const { return IsIndexed(gram) ? Grams(dictionary_.Find(gram)) : All(); }

  Node Grams(Dictionary::Range range) const {
    Node node{Kind::kGram, 0, range, {}};
    if (node.grams.empty()) return None();
    for (std::uint32_t i = node.grams.first; i != node.grams.end; ++i) node.most += dictionary_[i].df();
    return node;
  }

  // ALL if the lists are too long.
  Node Sets(const std::vector<ByteSet>& sets) const {
    Node node;
    node.kind = Kind::kSets;
    node.has_sets = true;
    dictionary_.ForEach(sets, [&](std::uint32_t i) {
      node.most += dictionary_[i].df();
      if (node.ranges.empty() || node.ranges.back().end != i) node.ranges.push_back({i, i});
      ++node.ranges.back().end;
      return node.most <= most_for_sets_;
    });
    if (node.ranges.empty()) return None();
    return node.most <= most_for_sets_ ? node : All();
  }

  // Whether the dictionary lacks the gram whose bytes are the rarest in general. A text
  // that is nowhere mostly ends here, at one lookup instead of twenty.
  bool LacksRarest(const std::vector<NgramPlan>& parts) const {
    const auto rarest = std::max_element(
        parts.begin(), parts.end(), [](const NgramPlan& a, const NgramPlan& b) { return RarityOf(a) < RarityOf(b); });
    return rarest != parts.end() && rarest->kind == Kind::kGram && Gram(rarest->gram).kind == Kind::kNone;
  }

  Node And(const std::vector<NgramPlan>& parts) const {
    if (LacksRarest(parts)) return None();
    Node node{Kind::kAnd, docs_, {}, {}};
    const auto is_gram = [](const NgramPlan& plan) { return plan.kind == Kind::kGram && IsIndexed(plan.gram); };
    std::vector<std::string_view> grams;
    for (const NgramPlan& plan : parts) {
      if (is_gram(plan)) grams.push_back(plan.gram);
    }
    const std::vector<Dictionary::Range> found = dictionary_.FindAll(grams);
    auto next = found.begin();
    node.parts.reserve(parts.size());
    for (const NgramPlan& plan : parts) {
      Node part = is_gram(plan) ? Grams(*next++) : (*this)(plan);
      if (part.kind == Kind::kNone) return None();
      if (part.kind != Kind::kAll) node.parts.push_back(std::move(part));
    }
    if (node.parts.empty()) return All();
    std::stable_sort(node.parts.begin(), node.parts.end(),
                     [](const Node& a, const Node& b) { return a.most < b.most; });
    node.most = node.parts.front().most;
    node.has_sets = std::any_of(node.parts.begin(), node.parts.end(), [](const Node& part) { return part.has_sets; });
    return node;
  }

  Node Or(const std::vector<NgramPlan>& parts) const {
    Node node{Kind::kOr, 0, {}, {}};
    for (const NgramPlan& plan : parts) {
      Node part = (*this)(plan);
      if (part.kind == Kind::kAll) return All();
      if (part.kind == Kind::kNone) continue;
      node.most += part.most;
      node.has_sets |= part.has_sets;
      node.parts.push_back(std::move(part));
    }
    if (node.has_sets && node.most > most_for_all_) return All();
    return node.parts.empty() ? None() : node;
  }

  const Dictionary& dictionary_;
  std::uint32_t docs_;
  std::uint64_t most_for_sets_;
  std::uint64_t most_for_all_;
};

Status KeepDocuments(const Dictionary::Entry& entry, const CheckedPostings& postings, DocSet& set, bool& taken) {
  if (entry.length == 0) {
    DocSet listed(set.size());
    AddInline(entry, listed);
    taken = set.Keep(listed);
    return {};
  }
  std::string bytes;
  if (Status read = postings.Read(entry.place, entry.length, bytes); !read) return read;
  const std::string_view list(bytes.data(), entry.length);
  if (!KeepListed(entry.coding, list, entry.df(), set, taken)) return Damaged("a list of postings");
  return {};
}

class Evaluation {
 public:
  Evaluation(const Dictionary& dictionary, const CheckedPostings& postings, std::uint32_t docs, AndLimits limits)
      : dictionary_(dictionary),
        postings_(postings),
        docs_(docs),
        limits_(limits),
        left_for_sets_(std::uint64_t{limits.all_postings} * docs) {}

  Status AddTo(DocSet& set, const Node& node) {
    switch (node.kind) {
      case Kind::kAll: set = DocSet(docs_, true); return {};
      case Kind::kNone: return {};
      case Kind::kGram: return AddDocuments(dictionary_, postings_, {&node.grams, 1}, set);
      case Kind::kSets:
        left_for_sets_ -= std::min(left_for_sets_, node.most);
        return AddDocuments(dictionary_, postings_, node.ranges, set);
      case Kind::kAnd: return AddAnd(set, node);
      case Kind::kOr: return AddOr(set, node);
    }
    return {};
  }

 private:
  Status AddOr(DocSet& set, const Node& node) {
    for (const Node& part : node.parts) {
      if (Status added = AddTo(set, part); !added) return added;
    }
    return {};
  }

  Status AddAnd(DocSet& set, const Node& node) {
    DocSet all(docs_);
    if (Status added = AddTo(all, node.parts.front()); !added) return added;
    std::uint32_t idle = 0;
    for (std::size_t i = 1; i < node.parts.size() && WorthReading(node.parts[i], all, idle); ++i) {
      bool taken = false;
      if (Status kept = Keep(all, node.parts[i], taken); !kept) return kept;
      idle = taken ? 0 : idle + 1;
    }
    set |= all;
    return {};
  }

  // Removes from `all` the documents for which the part does not hold.
  Status Keep(DocSet& all, const Node& part, bool& taken) {
    if (part.kind == Kind::kGram && part.grams.end - part.grams.first == 1) {
      return KeepDocuments(dictionary_[part.grams.first], postings_, all, taken);
    }
    DocSet set(docs_);
    if (Status added = AddTo(set, part); !added) return added;
    taken = all.Keep(set);
    return {};
  }

  bool WorthReading(const Node& part, const DocSet& left, std::uint32_t idle) const {
    if (idle >= limits_.idle_lists || !left.HasAtLeast(limits_.few_docs)) return false;
    if (part.has_sets) return part.most <= left_for_sets_;
    return part.most * 100 <= std::uint64_t{limits_.common_percent} * docs_;
  }

  const Dictionary& dictionary_;
  const CheckedPostings& postings_;
  std::uint32_t docs_;
  AndLimits limits_;
  std::uint64_t left_for_sets_;  // postings
};

// Where the lists of a range are.
struct Extent {
  std::uint64_t begin = UINT64_MAX;
  std::uint64_t end = 0;
};

Extent ExtentOf(const Dictionary& dictionary, Dictionary::Range range) {
  Extent out;
  for (std::uint32_t i = range.first; i != range.end; ++i) {
    const Dictionary::Entry& entry = dictionary[i];
    if (entry.length == 0) continue;
    out.begin = std::min<std::uint64_t>(out.begin, entry.place);
    out.end = std::uint64_t{entry.place} + entry.length;
  }
  return out;
}

// `bytes` are the lists from `begin` on.
Status AddRead(const Dictionary& dictionary, Dictionary::Range range, const std::string& bytes, std::uint64_t begin,
               DocSet& set) {
  for (std::uint32_t i = range.first; i != range.end; ++i) {
    const Dictionary::Entry& entry = dictionary[i];
    if (entry.length == 0) {
      AddInline(entry, set);
      continue;
    }
    const std::string_view list(bytes.data() + (entry.place - begin), entry.length);
    if (!DecodeList(entry.coding, list, entry.df(), set)) return Damaged("a list of postings");
  }
  return {};
}

// To read bytes that nobody needs takes less time than another read.
constexpr std::uint64_t kMostGap = 4096;

}  // namespace

Result<Evaluated> EvaluatePlan(const NgramPlan& plan, const Dictionary& dictionary, const CheckedPostings& postings,
                               std::uint32_t docs, AndLimits limits) {
  const Node root = Lookup(dictionary, docs, limits)(plan);
  Evaluated out{DocSet(docs), root.kind != Kind::kNone && root.kind != Kind::kAll};
  if (Status added = Evaluation(dictionary, postings, docs, limits).AddTo(out.docs, root); !added) return added.error();
  // Parts that were read before are not compared with their checksums again. The
  // dictionary is in memory, and needs no such doubt.
  if (out.read_lists && postings.written_to()) return Damaged("another program wrote to a segment");
  return out;
}

Status AddDocuments(const Dictionary& dictionary, const CheckedPostings& postings,
                    std::span<const Dictionary::Range> ranges, DocSet& set) {
  std::string bytes;
  while (!ranges.empty()) {
    // Lists of neighbours are neighbours: one read for all of them.
    Extent read = ExtentOf(dictionary, ranges.front());
    std::size_t count = 1;
    for (; count < ranges.size(); ++count) {
      const Extent next = ExtentOf(dictionary, ranges[count]);
      if (next.end == 0) continue;
      if (read.end != 0 && next.begin - read.end > kMostGap) break;
      read = {std::min(read.begin, next.begin), next.end};
    }
    if (read.end != 0) {
      if (Status good = postings.Read(read.begin, read.end - read.begin, bytes); !good) return good;
    }
    for (const Dictionary::Range range : ranges.first(count)) {
      if (Status added = AddRead(dictionary, range, bytes, read.begin, set); !added) return added;
    }
    ranges = ranges.subspan(count);
  }
  return {};
}

}  // namespace forge::index
