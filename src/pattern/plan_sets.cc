#include "pattern/plan_sets.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "pattern/plan_algebra.h"

namespace forge {
namespace {

constexpr ByteSet kHigh = [] {
  ByteSet set;
  set.AddRange(0x80, 0xFF);
  return set;
}();

// A byte of a factor; or one character, of one ASCII byte or some high ones.
struct Cell {
  ByteSet bytes;        // of which one is the first
  bool longer = false;  // there may be more, then all of them are high ones
};

// Grams have ASCII letters in lower case, and no line has a line feed.
ByteSet FoldedAscii(const std::bitset<128>& ascii) {
  ByteSet set;
  for (unsigned c = 0; c < 128; ++c) {
    if (ascii[c] && c != '\n') set.Add(static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c | 0x20U : c));
  }
  return set;
}

void AppendCells(const Atom& atom, std::vector<Cell>& cells) {
  if (!atom.single) {
    Cell cell{FoldedAscii(atom.set.ascii), atom.set.other};
    if (atom.set.other) cell.bytes.Add(kHigh);
    cells.push_back(cell);
    return;
  }
  std::string text;
  AppendUtf8(atom.code, text);
  for (const char c : LowerAscii(text)) {
    Cell cell;
    cell.bytes.Add(static_cast<unsigned char>(c));
    cells.push_back(cell);
  }
}

// The first three bytes of three cells.
NgramPlan PlanOfCells(const Cell& a, const Cell& b, const Cell& c) {
  std::array<ByteSet, 3> sets = {a.bytes, b.bytes, c.bytes};
  if (b.longer) sets[2].Add(kHigh);
  if (a.longer) {
    sets[1].Add(kHigh);
    sets[2].Add(kHigh);
    sets[2].Add(b.bytes);  // after two bytes of `a`
  }
  return PlanOfSets(sets);
}

NgramPlan PlanOfFactor(const Factor& factor) {
  std::vector<Cell> cells;
  for (const Atom& atom : factor) AppendCells(atom, cells);
  std::vector<NgramPlan> windows;
  for (std::size_t i = 0; i + 2 < cells.size(); ++i) {
    windows.push_back(PlanOfCells(cells[i], cells[i + 1], cells[i + 2]));
  }
  return AllOf(std::move(windows));
}

}  // namespace

NgramPlan PlanOfFactors(const FactorSet& factors) {
  if (factors.empty()) return NoPlan();
  std::vector<NgramPlan> plans;
  for (const Factor& factor : factors) {
    plans.push_back(PlanOfFactor(factor));
    if (plans.back().kind == NgramPlan::Kind::kAll) return NoPlan();
  }
  return Shrink(AnyOf(std::move(plans)), kMaxPlanGrams);
}

}  // namespace forge
