// BlockDesign: the order in which the contenders of a comparison are measured.
//
// A contender is one of the programs that are compared. A round measures each
// contender once. A block consists of a few rounds in which every contender
// takes every position equally often, so a linear drift within the block (heat,
// clock rate, background load) affects all contenders equally:
//   two     A B, B A
//   even n  a Latin square in which, in addition, every contender directly
//           follows every other one equally often. This balances carry-over
//           effects, for example of caches and heat.
//   odd n   a Latin square and its mirror image; a single square cannot balance
//           carry-over effects.
// The assignment of programs to the labels of the square and the order of the
// rounds are randomised for each block. The validity of the tests rests on this
// randomisation: if two contenders are the same program, each is equally likely
// to be the faster one, whatever the autocorrelation of the noise.
//
// Source: Williams, "Experimental designs balanced for the estimation of
// residual effects of treatments", Australian Journal of Scientific Research A
// 2, 1949.
#ifndef ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_
#define ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_

#include <cstdint>
#include <vector>

namespace assay::stats {

// The number of rounds of a block: n for an even number n of contenders, 2n for
// an odd one, and 1 for a single contender.
int RoundsPerBlock(int contenders);

// The rounds of block number `block`, each a permutation of 0 .. contenders-1,
// as a deterministic function of the arguments. Requires contenders >= 1.
std::vector<std::vector<int>> BlockDesign(int contenders, uint64_t seed,
                                          int64_t block);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_
