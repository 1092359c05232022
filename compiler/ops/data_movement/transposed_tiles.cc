#include "compiler/ops/data_movement/transposed_tiles.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/expr/substitute.h"
#include "compiler/expr/visitor.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;
using schedule::Axis;
using schedule::Schedule;
using schedule::Stage;
using schedule::Tail;

// Checks that adjacent pixels read adjacent elements: each access uses either
// all pixel axes of the reader, as plain indices, or none of them.
class ReadsPixels : public expr::ExprVisitor {
 public:
  ReadsPixels(const te::Tensor& reader, size_t begin, size_t end)
      : axes_(reader->axes.begin() + begin, reader->axes.begin() + end) {}
  bool aligned() const { return aligned_; }

 protected:
  void VisitRead(const expr::Read* read) override {
    size_t matched = 0;
    for (size_t d = 0; d < read->indices.size(); ++d) {
      const Expr& index = read->indices[d];
      if (matched < axes_.size() && index.same_as(axes_[matched])) {
        ++matched;
        continue;
      }
      for (const Expr& axis : axes_) {
        if (expr::UsesVar(index, axis)) aligned_ = false;
      }
    }
    if (matched != 0 && matched != axes_.size()) aligned_ = false;
    ExprVisitor::VisitRead(read);
  }

 private:
  const std::vector<Expr> axes_;
  bool aligned_ = true;
};

// The two stages of a layout conversion, and the pixel axes of its result.
struct Change {
  te::Tensor result, pixels;
  bool packs = false;
  size_t begin = 2, end = 0;
};

std::optional<Change> FindChange(const te::Tensor& output) {
  std::optional<Change> change;
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    const bool packs = tensor->tag == "pack";
    if (!packs && tensor->tag != "unpack") continue;
    if (change.has_value()) return std::nullopt;
    change = Change{tensor, te::InputsOf(tensor)[0], packs};
    change->end = tensor.ndim() - (packs ? 1 : 0);
  }
  return change;
}

// Returns true if `tensor` broadcasts to `shape`, whose axes [begin, end) are
// the pixels, and has one element for all pixels.
bool IsSameForAllPixels(const te::Tensor& tensor, const Shape& shape,
                        size_t begin, size_t end) {
  const size_t missing =
      shape.size() - std::min<size_t>(shape.size(), tensor.ndim());
  for (size_t d = std::max(begin, missing); d < end; ++d) {
    if (tensor.shape()[d - missing] != 1) return false;
  }
  return true;
}

// Returns true if all producers and consumers are element-wise, so that whole
// rows and columns of the tiles can be accessed as vectors.
bool IsElementwiseAround(const Change& change, const te::Tensor& output) {
  if (output.shape() != change.result.shape()) return false;
  bool after = false;
  const te::Tensor operand = te::InputsOf(change.pixels)[0];
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    if (tensor.same_as(change.result)) after = true;
    if (tensor.is_placeholder() || tensor.same_as(change.result) ||
        tensor.same_as(change.pixels)) {
      continue;
    }
    const te::Tensor& whole = after ? change.result : operand;
    const size_t end = whole.ndim() - (change.packs == after ? 1 : 0);
    if (tensor.shape() != whole.shape()) {
      if (IsSameForAllPixels(tensor, whole.shape(), 2, end)) continue;
      return false;
    }
    ReadsPixels reads(tensor, 2, end);
    reads.Visit(tensor->body);
    if (!reads.aligned()) return false;
  }
  return true;
}

// The number of elements of `dtype` in a vector.
int64_t Lanes(const target::Target& target, DType dtype) {
  return std::clamp<int64_t>(target.vector_bits() / (8 * dtype.bytes()), 1, 16);
}

// Divides the tiles of pixels of each of `tasks` tasks into equal parts, so
// that all cores have one. Returns the tiles per part: all if there are enough
// tasks or the tiles cannot be divided.
int64_t TilesOfTask(int64_t tiles, int64_t tasks,
                    const target::Target& target) {
  const int64_t cores = std::max(1, target.num_cores());
  for (int64_t parts = CeilDiv(cores, tasks); parts <= 4 * cores; ++parts) {
    if (tiles % parts == 0) return tiles / parts;
  }
  return tiles;
}

}  // namespace

bool ScheduleTransposedTiles(Schedule& s, const te::Tensor& output,
                             const target::Target& target) {
  const std::optional<Change> change = FindChange(output);
  if (!change.has_value() || !IsElementwiseAround(*change, output)) {
    return false;
  }
  const Shape& image = change->pixels.shape();
  const int64_t tile = Lanes(target, output.dtype());
  const int64_t block =
      change->packs ? output.shape().back() : change->pixels.shape().back();
  if (tile < 2 || block < 2 || image[2] < tile) return false;
  const bool parallel = IsWorthThreads(NumElements(output.shape()));
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return tensor.same_as(change->pixels);
  });
  Stage& out = s[output];
  std::vector<Axis> axes;
  for (size_t d = change->begin; d < change->end; ++d) {
    axes.push_back(out.axis(static_cast<int>(d)));
  }
  const Axis pixel = axes.size() > 1 ? out.Fuse(axes) : axes[0];
  const auto [tiles, column] = out.Split(pixel, tile, Tail::kShiftInwards);
  Stage& in = s[change->pixels];
  in.SetScope(expr::Scope::kLocal);
  Axis blocks = out.axis(1), row, vector;
  if (change->packs) {
    row = column;
    vector = out.axis(output.ndim() - 1);
  } else {
    const auto [outer, channel] = out.Split(blocks, block);
    blocks = outer;
    row = channel;
    vector = column;
  }
  int64_t pixels = 1;
  for (size_t d = change->begin; d < change->end; ++d) {
    pixels *= output.shape()[d];
  }
  const int64_t channels = NumElements(output.shape()) / pixels;
  // The last tile overlaps the one before it unless it is full, so that both
  // stay in one task.
  const int64_t count = CeilDiv(pixels, tile);
  const auto [part, of_part] = out.Split(
      tiles, pixels % tile == 0 ? TilesOfTask(count, channels / block, target)
                                : count);
  out.Reorder({out.axis(0), blocks, part, of_part, row, vector});
  out.Unroll(row).Vectorize(vector);
  const Axis shared = out.Fuse({out.axis(0), blocks, part});
  in.ComputeAt(out, of_part);
  in.Unroll(in.axis(change->packs ? 1 : 2));
  in.Vectorize(in.axis(change->packs ? 2 : 3));
  if (parallel) out.Parallel(shared);
  return true;
}

}  // namespace assay::ops
