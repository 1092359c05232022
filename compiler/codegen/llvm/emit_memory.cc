// FunctionEmitter: loads and stores.
#include <algorithm>
#include <numeric>

#include "compiler/codegen/llvm/emitter.h"
#include "compiler/codegen/llvm/types.h"
#include "compiler/codegen/llvm/vector_index.h"
#include "compiler/expr/expr_ops.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"
#include "runtime/abi/abi.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

// Reverses the lanes.
llvm::Value* Reverse(llvm::IRBuilder<>& builder, llvm::Value* vector,
                     int lanes) {
  std::vector<int> order(lanes);
  std::iota(order.rbegin(), order.rend(), 0);
  return builder.CreateShuffleVector(vector, order);
}

llvm::Align ElementAlign(const expr::BufferNode* buffer) {
  return llvm::Align(buffer->dtype.bytes());
}

}  // namespace

llvm::Value* FunctionEmitter::FromMemory(DType type, llvm::Value* value) {
  if (!type.is_bool()) return value;
  return builder_.CreateICmpNE(value,
                               llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* FunctionEmitter::ToMemory(DType type, llvm::Value* value) {
  if (!type.is_bool()) return value;
  return builder_.CreateZExt(value, MemoryType(kernel_.context(), type));
}

bool FunctionEmitter::InBounds(const expr::BufferNode* buffer,
                               const Expr& index) const {
  return tir::ConstBounds(index, bounds_)
      .Within(0, NumElements(buffer->shape) - 1);
}

// Adds the constant last, separately: adjacent accesses differ in nothing else.
llvm::Value* FunctionEmitter::EmitAddress(const expr::BufferNode* buffer,
                                          const Expr& index) {
  llvm::Type* element = MemoryType(kernel_.context(), buffer->dtype);
  llvm::Value* address = buffers_.at(buffer);
  tir::Linear sum = tir::ToLinear(index);
  const int64_t constant = std::exchange(sum.constant, 0);
  if (!sum.IsConstant()) {
    address = builder_.CreateGEP(element, address, EmitIndexSum(sum));
  }
  if (constant == 0) return address;
  return builder_.CreateGEP(element, address, IndexConstant(constant));
}

// Alignment in bytes: the largest power of two that divides all possible
// offsets.
llvm::Align FunctionEmitter::AlignmentOf(const expr::BufferNode* buffer,
                                         const Expr& index) {
  const tir::Linear sum = tir::ToLinear(index);
  int64_t divisor = sum.constant;
  for (const auto& [term, coefficient] : sum.terms) {
    divisor = std::gcd(divisor, coefficient);
  }
  const int64_t bytes = divisor * buffer->dtype.bytes();
  if (bytes == 0) return llvm::Align(ASSAY_BUFFER_ALIGNMENT);
  return llvm::Align(std::min<int64_t>(bytes & -bytes, ASSAY_BUFFER_ALIGNMENT));
}

llvm::Value* FunctionEmitter::ScalarLoad(const expr::BufferNode* buffer,
                                         llvm::Value* address,
                                         llvm::Align align) {
  llvm::Type* type = MemoryType(kernel_.context(), buffer->dtype);
  return FromMemory(buffer->dtype, Note(buffer, builder_.CreateAlignedLoad(
                                                    type, address, align)));
}

llvm::Value* FunctionEmitter::EmitLoad(const expr::Load& load) {
  if (load.dtype.is_vector()) return EmitVectorLoad(load);
  const Expr& index = load.indices[0];
  const expr::BufferNode* buffer = load.buffer.get();
  return ScalarLoad(buffer, EmitAddress(buffer, index),
                    AlignmentOf(buffer, index));
}

llvm::Value* FunctionEmitter::EmitVectorLoad(const expr::Load& load) {
  const int lanes = load.dtype.lanes();
  const Expr& index = load.indices[0];
  const std::optional<IndexRamp> ramp = AsRamp(index);
  if (!ramp.has_value()) return EmitGather(load);
  if (ramp->stride == 0) {
    return builder_.CreateVectorSplat(
        lanes, EmitUnmasked(expr::Load::Make(load.buffer, {ramp->base})));
  }
  const bool masked = mask_ != nullptr && !InBounds(load.buffer.get(), index);
  if (ramp->stride == 1) return EmitConsecutiveLoad(load, ramp->base, masked);
  if (ramp->stride == -1 && !masked) {
    const Expr first = ramp->base - (lanes - 1);
    return Reverse(builder_, EmitConsecutiveLoad(load, first, false), lanes);
  }
  if (llvm::Value* column = EmitTileColumn(load)) return column;
  return EmitGather(load);
}

llvm::Value* FunctionEmitter::EmitConsecutiveLoad(const expr::Load& load,
                                                  const Expr& base,
                                                  bool masked) {
  const expr::BufferNode* buffer = load.buffer.get();
  llvm::Type* type = MemoryType(kernel_.context(), load.dtype);
  llvm::Value* address = EmitAddress(buffer, base);
  const llvm::Align align = AlignmentOf(buffer, base);
  llvm::Instruction* value;
  if (masked) {
    value = builder_.CreateMaskedLoad(type, address, align, mask_,
                                      llvm::Constant::getNullValue(type));
  } else {
    value = builder_.CreateAlignedLoad(type, address, align);
  }
  return FromMemory(load.dtype, Note(buffer, value));
}

// One load per lane, which is how current processors execute gathers; a masked
// gather becomes one branch per lane.
llvm::Value* FunctionEmitter::EmitGather(const expr::Load& load) {
  const expr::BufferNode* buffer = load.buffer.get();
  const Expr& index = load.indices[0];
  llvm::Type* element = MemoryType(kernel_.context(), buffer->dtype);
  const int lanes = load.dtype.lanes();
  llvm::Value* base = buffers_.at(buffer);
  std::vector<llvm::Value*> addresses;
  const std::optional<IndexRamp> ramp = AsRamp(index);
  if (ramp.has_value()) {
    for (int64_t lane = 0; lane < lanes; ++lane) {
      const int64_t offset = lane * ramp->stride;
      addresses.push_back(EmitAddress(
          buffer, ramp->base + expr::ConstInt(DType::Int32(), offset)));
    }
  } else {
    for (llvm::Value* lane : EmitIndexLanes(index)) {
      addresses.push_back(builder_.CreateGEP(element, base, lane));
    }
  }
  const bool masked = mask_ != nullptr && !InBounds(buffer, index);
  llvm::Value* vector =
      llvm::PoisonValue::get(RegisterType(kernel_.context(), load.dtype));
  for (int lane = 0; lane < lanes; ++lane) {
    const auto load_lane = [&] {
      return ScalarLoad(buffer, addresses[lane], ElementAlign(buffer));
    };
    llvm::Value* value;
    if (masked) {
      value = EmitBranch(builder_.CreateExtractElement(mask_, lane), load_lane,
                         [&]() -> llvm::Value* {
                           return llvm::Constant::getNullValue(
                               RegisterType(kernel_.context(), buffer->dtype));
                         });
    } else {
      value = load_lane();
    }
    vector = builder_.CreateInsertElement(vector, value, lane);
  }
  return vector;
}

void FunctionEmitter::EmitPrefetch(const expr::Load& element) {
  llvm::Value* address = EmitAddress(element.buffer.get(), element.indices[0]);
  // Read prefetch with high temporal locality (all levels of the data cache).
  builder_.CreateIntrinsic(llvm::Intrinsic::prefetch, {kernel_.pointer_type()},
                           {address, builder_.getInt32(0), builder_.getInt32(3),
                            builder_.getInt32(1)});
}

void FunctionEmitter::EmitStore(const tir::Store& store) {
  const expr::BufferNode* buffer = store.buffer.get();
  const Expr& index = store.indices[0];
  const int lanes = index.dtype().lanes();
  CHECK_EQ(store.value.dtype().lanes(), lanes)
      << "in a store to `" << buffer->name << "`";
  llvm::Value* value = ToMemory(store.value.dtype(), Emit(store.value));
  tiles_.erase(std::remove_if(tiles_.begin(), tiles_.end(),
                              [&](const LoadedTile& tile) {
                                return tile.buffer.get() == buffer;
                              }),
               tiles_.end());
  if (StoreTile(buffer, index, value)) return;
  const std::optional<IndexRamp> ramp =
      lanes > 1 ? AsRamp(index) : IndexRamp{index, 1};
  if (ramp.has_value() && (ramp->stride == 1 || ramp->stride == -1)) {
    const bool reversed = ramp->stride == -1;
    const Expr first = reversed ? ramp->base - (lanes - 1) : ramp->base;
    if (reversed) value = Reverse(builder_, value, lanes);
    llvm::Value* address = EmitAddress(buffer, first);
    Note(buffer, builder_.CreateAlignedStore(value, address,
                                             AlignmentOf(buffer, first)));
    return;
  }
  llvm::Type* element = MemoryType(kernel_.context(), buffer->dtype);
  const std::vector<llvm::Value*> indices = EmitIndexLanes(index);
  for (int lane = 0; lane < lanes; ++lane) {
    llvm::Value* address =
        builder_.CreateGEP(element, buffers_.at(buffer), indices[lane]);
    Note(buffer,
         builder_.CreateAlignedStore(builder_.CreateExtractElement(value, lane),
                                     address, ElementAlign(buffer)));
  }
}

}  // namespace assay::codegen
