// MutateFile: makes a broken copy of an ONNX file from a seed.
//
// A seed stands for one copy, so that a failure can be repeated. Even seeds
// change bytes, as a broken disk or download does: bits are flipped, and bytes
// are inserted, removed, repeated or cut off. Half of these changes are near an
// end of the file, because the nodes, inputs and outputs are there and the
// weights between them are most of the bytes. Odd seeds change the structure
// and leave the file parsable (model_mutator.h, wire_mutator.h).
#ifndef ASSAY_TESTS_FUZZ_MUTATE_FILE_H_
#define ASSAY_TESTS_FUZZ_MUTATE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace assay::fuzz {

struct MutatedFile {
  std::string bytes;
  // What was changed, in one line, for example "removed 3 bytes at 100".
  std::string what;
};

// Mutates the contents of an ONNX file. The result depends on the arguments
// alone and is never equal to `file`. If `file` is no ONNX model, odd seeds
// change bytes, too.
MutatedFile MutateFile(absl::string_view file, uint64_t seed);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_MUTATE_FILE_H_
