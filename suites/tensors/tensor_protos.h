// Reads and writes ONNX tensors (TensorProto), one in each .pb file. The test
// data of ONNX models are folders with such files: `input_0.pb` is the value of
// the first input of the model, and so on. The values of sequences and optional
// values, which are in files of the same names, are not supported.
//
// The file is not trusted: the tensor is read only if its data has the size
// that its extents need, and data in other files is rejected.
#ifndef ASSAY_SUITES_TENSORS_TENSOR_PROTOS_H_
#define ASSAY_SUITES_TENSORS_TENSOR_PROTOS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/ndarray.h"
#include "suites/tensors/input_file.h"

namespace assay::suites {

// Returns the path of `input_0.pb` in `folder`, of `input_1.pb`, and so on, up
// to the first file that does not exist.
std::vector<std::string> FindInputProtos(const std::string& folder);

// Parses `bytes`, the content of the file `path`. The bytes of the file and of
// the tensor are subtracted from `memory`. Returns InvalidArgument if the file
// is malformed, Unimplemented if its element type is not supported or its data
// is in another file, and ResourceExhausted if the tensor needs more memory
// than is left. Errors are one sentence that begins with `path`.
absl::StatusOr<UnreadTensor> OpenTensorProto(const std::string& path,
                                             absl::string_view bytes,
                                             MemoryBudget* memory);

// Returns the content of a .pb file. Returns Unimplemented, with the name of
// the tensor, if it has about 2 GiB or more, which Protobuf does not support.
absl::StatusOr<std::string> SerializeTensorProto(absl::string_view name,
                                                 const NDArray& value);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TENSORS_TENSOR_PROTOS_H_
