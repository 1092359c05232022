#include "compiler/codegen/bytecode/codegen_bytecode.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/expr.h"
#include "runtime/base/check.h"
#include "runtime/base/sha256.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/interpreter/program.h"

namespace assay::codegen {
namespace {

using expr::Expr;
using expr::ExprKind;
using expr::Intrinsic;
using runtime::Op;

// The operation of a binary expression whose operands are in this order.
Op OpOf(ExprKind kind) {
  switch (kind) {
#define ASSAY_CASE(name)  \
  case ExprKind::k##name: \
    return Op::k##name;
    ASSAY_CASE(Add)
    ASSAY_CASE(Sub)
    ASSAY_CASE(Mul)
    ASSAY_CASE(Div)
    ASSAY_CASE(Mod)
    ASSAY_CASE(Min)
    ASSAY_CASE(Max)
    ASSAY_CASE(And)
    ASSAY_CASE(Or)
#undef ASSAY_CASE
    case ExprKind::kEQ:
    case ExprKind::kNE:  // followed by a negation
      return Op::kEqual;
    case ExprKind::kLT:
      return Op::kLess;
    case ExprKind::kLE:
      return Op::kLessEqual;
    default:
      CHECK(false) << "not a binary expression";
      return Op::kEnd;
  }
}

// False if the interpreter has no such instruction.
bool FindIntrinsic(Intrinsic intrinsic, Op* op) {
  switch (intrinsic) {
#define ASSAY_CASE(name, instruction) \
  case Intrinsic::name:               \
    *op = Op::instruction;            \
    return true;
    ASSAY_CASE(kSqrt, kSqrt)
    ASSAY_CASE(kFloor, kFloor)
    ASSAY_CASE(kCeil, kCeil)
    ASSAY_CASE(kRound, kRound)
    ASSAY_CASE(kAbs, kAbs)
    ASSAY_CASE(kFma, kFma)
    ASSAY_CASE(kShiftLeft, kShiftLeft)
    ASSAY_CASE(kShiftRight, kShiftRight)
    ASSAY_CASE(kBitwiseAnd, kAnd)
    ASSAY_CASE(kBitwiseOr, kOr)
    ASSAY_CASE(kBitwiseXor, kXor)
    ASSAY_CASE(kReinterpret, kReinterpret)
#undef ASSAY_CASE
    default:
      return false;
  }
}

class KernelEmitter {
 public:
  explicit KernelEmitter(const tir::Function& function) {
    kernel_.name = function.name;
    for (const auto* parameters : {&function.inputs, &function.outputs}) {
      for (const expr::Buffer& buffer : *parameters) Declare(buffer);
    }
    kernel_.num_parameters = static_cast<int32_t>(kernel_.buffers.size());
    Emit(function.body);
  }

  absl::StatusOr<runtime::BytecodeKernel> Take() {
    if (!status_.ok()) return status_;
    return std::move(kernel_);
  }

 private:
  void Declare(const expr::Buffer& buffer) {
    buffers_[buffer.get()] = static_cast<int32_t>(kernel_.buffers.size());
    kernel_.buffers.push_back({buffer->dtype, NumElements(buffer->shape)});
  }

  // A register that nothing uses; it is free again after the statement.
  int32_t NewRegister() {
    kernel_.num_registers = std::max(kernel_.num_registers, next_ + 1);
    return next_++;
  }

  runtime::Instruction& Append(Op op, DType type, int32_t dst = 0,
                               int32_t a = 0, int32_t b = 0) {
    runtime::Instruction i;
    i.op = op;
    i.type = type.Element();
    i.dst = dst;
    i.a = a;
    i.b = b;
    kernel_.code.push_back(i);
    return kernel_.code.back();
  }

  int32_t Constant(DType type, uint64_t bits) {
    const auto [found, is_new] = constants_.try_emplace(
        bits, static_cast<int32_t>(kernel_.constants.size()));
    if (is_new) kernel_.constants.push_back(bits);
    const int32_t dst = NewRegister();
    Append(Op::kConstant, type, dst, found->second);
    return dst;
  }

  int32_t Select(const expr::Select& e, DType type, int lane);
  int32_t Call(const expr::Call& e, int lane);
  int32_t Binary(const Expr& e, int lane);
  // The register of a lane of `e`.
  int32_t Emit(const Expr& e, int lane);

  void For(const tir::For& loop);
  void Store(const tir::Store& store);
  void If(const tir::IfThenElse& branch);
  void Emit(const tir::Stmt& s);

