// InputFile: the tensors that a user gives as the inputs of a model.
//
// The types of the tensors are known as soon as the file is open, but the
// elements are read later, one tensor at a time. Before they read elements,
// callers compare the types with those that the model needs. A file can
// therefore not make the program use more memory than the model's inputs need.
#ifndef ASSAY_SUITES_TENSORS_INPUT_FILE_H_
#define ASSAY_SUITES_TENSORS_INPUT_FILE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/ndarray.h"

namespace assay::suites {

// A tensor whose elements have not been read yet.
struct UnreadTensor {
  // The name in the file; may be empty.
  std::string name;
  // Names file and tensor in errors, for example "`in.npz`: array `x`".
  std::string label;
  graph::TensorType type;
  // Returns the tensor, which has the type `type`. Errors begin with `label`.
  std::function<absl::StatusOr<NDArray>()> read;
};

struct InputFile {
  // The file or folder in backticks, for errors.
  std::string label;
  // Errors call the tensors by this noun: `array` or `tensor`.
  const char* noun = "tensor";
  // If true, the tensors are in the order of the model's inputs. If false, they
  // have the names of the inputs and may be in any order.
  bool by_position = false;
  std::vector<UnreadTensor> tensors;
};

// Returns the tensors of `file` for the inputs `names` of a model, in the order
// of `names`. Returns InvalidArgument with one sentence if a tensor is missing,
// if there is a tensor for which the model has no input, or if a tensor that is
// at the position of one input has the name of another. The result points into
// `file`.
absl::StatusOr<std::vector<const UnreadTensor*>> MatchInputs(
    const InputFile& file, absl::Span<const std::string> names);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TENSORS_INPUT_FILE_H_
