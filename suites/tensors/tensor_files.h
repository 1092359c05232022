// OpenInputs() and WriteOutputs(): the files of the flags --inputs and
// --outputs. Their formats are NumPy archives (npz.h) and ONNX tensors
// (tensor_protos.h).
#ifndef ASSAY_SUITES_TENSORS_TENSOR_FILES_H_
#define ASSAY_SUITES_TENSORS_TENSOR_FILES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/tensors/input_file.h"

namespace assay::suites {

// Opens the files of --inputs. `paths` is
//   - one .npz file, whose arrays have the names of the model's inputs;
//   - .pb files, in the order of the model's inputs; or
//   - one folder with the .pb files `input_0.pb`, `input_1.pb` and so on.
// The files and their tensors may need at most `max_memory` bytes. Returns
// InvalidArgument if `paths` is none of these, NotFound if there is no such
// file, and otherwise the errors of OpenNpz() and OpenTensorProto().
absl::StatusOr<InputFile> OpenInputs(absl::Span<const std::string> paths,
                                     int64_t max_memory);

// Checks the value of --outputs, which is a .npz file or a folder, and creates
// the folder, or the folder that will contain the file. Returns InvalidArgument
// if the suffix belongs to a file of another format.
absl::Status PrepareOutputs(const std::string& path);

// Writes `outputs` to the .npz file `path`, or to `output_0.pb`, `output_1.pb`
// and so on in the folder `path`. Each file is replaced atomically; other files
// in the folder are not changed. An output without a name is called `output_K`
// after its index. PrepareOutputs() must have accepted the path.
absl::Status WriteOutputs(const std::string& path,
                          const runtime::NamedTensors& outputs);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TENSORS_TENSOR_FILES_H_
