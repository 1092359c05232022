// The rows of outputs, and which rows of two sets of outputs belong together.
//
// The outputs of a model that makes decisions consist of rows: a detector
// returns, for example, boxes [D,4], scores [D] and labels [D], and a row is a
// box with its score and its label. near_ties.h says why rows can be at another
// place in correct outputs. GroupByRows() finds the outputs whose rows belong
// together, and JoinRows() joins these rows.
//
// Two rows are equal if all integers in them are equal and the difference of
// each float is at most its bound. NaNs are equal to NaNs, and infinities to
// the same infinity. There are two ways to find the rows that belong together:
//   - Places() asks whether the rows of one side are present in the other. Any
//     equal row suffices. Equal rows of one side are told apart by their order.
//   - NearestPlaces() asks how much rows change. Its bounds are wide, so a row
//     can be equal to several rows, for example to two overlapping boxes with
//     the same label. The nearest of all pairs of equal rows belong together,
//     then the nearest of the remaining ones, and so on. A row whose partner is
//     missing therefore does not take the partner of another row if that row is
//     nearer to it. Pairs with the same distance are told apart by their order.
//
// The time is proportional to the product of the numbers of rows, so callers
// compare at most kMaxRows rows.
#ifndef ASSAY_SUITES_CORRECTNESS_ROW_MATCHING_H_
#define ASSAY_SUITES_CORRECTNESS_ROW_MATCHING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {

constexpr int64_t kMaxRows = 2048;

// For each data output of a model: the axis along which its rows lie. nullopt
// means that the output has no rows, because it does not depend on a decision
// that rounding may change (FindRowAxes() of rounding.h).
using RowAxes = std::vector<std::optional<int>>;

// Groups of outputs whose rows belong together. The value holds the indices of
// the outputs. All outputs of a group have the same numbers of rows, which are
// the key: the number in each answer (a result that is correct for some way of
// rounding, see near_ties.h), and then the number in the compared outputs. The
// key of outputs without rows is empty.
using RowGroups = std::map<std::vector<int64_t>, std::vector<size_t>>;

// The rows of a group of outputs. Each list holds all rows one after another.
struct Rows {
  int64_t count = 0;
  size_t num_floats = 0, num_ints = 0;  // in one row
  std::vector<double> floats;
  std::vector<int64_t> ints;
};

// Groups the outputs by their numbers of rows in `answers` and in `outputs`.
// Returns nullopt if there are no outputs, if an answer has another number of
// outputs, or if an output with rows has another name, type or shape than in an
// answer, apart from the number of rows.
std::optional<RowGroups> GroupByRows(
    const runtime::NamedTensors& outputs,
    absl::Span<const runtime::NamedTensors> answers, const RowAxes& row_axes);

// Returns true if the rows of a group with this key can be compared: its
// outputs have rows, and nowhere more than kMaxRows.
bool IsComparable(const RowGroups::key_type& key);

// Returns the number of elements that a row has in the output `x`. If the shape
// has no such axis, all of `x` is one row.
size_t RowSize(const NDArray& x, int axis);

// Returns the joined rows of the outputs with the indices `group`, which must
// have rows. The elements of a row are in the order of the group.
Rows JoinRows(const runtime::NamedTensors& tensors,
              const std::vector<size_t>& group, const RowAxes& row_axes);

// Returns the bound of each float of a joined row: the largest error that the
// tolerance of its output allows for any element (Tolerance::Allowed()).
std::vector<double> RowBounds(const runtime::NamedTensors& reference,
                              const std::vector<size_t>& group,
                              const RowAxes& row_axes, const CheckRule& rule);

// Returns for each row of `x` the index of the row of `y` that belongs to it,
// or -1 if there is none. `bounds` has the bounds of the floats of a row. If
// several rows are equal, the first row of `x` belongs to the first row of `y`,
// the second to the second, and so on.
std::vector<int64_t> Places(const Rows& x, const Rows& y,
                            absl::Span<const double> bounds);

// Like Places(), but the nearest rows belong together. The distance of two rows
// is the largest quotient of the difference of two floats and their bound.
std::vector<int64_t> NearestPlaces(const Rows& x, const Rows& y,
                                   absl::Span<const double> bounds);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ROW_MATCHING_H_
