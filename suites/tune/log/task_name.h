// TaskName: a short name of a task for tables, charts and progress lines.
//
//   TaskName(record.workload, record.anchor)
//     ->  "conv2d 64x56x56→128 3x3/2 nchw16c +add+relu"
//
// The name of a convolution has the input channels, height and width, the
// output channels if they differ, the filter, `/` with the strides if they are
// not 1, the layout of channels in blocks, and the encoding of the weights if
// it is not that of the direct algorithm. Names of other operators have the
// shapes of the first operands:
//
//   "dense 1x512 1000x512"
//
// The other operators of the kernel follow, for example its epilogue. The name
// of a kernel without an anchor has only operators: "add+relu 1x64". Element
// types other than float32 are named, too.
//
// A name is for people: different tasks may have the same name. It is at most
// kTaskNameLength bytes long and has no control characters, even if the
// arguments are arbitrary text from a file.
#ifndef ASSAY_SUITES_TUNE_LOG_TASK_NAME_H_
#define ASSAY_SUITES_TUNE_LOG_TASK_NAME_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace assay::suites {

constexpr size_t kTaskNameLength = 100;

// The arguments are those of a record (tuning_record.h).
std::string TaskName(absl::string_view workload, absl::string_view anchor);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TASK_NAME_H_
