// BlockDesign: the order in which the contenders of a comparison are measured.
//
// A contender is one of the programs that are compared. A round measures each
// contender once. A block consists of a few rounds in which every contender
// takes every position equally often. Therefore a linear drift within the block
// (heat, clock rate, background load) affects all contenders equally.
//
// The rounds of a block of n contenders are
//   n = 2   A B and B A.
//   even n  the rows of a Latin square. In addition, every contender directly
//           follows every other contender equally often. This balances
//           carry-over effects, for example of caches and heat.
//   odd n   the rows of a Latin square and of its mirror image, because a
//           single square cannot balance carry-over effects.
// For each block, two things are randomised: which program has which letter
// (A, B, …), and the order of the rounds. The tests are valid because of this
// randomisation. If two contenders are the same program, each of them is
// equally likely to be faster, even if the noise is autocorrelated.
//
// Source: Williams, "Experimental designs balanced for the estimation of
// residual effects of treatments", Australian Journal of Scientific Research A
// 2, 1949.
#ifndef ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_
#define ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_

#include <cstdint>
#include <vector>

namespace assay::stats {

// Returns the number of rounds of a block of n contenders. It is 1 if n = 1, n
// if n is even, and 2n for all other n.
int RoundsPerBlock(int contenders);

// Returns the rounds of the block with the sequence number `block`. Each round
// is a list of the numbers 0 .. contenders-1 in the order in which the
// contenders are measured. The result is a deterministic function of the
// arguments. Requires contenders >= 1.
std::vector<std::vector<int>> BlockDesign(int contenders, uint64_t seed,
                                          int64_t block);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_BLOCK_DESIGN_H_
