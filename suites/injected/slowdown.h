// Slowdowns(): changes of a suite's flags that make a network slower, as a bad
// commit does. For each change it is known to which nodes of the network the
// comparison must attribute it, and to which stage of the compiler.
//
// The kinds of changes:
//   fused_convolution  The register tile of a convolution with the operators
//                      after it has only one or two pixels of a row. These are
//                      too few independent sums to hide the latency of FMA
//                      instructions.
//   depthwise          Depthwise convolutions compute most pixels twice: a
//                      register tile is one pixel narrower than a row, so each
//                      row needs two tiles, and these overlap. Several kernels
//                      are changed together, because each takes a small part
//                      of the time of a network.
//   matrix_product     Convolutions with 1x1 filters, which are products of
//                      matrices, have the tiles of fused_convolution.
//   layout             The convolutions of a network stay in NCHW, or
//                      fast algorithms must have a tenth of the error.
//   graph_pass         A graph pass that makes the network faster is left out.
// The last two change the whole network. Kernels that compute the same nodes
// then do different parts of the work, so only the verdict has to be right.
//
// The schedules are those of an x86-64 processor with AVX-512. With shorter
// vectors, the compiler may reject a configuration, or the cost model may
// choose another implementation.
#ifndef ASSAY_SUITES_INJECTED_SLOWDOWN_H_
#define ASSAY_SUITES_INJECTED_SLOWDOWN_H_

#include <string>
#include <vector>

namespace assay::suites {

struct Slowdown {
  std::string kind;
  // Name of a suite, followed by the flags that select one of its models, for
  // example `mobilenet --variant=v2`.
  std::string suite;
  // The flags that make the network slower, separated by spaces.
  std::string flags;
  // Names of the nodes whose kernels become slower, separated by spaces. Empty
  // if the whole network changes.
  std::string nodes;
  // The stage of the compiler that the flags change, named as in
  // reports::KernelChange::cause: `schedule` or `graph pass NAME`.
  std::string stage;
};

std::vector<Slowdown> Slowdowns();

// Returns the kinds, each once, in the order of Slowdowns().
std::vector<std::string> SlowdownKinds();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_INJECTED_SLOWDOWN_H_
