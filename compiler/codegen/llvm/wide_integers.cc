#include "compiler/codegen/llvm/wide_integers.h"

#include <string>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/IntegerDivision.h"

namespace assay::codegen {
namespace {

using llvm::Instruction;
using llvm::Value;

bool IsDivision(unsigned opcode) {
  return opcode == Instruction::SDiv || opcode == Instruction::UDiv ||
         opcode == Instruction::SRem || opcode == Instruction::URem;
}

bool IsSigned(unsigned opcode) {
  return opcode == Instruction::FPToSI || opcode == Instruction::SIToFP;
}

// Returns true if 32-bit processors have no instruction for `i`.
bool NeedsExpansion(const Instruction& i) {
  switch (i.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return i.getType()->getScalarSizeInBits() == 64;
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return i.getOperand(0)->getType()->getScalarSizeInBits() == 64;
    default:
      return false;
  }
}

class Expander {
 public:
  explicit Expander(llvm::Module& module) : module_(module) {}

  void Run() {
    std::vector<Instruction*> wide;
    for (llvm::Function& function : module_) {
      for (Instruction& i : llvm::instructions(function)) {
        if (NeedsExpansion(i)) wide.push_back(&i);
      }
    }
    for (Instruction* i : wide) Replace(*i);
  }

 private:
  void Replace(Instruction& i) {
    llvm::IRBuilder<> builder(&i);
    llvm::Function* function = FunctionFor(i);
    const auto call = [&](const auto& operand) -> Value* {
      std::vector<Value*> arguments;
      for (unsigned k = 0; k < i.getNumOperands(); ++k) {
        arguments.push_back(operand(i.getOperand(k)));
      }
      return builder.CreateCall(function, arguments);
    };
    Value* result;
    if (auto* type = llvm::dyn_cast<llvm::FixedVectorType>(i.getType())) {
      result = llvm::PoisonValue::get(type);
      for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
        Value* element = call(
            [&](Value* v) { return builder.CreateExtractElement(v, lane); });
        result = builder.CreateInsertElement(result, element, lane);
      }
    } else {
      result = call([](Value* v) { return v; });
    }
    i.replaceAllUsesWith(result);
    i.eraseFromParent();
  }

  // The function for an operation and type; created once.
  llvm::Function* FunctionFor(const Instruction& i) {
    llvm::Type* from = i.getOperand(0)->getType()->getScalarType();
    llvm::Type* to = i.getType()->getScalarType();
    const auto name_of = [](llvm::Type* type) {
      std::string name;
      llvm::raw_string_ostream stream(name);
      type->print(stream);
      return name;
    };
    const std::string name = std::string(i.getOpcodeName()) + "." +
                             name_of(from) + "." + name_of(to);
    if (llvm::Function* known = module_.getFunction(name)) return known;
    const std::vector<llvm::Type*> arguments(i.getNumOperands(), from);
    llvm::Function* function = llvm::Function::Create(
        llvm::FunctionType::get(to, arguments, /*isVarArg=*/false),
        llvm::GlobalValue::InternalLinkage, name, module_);
    function->setDoesNotThrow();
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(module_.getContext(), "entry", function));
    if (IsDivision(i.getOpcode())) {
      Divide(builder, static_cast<llvm::Instruction::BinaryOps>(i.getOpcode()),
             function);
    } else if (to->isIntegerTy()) {
      builder.CreateRet(
          ToInteger(builder, function->getArg(0), IsSigned(i.getOpcode())));
    } else {
      builder.CreateRet(
          ToFloat(builder, function->getArg(0), to, IsSigned(i.getOpcode())));
    }
    return function;
  }

  static void Divide(llvm::IRBuilder<>& builder,
                     Instruction::BinaryOps operation,
                     llvm::Function* function) {
    auto* division = llvm::BinaryOperator::Create(
        operation, function->getArg(0), function->getArg(1), "",
        builder.GetInsertBlock());
    builder.CreateRet(division);
    if (operation == Instruction::SDiv || operation == Instruction::UDiv) {
      llvm::expandDivision(division);
    } else {
      llvm::expandRemainder(division);
    }
  }

  // Converts the two 32-bit halves of |x| separately; the remainder after
  // subtracting the upper half is exact in float64.
  static Value* ToInteger(llvm::IRBuilder<>& builder, Value* x,
                          bool is_signed) {
    llvm::Type* f64 = builder.getDoubleTy();
    // In two steps: processors cannot convert half to double directly.
    if (x->getType()->isHalfTy()) {
      x = builder.CreateFPExt(x, builder.getFloatTy());
    }
    x = builder.CreateFPExt(x, f64);
    Value* magnitude = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    Value* scale = llvm::ConstantFP::get(f64, 4294967296.0);
    Value* high = builder.CreateFPToUI(
        builder.CreateFMul(magnitude,
                           llvm::ConstantFP::get(f64, 1 / 4294967296.0)),
        builder.getInt32Ty());
    Value* rest = builder.CreateFSub(
        magnitude, builder.CreateFMul(builder.CreateUIToFP(high, f64), scale));
    Value* low = builder.CreateFPToUI(rest, builder.getInt32Ty());
    Value* result = builder.CreateOr(
        builder.CreateShl(builder.CreateZExt(high, builder.getInt64Ty()), 32),
        builder.CreateZExt(low, builder.getInt64Ty()));
    if (!is_signed) return result;
    return builder.CreateSelect(
        builder.CreateFCmpOLT(x, llvm::Constant::getNullValue(f64)),
        builder.CreateNeg(result), result);
  }

  static Value* ToFloat(llvm::IRBuilder<>& builder, Value* x, llvm::Type* type,
                        bool is_signed) {
    llvm::Type* f64 = builder.getDoubleTy();
    if (!type->isDoubleTy()) x = EmitStickyBits(builder, x, is_signed);
    Value* high =
        builder.CreateTrunc(builder.CreateLShr(x, 32), builder.getInt32Ty());
    Value* low = builder.CreateTrunc(x, builder.getInt32Ty());
    Value* upper = is_signed ? builder.CreateSIToFP(high, f64)
                             : builder.CreateUIToFP(high, f64);
    // The product is exact, so only the sum rounds.
    Value* result = builder.CreateFAdd(
        builder.CreateFMul(upper, llvm::ConstantFP::get(f64, 4294967296.0)),
        builder.CreateUIToFP(low, f64));
    if (type->isHalfTy()) {
      result = builder.CreateFPTrunc(result, builder.getFloatTy());
    }
    return builder.CreateFPCast(result, type);
  }

  llvm::Module& module_;
};

}  // namespace

Value* EmitStickyBits(llvm::IRBuilder<>& builder, Value* x, bool is_signed) {
  constexpr int64_t kHeld = int64_t{1} << 53;
  const auto constant = [&](int64_t v) {
    return llvm::ConstantInt::getSigned(x->getType(), v);
  };
  Value* is_held =
      is_signed ? builder.CreateICmpULT(builder.CreateAdd(x, constant(kHeld)),
                                        constant(2 * kHeld))
                : builder.CreateICmpULT(x, constant(kHeld));
  Value* lost =
      builder.CreateICmpNE(builder.CreateAnd(x, constant(2047)), constant(0));
  Value* rest = builder.CreateAnd(x, constant(~int64_t{2047}));
  Value* sticky = builder.CreateSelect(lost, constant(2048), constant(0));
  return builder.CreateSelect(is_held, x, builder.CreateOr(rest, sticky));
}

void ExpandWideIntegers(llvm::Module& module) { Expander(module).Run(); }

}  // namespace assay::codegen
