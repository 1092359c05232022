// bench_artifact: the only program that is copied to a board. See --help.

#include <alloca.h>
#include <unistd.h>

#include <iostream>
#include <variant>

#include "runtime/process/address_space.h"
#include "runtime/tools/bench_flags.h"
#include "runtime/tools/bench_main.h"

int main(int argc, char** argv) {
  const auto flags = assay::runtime::ParseBenchFlags(argc, argv);
  const auto* bench = std::get_if<assay::runtime::BenchFlags>(&flags);
  if (bench != nullptr && bench->placement_seed != 0) {
    void* stack =
        alloca(assay::runtime::DrawAddressSpace(bench->placement_seed, argv));
    asm volatile("" : : "r"(stack) : "memory");  // keeps the allocation
  }
  const bool show_progress = isatty(STDERR_FILENO) != 0;
  return assay::runtime::BenchMain(argc, argv, show_progress, std::cout,
                                   std::cerr);
}
