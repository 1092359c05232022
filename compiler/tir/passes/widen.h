// Widener: turns scalar expressions, which compute one lane, into vector
// expressions. Private to passes/vectorize.
#ifndef ASSAY_COMPILER_TIR_PASSES_WIDEN_H_
#define ASSAY_COMPILER_TIR_PASSES_WIDEN_H_

#include <map>
#include <optional>

#include "compiler/tir/visitor.h"

namespace assay::tir {

// Maps the original node of a buffer to the buffer that Vectorize created to
// hold the elements of all lanes.
using ExpandedBuffers = std::map<const expr::BufferNode*, Buffer>;

// LaneAccessMutator: changes each access of an expanded buffer to an access of
// the copy that belongs to lane number `lane`. Other nodes are not changed.
class LaneAccessMutator : public StmtMutator {
 public:
  LaneAccessMutator(const ExpandedBuffers& expanded, int lanes, Expr lane)
      : expanded_(expanded), lanes_(lanes), lane_(std::move(lane)) {}

 protected:
  Expr MutateLoad(const Expr& e, const expr::Load* node) override;
  Stmt MutateStore(const Stmt& s, const Store* node) override;

  // Returns the index, in the expanded buffer, of the lane's copy of the
  // element that had index `index` in the original buffer.
  Expr LaneIndex(const Expr& index) const;

  const ExpandedBuffers& expanded_;
  const int lanes_;
  const Expr lane_;
};

// Widener: replaces the variable of a vectorized loop by the ramp of its
// values. Expressions that do not depend on the variable stay scalar until they
// are combined with a vector. Loop bounds and conditions of IfThenElse must not
// depend on the variable.
class Widener : public LaneAccessMutator {
 public:
  Widener(const ExpandedBuffers& expanded, Expr var, const Expr& min,
          int lanes);
  using StmtMutator::Mutate;

 protected:
  Expr MutateVar(const Expr& e, const expr::Var* node) override;
#define ASSAY_DECLARE(Kind) \
  Expr Mutate##Kind(const Expr& e, const struct expr::Kind* node) override;
  ASSAY_EXPR_BINARY_KINDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
  Expr MutateSelect(const Expr& e, const expr::Select* node) override;
  Expr MutateCall(const Expr& e, const expr::Call* node) override;
  Stmt MutateStore(const Stmt& s, const Store* node) override;

 private:
  // Returns `e` if it is a vector, otherwise a broadcast of `e` to all lanes.
  Expr Broadcast(const Expr& e) const;

  const Expr var_, ramp_;
};

// Returns a condition that does not use `var` and that implies `condition` for
// all values of `var` from min to min + lanes - 1. The returned condition may
// be stricter than necessary. Returns nullopt if no such condition is found.
std::optional<Expr> HoldsForAllLanes(const Expr& condition, const Expr& var,
                                     const Expr& min, int lanes);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_WIDEN_H_
