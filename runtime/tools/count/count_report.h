// Formats the counts of an artifact's kernels (count_kernels.h) as a table for
// a terminal, as JSON and as CSV.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_COUNT_REPORT_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_COUNT_REPORT_H_

#include <string>

#include "runtime/artifact/artifact.h"
#include "runtime/tools/count/count_kernels.h"

namespace assay::runtime {

// Version of the JSON format. It must be increased if a member is removed or
// its meaning changes.
constexpr int kCountSchemaVersion = 1;

// All functions CHECK-fail unless there are counts of each call of `artifact`.

// Returns one row per call and a row of sums, with a line break after each row.
// `fma` are all multiply-adds, and `vector` all vector instructions, those of
// the multiply-adds that have several lanes included. `fma/instr` is the number
// of multiply-adds per instruction, and `bytes/fma` the number of loaded and
// stored bytes per multiply-add.
std::string CountTable(const Artifact& artifact, const KernelCounts& counts);

// Returns all counts, and what identifies the artifact and its calls.
std::string CountJson(const Artifact& artifact, const KernelCounts& counts);

// Returns a line of titles and one line per call, with all counts.
std::string CountCsv(const Artifact& artifact, const KernelCounts& counts);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_COUNT_REPORT_H_
