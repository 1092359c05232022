#include "compiler/tir/passes/serialize.h"

#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

class Serializer : public StmtMutator {
 protected:
  Stmt MutateFor(const Stmt& s, const For* loop) override {
    const Stmt body = Mutate(loop->body);
    if (loop->for_kind == ForKind::kSerial && body.same_as(loop->body)) {
      return s;
    }
    return For::Make(loop->var, loop->min, loop->extent, ForKind::kSerial,
                     body);
  }
  Stmt MutatePragma(const Stmt&, const Pragma* pragma) override {
    return Mutate(pragma->body);
  }
};

}  // namespace

Stmt Serialize(const Stmt& s) { return Serializer().Mutate(s); }

}  // namespace assay::tir