  void Unimplemented(absl::string_view what) {
    if (!status_.ok()) return;
    status_ = absl::UnimplementedError(absl::StrCat(
        "kernel `", kernel_.name, "`: the bytecode has no ", what));
  }

  runtime::BytecodeKernel kernel_;
  absl::flat_hash_map<const expr::BufferNode*, int32_t> buffers_;
  absl::flat_hash_map<const expr::ExprNode*, int32_t> vars_;
  absl::flat_hash_map<uint64_t, int32_t> constants_;
  int32_t next_ = 0;
  absl::Status status_;
};

int32_t KernelEmitter::Select(const expr::Select& e, DType type, int lane) {
  const bool uniform = e.condition.dtype().is_scalar();
  const int32_t condition = Emit(e.condition, uniform ? 0 : lane);
  const int32_t dst = NewRegister();
  Append(Op::kIf, DType::Bool(), 0, condition);
  Append(Op::kCopy, type, dst, Emit(e.true_value, lane));
  Append(Op::kElse, DType::Bool());
  Append(Op::kCopy, type, dst, Emit(e.false_value, lane));
  Append(Op::kEnd, DType::Bool());
  return dst;
}

int32_t KernelEmitter::Call(const expr::Call& e, int lane) {
  Op op = Op::kEnd;
  const DType from = e.args[0].dtype();
  if (!FindIntrinsic(e.intrinsic, &op) ||
      (op == Op::kReinterpret && from.bits() != e.dtype.bits())) {
    Unimplemented(absl::StrCat("`", expr::IntrinsicName(e.intrinsic), "` of `",
                               from.ToString(), "`"));
    return 0;
  }
  int32_t args[3] = {0, 0, 0};
  for (size_t i = 0; i < e.args.size(); ++i) args[i] = Emit(e.args[i], lane);
  const int32_t dst = NewRegister();
  runtime::Instruction& i = Append(op, e.dtype, dst, args[0], args[1]);
  i.c = args[2];
  if (op == Op::kReinterpret) i.from = from.Element();
  return dst;
}

int32_t KernelEmitter::Binary(const Expr& e, int lane) {
  const auto operands = [&]() -> std::pair<Expr, Expr> {
    switch (e.kind()) {
#define ASSAY_CASE(Kind)  \
  case ExprKind::k##Kind: \
    return {e.As<struct expr::Kind>()->a, e.As<struct expr::Kind>()->b};
      ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
      default:
        return {};
    }
  }();
  const int32_t a = Emit(operands.first, lane);
  const int32_t b = Emit(operands.second, lane);
  const int32_t dst = NewRegister();
  Append(OpOf(e.kind()), operands.first.dtype(), dst, a, b);
  if (e.kind() != ExprKind::kNE) return dst;
  const int32_t zero = Constant(DType::Bool(), 0);
  Append(Op::kEqual, DType::Bool(), dst, dst, zero);
  return dst;
}

int32_t KernelEmitter::Emit(const Expr& e, int lane) {
  const DType type = e.dtype().Element();
  switch (e.kind()) {
    case ExprKind::kIntImm:
      return Constant(type, static_cast<uint64_t>(e.As<expr::IntImm>()->value));
    case ExprKind::kFloatImm: {
      uint64_t bits;
      std::memcpy(&bits, &e.As<expr::FloatImm>()->value, sizeof(bits));
      return Constant(type, bits);
    }
    case ExprKind::kVar:
      return vars_.at(e.get());
    case ExprKind::kCast: {
      const Expr& value = e.As<expr::Cast>()->value;
      const int32_t a = Emit(value, lane);
      const int32_t dst = NewRegister();
      Append(Op::kCast, type, dst, a).from = value.dtype().Element();
      return dst;
    }
    case ExprKind::kNot: {
      const int32_t a = Emit(e.As<expr::Not>()->a, lane);
      const int32_t zero = Constant(type, 0);
      const int32_t dst = NewRegister();
      Append(Op::kEqual, type, dst, a, zero);
      return dst;
    }
    case ExprKind::kSelect:
      return Select(*e.As<expr::Select>(), type, lane);
    case ExprKind::kCall:
      return Call(*e.As<expr::Call>(), lane);
    case ExprKind::kRamp: {
      const auto* ramp = e.As<expr::Ramp>();
      const int32_t base = Emit(ramp->base, 0), stride = Emit(ramp->stride, 0);
      const int32_t index = Constant(type, static_cast<uint64_t>(lane));
      const int32_t dst = NewRegister();
      Append(Op::kMul, type, dst, index, stride);
      Append(Op::kAdd, type, dst, base, dst);
      return dst;
    }
    case ExprKind::kBroadcast:
      return Emit(e.As<expr::Broadcast>()->value, 0);
    case ExprKind::kLoad: {
      const auto* load = e.As<expr::Load>();
      const int32_t index = Emit(load->indices[0], lane);
      const int32_t dst = NewRegister();
      Append(Op::kLoad, type, dst, buffers_.at(load->buffer.get()), index);
      return dst;
    }
    case ExprKind::kRead:
    case ExprKind::kReduce:
      CHECK(false) << "not an expression of the loop IR";
      return 0;
    default:
      return Binary(e, lane);
  }
}

void KernelEmitter::For(const tir::For& loop) {
  const int32_t min = Emit(loop.min, 0), extent = Emit(loop.extent, 0);
  const int32_t var = NewRegister();
  vars_[loop.var.get()] = var;
  Append(Op::kFor, DType::Int32(), var, min, extent);
  Emit(loop.body);
  Append(Op::kEnd, DType::Int32());
}

// All lanes are computed before the first is stored.
void KernelEmitter::Store(const tir::Store& store) {
  const DType type = store.value.dtype();
  std::vector<std::pair<int32_t, int32_t>> lanes;
  for (int lane = 0; lane < type.lanes(); ++lane) {
    const int32_t index = Emit(store.indices[0], lane);
    lanes.emplace_back(index, Emit(store.value, lane));
  }
  for (const auto& [index, value] : lanes) {
    Append(Op::kStore, type, buffers_.at(store.buffer.get()), index, value);
  }
}

void KernelEmitter::If(const tir::IfThenElse& branch) {
  Append(Op::kIf, DType::Bool(), 0, Emit(branch.condition, 0));
  Emit(branch.then_body);
  if (branch.else_body.defined()) {
    Append(Op::kElse, DType::Bool());
    Emit(branch.else_body);
  }
  Append(Op::kEnd, DType::Bool());
}

void KernelEmitter::Emit(const tir::Stmt& s) {
  const int32_t first_free = next_;
  switch (s.kind()) {
    case tir::StmtKind::kFor:
      For(*s.As<tir::For>());
      break;
    case tir::StmtKind::kStore:
      Store(*s.As<tir::Store>());
      break;
    case tir::StmtKind::kAllocate:
      Declare(s.As<tir::Allocate>()->buffer);
      Emit(s.As<tir::Allocate>()->body);
      break;
    case tir::StmtKind::kIfThenElse:
      If(*s.As<tir::IfThenElse>());
      break;
    case tir::StmtKind::kBlock:
      for (const tir::Stmt& child : s.As<tir::Block>()->stmts) Emit(child);
      break;
    case tir::StmtKind::kPragma:
      Emit(s.As<tir::Pragma>()->body);
      break;
    case tir::StmtKind::kLet:
      vars_[s.As<tir::Let>()->var.get()] = Emit(s.As<tir::Let>()->value, 0);
      Emit(s.As<tir::Let>()->body);
      break;
    case tir::StmtKind::kPrefetch:
      break;
  }
  next_ = first_free;
}

// `kFor int32 3 1 2 0`, one instruction a line.
std::string Listing(const runtime::BytecodeKernel& kernel) {
  constexpr const char* kNames[] = {
#define ASSAY_NAME(name, ...) #name,
      ASSAY_BYTECODE_OPS(ASSAY_NAME)
#undef ASSAY_NAME
  };
  std::string text;
  for (const runtime::Instruction& i : kernel.code) {
    absl::StrAppend(&text, kNames[static_cast<size_t>(i.op)], " ",
                    i.type.ToString(), " ", i.dst, " ", i.a, " ", i.b, " ", i.c,
                    "\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<CodeModule> GenerateBytecode(
    const std::vector<tir::Function>& kernels, const target::Target&,
    const Options& options) {
  CodeModule module;
  module.kind = runtime::kBytecodeKind;
  if (kernels.empty()) return module;
  runtime::Program program;
  for (const tir::Function& function : kernels) {
    const KernelScope scope(function.name, options);
    ASSAY_ASSIGN_OR_RETURN(runtime::BytecodeKernel kernel,
                           KernelEmitter(function).Take());
    if (options.dump) options.dump(kernel.name, "bytecode", Listing(kernel));
    module.digests.push_back(Sha256Hex(SerializeBody(kernel)));
    program.kernels.push_back(std::move(kernel));
  }
  module.code = Serialize(program);
  return module;
}

}  // namespace assay::codegen
