// Validate: checks the consistency of the plan of an untrusted artifact.
//
// If Validate() returns OK, running the plan accesses no byte outside the
// inputs, outputs, parameters, arena and setup memory, and reads no
// uninitialised tensor.
// This guarantee assumes that the code of each kernel accesses only its
// arguments and writes its outputs completely, which Validate() cannot check.
// Validate() checks that
//   - sizes are non-negative and in range;
//   - every parameter lies within Artifact::params at an aligned offset;
//   - every intermediate tensor lies within the arena at an aligned offset;
//   - every tensor in the setup memory lies within it at an aligned offset, and
//     is not empty;
//   - the inputs of the model are numbered 0, 1, … without gaps and have unique
//     names;
//   - the outputs of the model are also numbered 0, 1, … without gaps and have
//     unique names;
//   - a bounded dynamic dimension is an axis of a model output, and its extent
//     is a tensor of one int64 element that has a value after the run;
//   - calls refer to existing tensors and write neither parameters nor model
//     inputs, and no output of a call overlaps another argument of the call;
//   - setup calls read only parameters and the setup memory, write only the
//     setup memory, and write no byte of it twice; other calls do not write it;
//   - a tensor in the setup memory that is read lies within one result of an
//     earlier setup call;
//   - no tensor is read before it is written, and no tensor in the arena is
//     read after its bytes were overwritten (the memory plan does not overlap
//     live tensors);
//   - every model output that has elements is written;
//   - there is code if there are calls or setup calls, and Artifact::code_kind
//     is not empty if there is code.
// An error that concerns one tensor contains the name of the tensor. An error
// that concerns one call contains the name of the kernel.
#ifndef ASSAY_RUNTIME_ARTIFACT_VALIDATE_H_
#define ASSAY_RUNTIME_ARTIFACT_VALIDATE_H_

#include "absl/status/status.h"
#include "runtime/artifact/artifact.h"

namespace assay::runtime {

absl::Status Validate(const Artifact& artifact);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_VALIDATE_H_
