// BlockDesign: in which order the arms of a comparison are measured.
//
// An arm is one of the programs that are compared. In a round each arm is
// measured once; a block is a few rounds in which every arm comes at every
// place equally often, so that whatever drifts over a block (heat, clock rate,
// a neighbour that fades) adds the same to each:
//   two arms    A B, B A
//   even        a Latin square in which also every arm directly follows every
//               other equally often, so that what an arm leaves behind (caches,
//               heat) is shared out too
//   odd         such a square and its mirror image, since one alone cannot be
//               balanced for followers
// Which program plays which part, and in which order the rounds come, is drawn
// anew for each block. That draw is what the statistics rest on: if two arms
// are the same program, each is as likely to come out ahead, however correlated
// the noise is.
//
// Source: Williams, "Experimental designs balanced for the estimation of
// residual effects of treatments", Australian Journal of Scientific Research A
// 2, 1949.
#ifndef ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_
#define ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_

#include <cstdint>
#include <vector>

namespace assay::stats {

// Rounds of a block: 2 for two arms, `arms` for an even number, twice as many
// for an odd one, 1 for a single arm.
int RoundsPerBlock(int arms);

// The rounds of block number `block`, each a permutation of 0 .. arms-1. The
// same arguments give the same rounds; `arms` is at least 1.
std::vector<std::vector<int>> BlockDesign(int arms, uint64_t seed,
                                          int64_t block);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_
