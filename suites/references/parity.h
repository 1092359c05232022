// Parity: the conditions under which a contender of a comparison is timed.
//
// The ratio of two times says something about the two programs only if both do
// the same work under the same conditions: with as many threads, on processors
// that are assigned by the same rule, in the same precision, with inputs and
// outputs in the same layout, after the same warm-up, and with the same copies
// in the timed part. A manifest lists the conditions of all contenders. Before
// anything is timed, CheckParity() compares them and returns an error if they
// differ. Reports store the manifest (ParityRecord) and print it (ParityTable).
//
// Two conditions may differ. The optimization level is stated but not compared,
// because the options of two compilers have no common measure. A contender that
// computes with split numbers (see the glossary) may be compared with one that
// does not, because its errors are similar to those of fast algorithms (see the
// glossary). However, the two do not do the same work, so reports mark the
// ratio of their times with kPrecisionMark (PrecisionDiffers), and the table of
// the conditions explains the mark.
#ifndef ASSAY_SUITES_REFERENCES_PARITY_H_
#define ASSAY_SUITES_REFERENCES_PARITY_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {

enum class Affinity {
  // Each worker has its own processors, as AssignCpus() assigns them
  // (runtime/device/cpu/cpu_affinity.h). The calling thread has all processors.
  // A contender with one thread has no workers and counts as pinned.
  kPinned,
  // The scheduler may move workers to any processor.
  kFree,
};

// Layout of the inputs and outputs in the timed part.
enum class TensorLayout {
  kPlain,  // row-major
  kOwn,    // chosen by the contender; conversions are not timed
};

enum class InputChange {
  kNever,       // each run has the same inputs
  kEveryRound,  // the inputs are replaced, untimed, before each round
};

struct Parity {
  int threads = 1;  // including the calling thread
  Affinity affinity = Affinity::kFree;
  // Element types of the operands, for example `float32`.
  std::string precision = "as in the model";
  // True if the contender may compute in a lower precision than that of the
  // operands, such as bfloat16 or TF32.
  bool reduced_precision = false;
  // True if products of float32 are computed as sums of products of bfloat16
  // parts, which keep about 18 significant bits.
  bool splits_floats = false;
  TensorLayout layout = TensorLayout::kPlain;
  // Untimed runs before each sample: at least `warmup_runs`, and for at least
  // `warmup_nanos`.
  int64_t warmup_runs = 0;
  int64_t warmup_nanos = 0;
  InputChange inputs = InputChange::kNever;
  // Number of times that the inputs or outputs are copied in the timed part,
  // for example into memory of the library.
  int input_copies = 0;
  int output_copies = 0;
  // Describes the optimization level.
  std::string optimization;
};

struct NamedParity {
  std::string contender;
  Parity parity;
};

// Returns the conditions of a program that the runtime of this project runs on
// `threads` threads: its thread pool places the workers, and inputs and outputs
// are in buffers of the device. Warm-up and change of inputs are left unset.
Parity OurParity(int threads);
// The same for the program `artifact`, whose metadata tell if it splits floats.
Parity OurParity(int threads, const runtime::Artifact& artifact);

// The name of the field that states `reduced_precision` and `splits_floats`.
inline constexpr char kReducedPrecision[] = "reduced precision";

// Returns the fields as (name, value) pairs. Different values of a field have
// different texts.
std::vector<std::pair<std::string, std::string>> ParityFields(
    const Parity& parity);

// Compares all contenders with the first one. Returns FailedPrecondition with
// the contender, the field and both values if a field other than the
// optimization level and `splits_floats` differs.
absl::Status CheckParity(absl::Span<const NamedParity> manifest);

// Returns true if one of the two contenders splits float32 in parts and the
// other does not.
bool PrecisionDiffers(const Parity& a, const Parity& b);
inline constexpr char kPrecisionMark[] = "*";

// Returns ParityFields() by contender.
std::map<std::string, std::map<std::string, std::string>> ParityRecord(
    absl::Span<const NamedParity> manifest);

// Returns a table with a title and one line per contender; equal lines are
// printed once. If PrecisionDiffers() is true for two contenders, a line below
// explains kPrecisionMark. Returns an empty string if the manifest is empty.
std::string ParityTable(absl::Span<const NamedParity> manifest);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_PARITY_H_
