// bench_artifact: the only program that is copied to a board. See --help.

#include <unistd.h>

#include <iostream>

#include "runtime/tools/bench_main.h"

int main(int argc, char** argv) {
  const bool show_progress = isatty(STDERR_FILENO) != 0;
  return assay::runtime::BenchMain(argc, argv, show_progress, std::cout,
                                   std::cerr);
}
