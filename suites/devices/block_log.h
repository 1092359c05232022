// BlockLog: the states of a leased device before and after each block of
// samples that the device takes (reports/result/device_state.h).
//
//   BlockLog log;
//   ASSAY_ASSIGN_OR_RETURN(auto runner, devices.Open(device, &log));
//   …
//   log.Take();  // forget earlier blocks
//   TakeSamples();
//   row.timing.blocks = log.Take();
//
// Not thread-safe: a device slot has one log and one thread.
#ifndef ASSAY_SUITES_DEVICES_BLOCK_LOG_H_
#define ASSAY_SUITES_DEVICES_BLOCK_LOG_H_

#include <cstddef>
#include <vector>

#include "reports/result/device_state.h"

namespace assay::suites {

// Maximum number of blocks that are kept. A comparison can have thousands of
// blocks, which would make the results too large.
constexpr size_t kMaxBlocks = 128;

class BlockLog {
 public:
  // Adds a block. If there are more than kMaxBlocks blocks, joins each pair of
  // neighbours (reports::Join).
  void Add(const reports::BlockState& block);
  // Returns at most kMaxBlocks blocks, in the order of measurement, and forgets
  // them.
  std::vector<reports::BlockState> Take();

 private:
  std::vector<reports::BlockState> blocks_;
};

// Appends `blocks` to `*all`. If there are more than kMaxBlocks blocks, joins
// each pair of neighbours.
void Append(std::vector<reports::BlockState> blocks,
            std::vector<reports::BlockState>* all);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_BLOCK_LOG_H_
