// Reads and writes NumPy arrays in the format .npy, versions 1.0 to 3.0.
//
// A .npy file consists of the magic bytes `\x93NUMPY`, two bytes of version,
// the length of the header (16 bits in version 1, 32 bits in later versions),
// the header, and the elements. The header is the literal of a Python
// dictionary such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }
// padded with spaces, and ends in a line break. Its three keys are the element
// type, the order of the elements and the shape.
//
// Only this dictionary is parsed, not Python: the keys are exactly these three,
// in any order, and strings have no escapes. The size of the file must be the
// size that the header needs. Element types are little-endian floats of 16 to
// 64 bits, integers of 8 to 64 bits, and bools. NumPy has no bfloat16.
// Libraries that add it write it as the type `V2`, two raw bytes, which may
// also be something else; therefore bfloat16 is neither read nor written.
// Arrays of objects are pickled and are rejected like all other types.
//
// Errors describe the problem without a subject, as in "has the element type
// `<c8`, which is not supported"; callers add the name of the file.
//
// Source: numpy.lib.format in the NumPy reference, and NEP 1.
#ifndef ASSAY_SUITES_TENSORS_NPY_H_
#define ASSAY_SUITES_TENSORS_NPY_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/ndarray.h"

namespace assay::suites {

struct NpyHeader {
  graph::TensorType type;
  // True if the elements are in column-major order (the first index varies
  // fastest).
  bool fortran_order = false;
  // Position of the first element in the file.
  size_t data_offset = 0;
};

// ParseNpyHeader() needs at most this number of bytes. Longer headers, which
// only structured types or thousands of axes need, are rejected.
constexpr size_t kMaxNpyHeaderBytes = 12 + (1 << 16);

// Parses the header of a file of `file_bytes` bytes. `start` must be the first
// kMaxNpyHeaderBytes bytes of the file, or the whole file if it is smaller.
// Returns InvalidArgument if the file is malformed, cut short or too long, and
// Unimplemented if the version, the length of the header or the element type is
// not supported.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view start,
                                         uint64_t file_bytes);

// Returns the array in `bytes`, the content of a .npy file. Column-major
// elements are transposed to row-major order. Errors are those of
// ParseNpyHeader(), and InvalidArgument if a bool is neither 0 nor 1.
absl::StatusOr<NDArray> ParseNpy(absl::string_view bytes);

// Returns the content of a .npy file of version 1.0. Returns Unimplemented if
// the element type is bfloat16.
absl::StatusOr<std::string> SerializeNpy(const NDArray& array);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TENSORS_NPY_H_
