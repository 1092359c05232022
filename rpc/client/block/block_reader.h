// BlockReader: collects the samples of a block from the messages of a device.
//
//   BlockReader reader(block, programs);
//   while (stream->Read(&answer)) ASSAY_RETURN_IF_ERROR(reader.Read(&answer));
//   ASSAY_ASSIGN_OR_RETURN(BlockResult result, reader.Finish());
//
// The device may be broken or hostile. Counts and sizes are limited by what the
// programs can produce before memory is allocated for them, and an answer that
// is not one to this block is an error.
#ifndef ASSAY_RPC_CLIENT_BLOCK_BLOCK_READER_H_
#define ASSAY_RPC_CLIENT_BLOCK_BLOCK_READER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/proto/device.pb.h"
#include "rpc/proto/facts.pb.h"
#include "runtime/measure/session.h"

namespace assay::rpc {

// The limits of what a program can answer.
struct ProgramLimits {
  int64_t calls = 0;          // kernel calls of a run
  int64_t outputs_bytes = 0;  // of the tensor file of the outputs
};

// Returns the limits of a valid artifact.
ProgramLimits LimitsOf(const runtime::Artifact& artifact);

struct BlockResult {
  std::vector<runtime::Sample> samples = {};
  // The state of the device before and after the block; an empty message if the
  // device did not send it.
  DeviceState before = {};
  DeviceState after = {};
};

class BlockReader {
 public:
  // `programs` has an element for each program of the session. Requires that
  // the block names no others.
  BlockReader(runtime::Block block, std::vector<ProgramLimits> programs);

  // Returns Internal, with what is wrong, if the answer does not fit.
  absl::Status Read(const RunBlockAnswer& answer);

  // To be called when the device has sent everything. Returns Internal if
  // something is missing.
  absl::StatusOr<BlockResult> Finish();

 private:
  absl::Status ReadSample(const RunBlockAnswer::Sample& sample);
  absl::Status ReadOutputs(const std::string& bytes);

  const runtime::Block block_;
  const std::vector<ProgramLimits> programs_;
  BlockResult result_;
  std::string outputs_;       // of the last sample
  int64_t outputs_left_ = 0;  // bytes that are still to come
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_BLOCK_BLOCK_READER_H_
