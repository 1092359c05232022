// Reads and writes NumPy archives (.npz), which numpy.savez() and
// numpy.savez_compressed() write: ZIP files (zip_archive.h) that contain an
// array `NAME` as the member `NAME.npy` (npy.h).
#ifndef ASSAY_SUITES_TENSORS_NPZ_H_
#define ASSAY_SUITES_TENSORS_NPZ_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/memory_limit.h"
#include "suites/tensors/input_file.h"

namespace assay::suites {

// Opens the archive in `bytes`, the content of the file `path`, and reads the
// header of every array. The bytes of the file and of all arrays are subtracted
// from `memory`. Returns InvalidArgument if the archive is malformed or has a
// member whose name does not end in `.npy`, Unimplemented if it uses a feature
// that is not supported, and ResourceExhausted if an array needs more memory
// than is left. Errors are one sentence that begins with `path`.
absl::StatusOr<InputFile> OpenNpz(const std::string& path, std::string bytes,
                                  MemoryBudget* memory);

// Returns an archive of `tensors`, which are not compressed. The same tensors
// give the same bytes. Returns Unimplemented, with the name of the tensor, if
// NumPy does not have the element type, and the errors of WriteZip().
absl::StatusOr<std::string> SerializeNpz(const runtime::NamedTensors& tensors);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TENSORS_NPZ_H_
