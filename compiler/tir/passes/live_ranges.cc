#include "compiler/tir/passes/live_ranges.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/tir/simplify/linear.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

class RangeFinder : public StmtVisitor {
 public:
  using StmtVisitor::Visit;
  std::map<const expr::BufferNode*, LiveRange> ranges;

  void Visit(const Stmt& s) override {
    ++now_;
    if (s.As<For>() == nullptr) return StmtVisitor::Visit(s);
    loops_.push_back({s, now_, {}});
    StmtVisitor::Visit(s);
    for (LiveRange* range : loops_.back().touched) range->last = now_;
    loops_.pop_back();
  }

 private:
  struct Loop {
    Stmt stmt;
    int begin;
    std::vector<LiveRange*> touched;
  };

  void VisitFor(const For* loop) override {
    const bool parallel = loop->for_kind == ForKind::kParallel;
    parallel_ += parallel ? 1 : 0;
    StmtVisitor::VisitFor(loop);
    parallel_ -= parallel ? 1 : 0;
  }
  void VisitAllocate(const Allocate* node) override {
    if (parallel_ == 0) {
      // A buffer may be allocated several times if its statement was copied.
      ranges[node->buffer.get()].buffer = node->buffer;
      depths_[node->buffer.get()] = loops_.size();
    }
    StmtVisitor::VisitAllocate(node);
  }
  void VisitStore(const Store* node) override {
    StmtVisitor::VisitStore(node);
    Touch(node->buffer);
  }
  void VisitLoad(const expr::Load* node) override {
    StmtVisitor::VisitLoad(node);
    Touch(node->buffer);
  }

  void Touch(const Buffer& buffer) {
    const auto found = ranges.find(buffer.get());
    if (found == ranges.end()) return;
    LiveRange& range = found->second;
    const size_t depth = depths_.at(buffer.get());
    Stmt loop;
    int begin = now_;
    if (depth < loops_.size()) {
      loop = loops_[depth].stmt;
      begin = loops_[depth].begin;
      loops_[depth].touched.push_back(&range);
    }
    if (range.last < 0) {
      range.first = begin;
      range.first_loop = loop;
    }
    range.last = now_;
    range.last_loop = loop;
  }

  std::map<const expr::BufferNode*, size_t> depths_;
  std::vector<Loop> loops_;
  int parallel_ = 0;
  int now_ = 0;
};

// The accesses to two buffers in a loop.
class AccessFinder : public StmtVisitor {
 public:
  AccessFinder(const Buffer& a, const Buffer& b) : a_(a), b_(b) {}
  using StmtVisitor::Visit;

  std::vector<const expr::Load*> loads;    // of a or b
  std::vector<const Store*> stores;        // to a or b
  std::vector<const For*> loops_of_store;  // loops around the last store

 private:
  void VisitFor(const For* loop) override {
    loops_.push_back(loop);
    StmtVisitor::VisitFor(loop);
    loops_.pop_back();
  }
  void VisitStore(const Store* node) override {
    StmtVisitor::VisitStore(node);
    if (!node->buffer.same_as(a_) && !node->buffer.same_as(b_)) return;
    stores.push_back(node);
    loops_of_store = loops_;
  }
  void VisitLoad(const expr::Load* node) override {
    StmtVisitor::VisitLoad(node);
    if (node->buffer.same_as(a_) || node->buffer.same_as(b_)) {
      loads.push_back(node);
    }
  }

  const Buffer &a_, &b_;
  std::vector<const For*> loops_;
};

// Returns true if different iterations of `loops`, and different lanes, have
// different values of `index`: each stride exceeds the total reach of all
// smaller ones.
bool IsInjective(const Expr& index, const std::vector<const For*>& loops) {
  std::vector<std::pair<int64_t, int64_t>> steps;  // stride, count
  Expr base = index;
  if (const auto* ramp = index.As<expr::Ramp>()) {
    const auto stride = expr::AsConstInt(ramp->stride);
    if (!stride.has_value()) return false;
    steps.emplace_back(std::abs(*stride), index.dtype().lanes());
    base = ramp->base;
  } else if (index.dtype().is_vector()) {
    return false;
  }
  const Linear sum = ToLinear(base);
  for (const auto& [term, coefficient] : sum.terms) {
    if (term.As<expr::Var>() == nullptr) return false;
  }
  for (const For* loop : loops) {
    const auto found = sum.terms.find(loop->var);
    const auto extent = expr::AsConstInt(loop->extent);
    if (found == sum.terms.end() || !extent.has_value()) return false;
    steps.emplace_back(std::abs(found->second), *extent);
  }
  std::sort(steps.begin(), steps.end());
  int64_t reach = 0;
  for (const auto& [length, number] : steps) {
    if (length <= reach) return false;
    reach += length * (number - 1);
  }
  return true;
}

}  // namespace

std::vector<LiveRange> FindLiveRanges(const Stmt& region) {
  RangeFinder finder;
  finder.Visit(region);
  std::vector<LiveRange> ranges;
  for (const auto& [node, range] : finder.ranges) {
    if (range.last >= 0) ranges.push_back(range);
  }
  // Ties: the shorter live range first, then by name, so that the order does
  // not depend on addresses.
  std::sort(ranges.begin(), ranges.end(),
            [](const LiveRange& a, const LiveRange& b) {
              if (a.first != b.first) return a.first < b.first;
              if (a.last != b.last) return a.last < b.last;
              return a.buffer->name < b.buffer->name;
            });
  return ranges;
}

bool WritesInPlace(const Stmt& loop, const Buffer& a, const Buffer& b) {
  if (a->shape != b->shape) return false;
  AccessFinder finder(a, b);
  finder.Visit(loop);
  if (finder.stores.size() != 1) return false;
  const Store& store = *finder.stores[0];
  if (!store.buffer.same_as(b) || store.indices.size() != 1) return false;
  // No other statement may load what the store overwrites.
  AccessFinder value(a, b);
  value.Visit(store.value);
  if (value.loads.size() != finder.loads.size()) return false;
  for (const expr::Load* load : finder.loads) {
    if (!load->buffer.same_as(a) ||
        !expr::StructurallyEqual(load->indices[0], store.indices[0])) {
      return false;
    }
  }
  return IsInjective(store.indices[0], finder.loops_of_store);
}

}  // namespace assay::tir
