// point_builder: builds points for the tuner (serve_builds.h), which starts
// this program and survives it (build_pool.h).
#include <iostream>

#include "suites/tune/build/serve_builds.h"

int main() {
  assay::suites::PointCompiler compiler;
  assay::suites::ServeBuilds(std::cin, std::cout,
                             [&](const assay::suites::BuildRequest& request) {
                               return compiler.Compile(request);
                             });
}
