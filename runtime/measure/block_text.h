// This header defines the text form of blocks, samples and errors, in which a
// client and the process that runs its programs exchange them
// (runtime/tools/bench_steps.h), and the version of their protocol.
//
// A block is a JSON object on one line. Its fields have the names of Block:
//
//   {"samples":[[0,5,1,0],[1,5,1,0]],"min_sample_nanos":2000000}
//
//   - `samples` is required. Each element is an array of the fields of
//     SampleSpec in their order: program, number, warmup_runs, warmup_nanos.
//   - `checked_run_seed` is a string of decimal digits, because many JSON
//     libraries round integers of more than 53 bits.
//   - `outputs_folder` is the only field that Block does not have: the folder
//     for the outputs of the samples. It is present if and only if
//     `read_outputs` is true.
// Fields with the default value may be omitted. Unknown fields are errors,
// because a reader that ignored one would take other samples than requested.
//
// The text may come from another machine, so ParseBlock() checks all values
// against the limits below. A block within these limits can still take longer
// than any time limit.
#ifndef ASSAY_RUNTIME_MEASURE_BLOCK_TEXT_H_
#define ASSAY_RUNTIME_MEASURE_BLOCK_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

// Version of the protocol. It must be increased if a request, an answer or a
// flag that the client sets is removed or changes its meaning.
constexpr int kProtocolVersion = 2;

constexpr size_t kMaxBlockBytes = size_t{64} << 20;  // size of the text
constexpr size_t kMaxBlockSamples = 1000000;
// Maximum of SampleSpec::number and SampleSpec::warmup_runs.
constexpr int64_t kMaxSampleRuns = int64_t{1} << 32;
// Maximum of each field that is a time: one hour.
constexpr int64_t kMaxBlockNanos = int64_t{3600} * 1000000000;
// Maximum of Block::flush_cache_bytes: 4 GiB.
constexpr int64_t kMaxFlushBytes = int64_t{1} << 32;

struct BlockRequest {
  Block block;
  std::string outputs_folder;  // empty unless `block.read_outputs` is true
};

// Returns the text of the block, without a newline. `outputs_folder` is ignored
// unless `block.read_outputs` is true.
std::string SerializeBlock(const Block& block,
                           const std::string& outputs_folder);
// Parses the text of a block for a session with `programs` programs. Returns
// InvalidArgument with the name of the field if the text is not a block, or if
// a value exceeds its limit.
absl::StatusOr<BlockRequest> ParseBlock(absl::string_view text, int programs);

// Returns the path of the tensor file with the outputs of the sample with index
// `sample`: `outputs-I` in the folder.
std::string OutputsPath(const std::string& folder, size_t sample);

// Returns the sample without its outputs, as the line
// `sample NANOS NUMBER [CALL_NANOS...]`, without a newline.
std::string SerializeSample(const Sample& sample);
// Returns Internal if the line is not a sample. The message quotes the line
// with `?` for control characters, because a hostile worker can have written
// the line.
absl::StatusOr<Sample> ParseSample(absl::string_view line);

// Returns the error as the line `fail CODE MESSAGE`, without a newline. CODE is
// the name of the status code, for example FAILED_PRECONDITION.
std::string SerializeFailure(const absl::Status& error);
// Returns the error, or nothing if the line does not begin with `fail`. An
// unknown code becomes Internal.
std::optional<absl::Status> ParseFailure(absl::string_view line);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_BLOCK_TEXT_H_
