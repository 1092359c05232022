#include "suites/devices/block_log.h"

#include <utility>

namespace assay::suites {
namespace {

void JoinNeighbours(std::vector<reports::BlockState>* blocks) {
  std::vector<reports::BlockState> joined;
  for (size_t i = 0; i < blocks->size(); i += 2) {
    joined.push_back(i + 1 < blocks->size()
                         ? reports::Join((*blocks)[i], (*blocks)[i + 1])
                         : (*blocks)[i]);
  }
  *blocks = std::move(joined);
}

}  // namespace

void BlockLog::Add(const reports::BlockState& block) {
  Append({block}, &blocks_);
}

std::vector<reports::BlockState> BlockLog::Take() {
  return std::exchange(blocks_, {});
}

void Append(std::vector<reports::BlockState> blocks,
            std::vector<reports::BlockState>* all) {
  all->insert(all->end(), blocks.begin(), blocks.end());
  while (all->size() > kMaxBlocks) JoinNeighbours(all);
}

}  // namespace assay::suites
