#include "compiler/tir/verifier.h"

#include <map>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/printer.h"
#include "compiler/tir/visitor.h"

namespace assay::tir {
namespace {

bool IsIdentifier(absl::string_view name) {
  if (name.empty() || absl::ascii_isdigit(name[0])) return false;
  for (char c : name) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return true;
}

class Verifier : public StmtVisitor {
 public:
  explicit Verifier(bool lowered) : lowered_(lowered) {}

  absl::Status Run(const Function& f);

 private:
  struct BufferInfo {
    bool input = false;
    // Number of parallel loops around the declaration.
    int parallel_depth = 0;
  };

  template <typename... Parts>
  void Fail(const Parts&... parts) {
    if (!status_.ok()) return;
    status_ = absl::InternalError(
        absl::StrCat("function `", function_, "`: ", parts...));
  }
  void Declare(const Buffer& buffer, bool input);
  void CheckAccess(const Buffer& buffer, const std::vector<Expr>& indices);
  static std::string Name(const Expr& var) { return var.As<expr::Var>()->name; }

  void VisitVar(const expr::Var* node) override;
  void VisitLoad(const expr::Load* node) override;
  void VisitCall(const expr::Call* node) override;
  void VisitRead(const expr::Read* node) override;
  void VisitReduce(const expr::Reduce* node) override;
  void VisitFor(const For* node) override;
  void VisitStore(const Store* node) override;
  void VisitAllocate(const Allocate* node) override;
  void VisitPragma(const Pragma* node) override;
  void VisitLet(const Let* node) override;
  void BindVar(const Expr& var);

  const bool lowered_;
  std::string function_;
  std::map<const expr::Var*, bool> vars_;
  std::map<const expr::BufferNode*, BufferInfo> buffers_;
  int parallel_depth_ = 0;
  absl::Status status_;
};

absl::Status Verifier::Run(const Function& f) {
  function_ = f.name;
  if (!IsIdentifier(f.name)) Fail("the function name is not an identifier");
  for (const Buffer& b : f.inputs) Declare(b, /*input=*/true);
  for (const Buffer& b : f.outputs) Declare(b, /*input=*/false);
  for (const auto& [node, info] : buffers_) {
    if (node->scope != expr::Scope::kGlobal) {
      Fail("parameter `%", node->name, "` is not in global scope");
    }
  }
  if (!f.body.defined()) {
    Fail("the function has no body");
  } else {
    Visit(f.body);
  }
  return status_;
}

void Verifier::Declare(const Buffer& buffer, bool input) {
  if (!CheckedNumElements(buffer->shape).ok()) {
    Fail("buffer `%", buffer->name, "` has the invalid shape ",
         ShapeToString(buffer->shape));
  }
  const BufferInfo info = {input, parallel_depth_};
  if (!buffers_.emplace(buffer.get(), info).second) {
    Fail("buffer `%", buffer->name, "` is declared twice");
  }
}

void Verifier::CheckAccess(const Buffer& buffer,
                           const std::vector<Expr>& indices) {
  const std::string name = absl::StrCat("`%", buffer->name, "`");
  auto found = buffers_.find(buffer.get());
  if (found == buffers_.end()) {
    return Fail("buffer ", name, " is used outside its allocation");
  }
  if (buffer->scope == expr::Scope::kLocal &&
      found->second.parallel_depth != parallel_depth_) {
    Fail("local buffer ", name, " is used across a parallel loop");
  }
  const size_t rank = buffer->shape.size();
  if (indices.size() != 1 && (lowered_ || indices.size() != rank)) {
    Fail(indices.size(), " indices for ", name, " of shape ",
         ShapeToString(buffer->shape));
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    const DType type = indices[i].dtype();
    const bool may_be_vector = i + 1 == indices.size();
    if (type.Element() != DType::Int32() ||
        (type.is_vector() && !may_be_vector)) {
      Fail("index ", i, " of ", name, " is ", type.ToString());
    }
  }
}

void Verifier::VisitVar(const expr::Var* node) {
  if (vars_.count(node) == 0) {
    Fail("variable `", node->name, "` is used outside its loop or let");
  }
}

void Verifier::VisitLoad(const expr::Load* node) {
  CheckAccess(node->buffer, node->indices);
  StmtVisitor::VisitLoad(node);
}

void Verifier::VisitCall(const expr::Call* node) {
  if (lowered_ && expr::IsElementary(node->intrinsic)) {
    Fail("a call of `", expr::IntrinsicName(node->intrinsic),
         "` is left after lowering");
  }
  StmtVisitor::VisitCall(node);
}

void Verifier::VisitRead(const expr::Read* node) {
  Fail("tensor `", node->tensor->name, "` is read in a loop program");
}

void Verifier::VisitReduce(const expr::Reduce*) {
  Fail("a reduction is left in a loop program");
}

void Verifier::VisitFor(const For* node) {
  Visit(node->min);
  Visit(node->extent);
  const bool constant = expr::AsConstInt(node->extent).has_value();
  const bool shaped = node->for_kind == ForKind::kVectorized ||
                      node->for_kind == ForKind::kUnrolled;
  if (shaped && !constant) {
    Fail("the extent of the vectorized or unrolled loop over `",
         Name(node->var), "` is not a constant");
  }
  if (shaped && lowered_) {
    Fail("the vectorized or unrolled loop over `", Name(node->var),
         "` is left after lowering");
  }
  const bool parallel = node->for_kind == ForKind::kParallel;
  if (parallel && parallel_depth_ > 0) {
    Fail("the parallel loop over `", Name(node->var),
         "` is inside another parallel loop");
  }
  BindVar(node->var);
  parallel_depth_ += parallel ? 1 : 0;
  Visit(node->body);
  parallel_depth_ -= parallel ? 1 : 0;
  vars_.erase(node->var.As<expr::Var>());
}

void Verifier::VisitLet(const Let* node) {
  Visit(node->value);
  BindVar(node->var);
  Visit(node->body);
  vars_.erase(node->var.As<expr::Var>());
}

void Verifier::BindVar(const Expr& var) {
  if (!vars_.emplace(var.As<expr::Var>(), true).second) {
    Fail("variable `", Name(var), "` is rebound inside its own scope");
  }
}

void Verifier::VisitStore(const Store* node) {
  CheckAccess(node->buffer, node->indices);
  auto found = buffers_.find(node->buffer.get());
  if (found != buffers_.end() && found->second.input) {
    Fail("input `%", node->buffer->name, "` is stored to");
  }
  StmtVisitor::VisitStore(node);
}

void Verifier::VisitAllocate(const Allocate* node) {
  Declare(node->buffer, /*input=*/false);
  Visit(node->body);
  buffers_.erase(node->buffer.get());
}

void Verifier::VisitPragma(const Pragma* node) {
  if (!IsIdentifier(node->key)) {
    Fail("pragma key `", node->key, "` is not an identifier");
  }
  StmtVisitor::VisitPragma(node);
}

}  // namespace

absl::Status Verify(const Function& f) { return Verifier(false).Run(f); }

absl::Status VerifyLowered(const Function& f) { return Verifier(true).Run(f); }

}  // namespace assay::tir
