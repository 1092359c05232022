// FunctionEmitter: column reads of tiles (in-register transposition).
//
// A tile in registers may be written row by row and read column by column in
// order to transpose it. Gathering a column element by element would cost one
// instruction per element. Instead, a column is the root of a tree of
// two-vector shuffles whose leaves are the rows. Columns of the same tile share
// equal subtrees, and after LLVM has merged these (CSE), k columns of k
// elements cost k log2(k) shuffles.
//
// The tree first transposes blocks within the 16-byte parts of the vectors and
// then moves whole parts, which corresponds to the shuffle instructions of
// processors.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "compiler/codegen/llvm/emitter.h"
#include "compiler/codegen/llvm/types.h"
#include "compiler/codegen/llvm/vector_index.h"
#include "compiler/expr/expr_ops.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

namespace assay::codegen {
namespace {

constexpr int kPartBytes = 16;

// Truncates to the first `lanes` lanes, or extends with undefined lanes.
llvm::Value* Resize(llvm::IRBuilder<>& builder, llvm::Value* vector,
                    int lanes) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const int present = static_cast<int>(type->getNumElements());
  if (present == lanes) return vector;
  std::vector<int> mask(lanes, llvm::PoisonMaskElem);
  std::iota(mask.begin(), mask.begin() + std::min(lanes, present), 0);
  return builder.CreateShuffleVector(vector, mask);
}

// Concatenates vectors of the same length.
llvm::Value* Concatenate(llvm::IRBuilder<>& builder,
                         const std::vector<llvm::Value*>& pieces) {
  llvm::Value* result = pieces[0];
  const auto* type = llvm::cast<llvm::FixedVectorType>(result->getType());
  const auto size = static_cast<int>(type->getNumElements());
  for (size_t i = 1; i < pieces.size(); ++i) {
    const int before = static_cast<int>(i) * size;
    std::vector<int> mask(before + size);
    std::iota(mask.begin(), mask.end(), 0);
    result = builder.CreateShuffleVector(
        result, Resize(builder, pieces[i], before), mask);
  }
  return result;
}

// Column `j` of a square tile; its size is a power of two.
class SquareColumn {
 public:
  SquareColumn(llvm::IRBuilder<>& builder, std::vector<llvm::Value*> rows,
               int element_bytes, int j)
      : builder_(builder), rows_(std::move(rows)), j_(j) {
    size_ = static_cast<int>(rows_.size());
    part_ = std::min(size_, std::max(1, kPartBytes / element_bytes));
    steps_in_part_ = static_cast<int>(llvm::Log2_32(part_));
    steps_ = static_cast<int>(llvm::Log2_32(size_));
  }

  llvm::Value* Emit() { return Node(steps_, 0); }

 private:
  // Combines rows [group * 2^step, (group + 1) * 2^step). After a step within
  // parts, the result holds runs of 2^step elements of one column, for those
  // columns of each part whose index agrees with j_ in the first `step` bits;
  // after a step between parts, it holds the parts whose index agrees with j_
  // in the last bits.
  llvm::Value* Node(int step, int group) {
    if (step == 0) return rows_[group];
    llvm::Value* a = Node(step - 1, 2 * group);
    llvm::Value* b = Node(step - 1, 2 * group + 1);
    return builder_.CreateShuffleVector(
        a, b,
        step <= steps_in_part_ ? Interleave(step)
                               : ChooseParts(step - steps_in_part_));
  }

  // Alternating runs of 2^(step-1) elements of both vectors, from the half of
  // each part that j_ selects.
  std::vector<int> Interleave(int step) const {
    const int run = 1 << (step - 1);
    const int half = ((j_ % part_) >> (steps_in_part_ - step)) & 1;
    std::vector<int> mask;
    for (int part = 0; part < size_; part += part_) {
      for (int at = 0; at < part_ / 2; at += run) {
        const int from = part + half * part_ / 2 + at;
        for (int i = 0; i < run; ++i) mask.push_back(from + i);
        for (int i = 0; i < run; ++i) mask.push_back(size_ + from + i);
      }
    }
    return mask;
  }

  // Every other part of both vectors, those of the first vector first.
  std::vector<int> ChooseParts(int step) const {
    const int odd = ((j_ / part_) >> (step - 1)) & 1;
    std::vector<int> mask;
    for (int part = odd; part < 2 * size_ / part_; part += 2) {
      for (int i = 0; i < part_; ++i) mask.push_back(part * part_ + i);
    }
    return mask;
  }

  llvm::IRBuilder<>& builder_;
  const std::vector<llvm::Value*> rows_;
  const int j_;
  int size_, part_, steps_in_part_, steps_;
};

}  // namespace

llvm::Value* FunctionEmitter::EmitTileColumn(const expr::Load& load) {
  const expr::BufferNode* buffer = load.buffer.get();
  const std::optional<IndexRamp> ramp = AsRamp(load.indices[0]);
  if (buffer->scope != expr::Scope::kLocal || mask_ != nullptr ||
      !ramp.has_value() || ramp->stride <= 1 ||
      !expr::AsConstInt(ramp->base).has_value()) {
    return nullptr;
  }
  llvm::Type* element = MemoryType(kernel_.context(), buffer->dtype);
  const int lanes = load.dtype.lanes();
  const int64_t width = ramp->stride, first = *expr::AsConstInt(ramp->base);
  const auto size =
      static_cast<int>(llvm::PowerOf2Ceil(std::min<int64_t>(lanes, width)));
  // The columns that are transposed together with this one.
  const auto column = static_cast<int>(first % width);
  const int begin = column / size * size;
  const auto count = static_cast<int>(std::min<int64_t>(size, width - begin));
  // Rows beyond the tile are undefined and not loaded.
  const auto row = [&](int r) -> llvm::Value* {
    if (r >= lanes) {
      return llvm::PoisonValue::get(llvm::FixedVectorType::get(element, size));
    }
    const Expr index =
        expr::ConstInt(DType::Int32(), first - column + begin + r * width);
    llvm::Value* elements = builder_.CreateAlignedLoad(
        llvm::FixedVectorType::get(element, count), EmitAddress(buffer, index),
        AlignmentOf(buffer, index));
    Note(buffer, llvm::cast<llvm::Instruction>(elements));
    return Resize(builder_, elements, size);
  };
  std::vector<llvm::Value*> pieces;
  for (int top = 0; top < lanes; top += size) {
    std::vector<llvm::Value*> rows;
    for (int r = top; r < top + size; ++r) rows.push_back(row(r));
    pieces.push_back(SquareColumn(builder_, std::move(rows),
                                  buffer->dtype.bytes(), column - begin)
                         .Emit());
  }
  llvm::Value* whole = Resize(builder_, Concatenate(builder_, pieces), lanes);
  return FromMemory(load.dtype, whole);
}

}  // namespace assay::codegen
