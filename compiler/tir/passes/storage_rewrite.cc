#include "compiler/tir/passes/storage_rewrite.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "compiler/tir/passes/live_ranges.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/shape.h"

namespace assay::tir {
namespace {

constexpr int64_t kRegisterBytes = 2048;

int64_t BytesOf(const Buffer& buffer) {
  return NumElements(buffer->shape) * buffer->dtype.bytes();
}

bool IsShareable(const Buffer& buffer) {
  return buffer->scope == expr::Scope::kGlobal ||
         BytesOf(buffer) > kRegisterBytes;
}

// A block of memory and the buffers assigned to it, in order of use.
struct Storage {
  std::vector<LiveRange> users;
  int64_t elements = 0;

  const LiveRange& last() const { return users.back(); }
  bool Fits(const LiveRange& range) const {
    const Buffer &mine = users[0].buffer, &other = range.buffer;
    if (mine->dtype != other->dtype || mine->scope != other->scope) {
      return false;
    }
    if (last().last < range.first) return true;
    return range.first_loop.defined() &&
           range.first_loop.same_as(last().last_loop) &&
           WritesInPlace(range.first_loop, last().buffer, range.buffer);
  }
};

std::vector<Storage> Assign(const std::vector<LiveRange>& ranges) {
  std::vector<Storage> storages;
  for (const LiveRange& range : ranges) {
    if (!IsShareable(range.buffer)) continue;
    const int64_t elements = NumElements(range.buffer->shape);
    Storage* best = nullptr;
    for (Storage& storage : storages) {
      if (!storage.Fits(range)) continue;
      if (best == nullptr) {
        best = &storage;
      } else if (best->elements < elements) {
        if (storage.elements > best->elements) best = &storage;
      } else if (storage.elements >= elements &&
                 storage.elements < best->elements) {
        best = &storage;
      }
    }
    if (best == nullptr) best = &storages.emplace_back();
    best->users.push_back(range);
    best->elements = std::max(best->elements, elements);
  }
  return storages;
}

class Rewriter : public StmtMutator {
 public:
  // `s` is the body of the function or of a parallel loop.
  Stmt Region(const Stmt& s) {
    std::vector<Buffer> memories;
    std::vector<const expr::BufferNode*> users;
    for (const Storage& storage : Assign(FindLiveRanges(s))) {
      if (storage.users.size() < 2) continue;
      const Buffer& first = storage.users[0].buffer;
      const Buffer memory = expr::MakeBuffer(first->name, first->dtype,
                                             {storage.elements}, first->scope);
      memories.push_back(memory);
      for (const LiveRange& user : storage.users) {
        memory_of_[user.buffer.get()] = memory;
        users.push_back(user.buffer.get());
      }
    }
    Stmt body = Mutate(s);
    // Copies of a loop share the nodes of its buffers, but may assign them
    // differently.
    for (const expr::BufferNode* buffer : users) memory_of_.erase(buffer);
    for (auto it = memories.rbegin(); it != memories.rend(); ++it) {
      body = Allocate::Make(*it, std::move(body));
    }
    return body;
  }

 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    if (loop->for_kind != ForKind::kParallel) {
      return StmtMutator::MutateFor(s, loop);
    }
    const Stmt body = Region(loop->body);
    const Expr min = StmtMutator::Mutate(loop->min);
    const Expr extent = StmtMutator::Mutate(loop->extent);
    if (body.same_as(loop->body) && min.same_as(loop->min) &&
        extent.same_as(loop->extent)) {
      return s;
    }
    return For::Make(loop->var, min, extent, loop->for_kind, body);
  }

  Stmt MutateAllocate(const Stmt& s, const Allocate* node) override {
    return memory_of_.count(node->buffer.get()) > 0
               ? Mutate(node->body)
               : StmtMutator::MutateAllocate(s, node);
  }

  Stmt MutateStore(const Stmt& s, const Store* node) override {
    const Stmt store = StmtMutator::MutateStore(s, node);
    const auto found = memory_of_.find(node->buffer.get());
    if (found == memory_of_.end()) return store;
    const auto* changed = store.As<Store>();
    return Store::Make(found->second, changed->indices, changed->value);
  }

  Expr MutateLoad(const Expr& e, const expr::Load* node) override {
    const Expr load = StmtMutator::MutateLoad(e, node);
    const auto found = memory_of_.find(node->buffer.get());
    if (found == memory_of_.end()) return load;
    return expr::Load::Make(found->second, load.As<expr::Load>()->indices);
  }

 private:
  std::map<const expr::BufferNode*, Buffer> memory_of_;
};

class PeakFinder : public StmtVisitor {
 public:
  explicit PeakFinder(expr::Scope scope) : scope_(scope) {}
  using StmtVisitor::Visit;
  int64_t peak = 0;

 private:
  void VisitAllocate(const Allocate* node) override {
    const int64_t bytes =
        node->buffer->scope == scope_ ? BytesOf(node->buffer) : 0;
    held_ += bytes;
    peak = std::max(peak, held_);
    StmtVisitor::VisitAllocate(node);
    held_ -= bytes;
  }

  const expr::Scope scope_;
  int64_t held_ = 0;
};

}  // namespace

Stmt RewriteStorage(const Stmt& s) {
  Stmt shared = Rewriter().Region(s);
  // Shared memory is live during the whole region, which can exceed the peak of
  // allocations in disjoint scopes.
  for (expr::Scope scope : {expr::Scope::kGlobal, expr::Scope::kLocal}) {
    if (PeakBytes(shared, scope) > PeakBytes(s, scope)) return s;
  }
  return shared;
}

int64_t PeakBytes(const Stmt& s, expr::Scope scope) {
  PeakFinder finder(scope);
  finder.Visit(s);
  return finder.peak;
}

}  // namespace assay::tir
