// FunctionEmitter: tile products, with the matrix unit of Intel processors
// (AMX). Source: Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 1, chapter 18.
//
// The unit has eight tile registers of 16 rows of 64 bytes. LLVM assigns these
// registers and configures the unit. The factors of a product are read from
// memory by instructions of the unit; accumulators stay in tile registers if
// they are elements with constant indices of local buffers.
#include <algorithm>
#include <optional>

#include "compiler/codegen/llvm/emitter.h"
#include "compiler/codegen/llvm/vector_index.h"
#include "compiler/expr/structural_equal.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "runtime/base/check.h"

namespace assay::codegen {
namespace {

using expr::Intrinsic;

constexpr int kRowBytes = 64;
// The number of tiles of factors that are kept for further products. It leaves
// half of the registers to accumulators. Loading a tile again costs less than
// to spill one.
constexpr size_t kMostFactors = 4;

llvm::Intrinsic::ID ProductId(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::kTileDot4U8S8:
      return llvm::Intrinsic::x86_tdpbusd_internal;
    case Intrinsic::kTileDot4S8S8:
      return llvm::Intrinsic::x86_tdpbssd_internal;
    case Intrinsic::kTileDot4S8U8:
      return llvm::Intrinsic::x86_tdpbsud_internal;
    case Intrinsic::kTileDot4U8U8:
      return llvm::Intrinsic::x86_tdpbuud_internal;
    case Intrinsic::kTileDot2BF16:
      return llvm::Intrinsic::x86_tdpbf16ps_internal;
    default:
      CHECK(false) << expr::IntrinsicName(intrinsic);
      return 0;
  }
}

}  // namespace

bool FunctionEmitter::StoreTile(const expr::BufferNode* buffer,
                                const Expr& index, llvm::Value* value) {
  if (!kernel_.target.HasFeature("amx-tile") || buffer->dtype.bits() != 32 ||
      index.dtype().lanes() != expr::kTileRows * expr::kTileRows) {
    return false;
  }
  const std::optional<IndexRows> rows = AsRows(index, expr::kTileRows);
  if (!rows.has_value() || rows->stride == expr::kTileRows) return false;
  llvm::Value* tile = builder_.CreateIntrinsic(
      llvm::Intrinsic::x86_cast_vector_to_tile, {value->getType()}, {value});
  builder_.CreateIntrinsic(
      llvm::Intrinsic::x86_tilestored64_internal, {},
      {builder_.getInt16(expr::kTileRows), builder_.getInt16(kRowBytes),
       EmitAddress(buffer, rows->base),
       builder_.getInt64(rows->stride * buffer->dtype.bytes()), tile});
  return true;
}

llvm::Value* FunctionEmitter::LoadTile(const Expr& factor) {
  const std::optional<TileAccess> memory = AsTileLoad(factor);
  CHECK(memory.has_value());  // CheckInput makes sure of it
  llvm::BasicBlock* block = builder_.GetInsertBlock();
  for (auto tile = tiles_.begin(); tile != tiles_.end(); ++tile) {
    if (tile->block == block && tile->buffer.same_as(memory->buffer) &&
        tile->stride == memory->rows.stride &&
        expr::StructurallyEqual(tile->index, memory->rows.base)) {
      std::rotate(tile, tile + 1, tiles_.end());
      return tiles_.back().value;
    }
  }
  if (tiles_.size() == kMostFactors) tiles_.erase(tiles_.begin());
  llvm::CallInst* value = builder_.CreateIntrinsic(
      llvm::Intrinsic::x86_tileloadd64_internal, {},
      {builder_.getInt16(expr::kTileRows), builder_.getInt16(kRowBytes),
       EmitAddress(memory->buffer.get(), memory->rows.base),
       builder_.getInt64(memory->rows.stride * memory->buffer->dtype.bytes())});
  tiles_.push_back(
      {block, memory->buffer, memory->rows.base, memory->rows.stride, value});
  return value;
}

llvm::Value* FunctionEmitter::EmitTileProduct(const expr::Call& call) {
  llvm::Value* sum = Emit(call.args[0]);
  llvm::Type* vector = sum->getType();
  llvm::Value* c = builder_.CreateIntrinsic(
      llvm::Intrinsic::x86_cast_vector_to_tile, {vector}, {sum});
  llvm::Value* a = LoadTile(call.args[1]);
  llvm::Value* b = LoadTile(call.args[2]);
  llvm::Value* product = builder_.CreateIntrinsic(
      ProductId(call.intrinsic), {},
      {builder_.getInt16(expr::kTileRows), builder_.getInt16(kRowBytes),
       builder_.getInt16(kRowBytes), c, a, b});
  return builder_.CreateIntrinsic(llvm::Intrinsic::x86_cast_tile_to_vector,
                                  {vector}, {product});
}

}  // namespace assay::codegen
