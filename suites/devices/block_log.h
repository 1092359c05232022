// BlockLog: the states of a leased device around the blocks of samples that it
// has taken (reports/result/device_state.h).
//
//   BlockLog log;
//   devices.Open(device, &log);
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

// A comparison can have thousands of blocks.
constexpr size_t kMaxBlocks = 128;

class BlockLog {
 public:
  // If there are too many blocks, neighbours are joined.
  void Add(const reports::BlockState& block);
  // Returns at most kMaxBlocks blocks, in the order of measurement, and forgets
  // them.
  std::vector<reports::BlockState> Take();

 private:
  std::vector<reports::BlockState> blocks_;
};

// Adds blocks to those of a row.
void Append(std::vector<reports::BlockState> blocks,
            std::vector<reports::BlockState>* all);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_BLOCK_LOG_H_
