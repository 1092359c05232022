// faulty_builder: a point_builder that misbehaves for some points, which are
// chosen by the text of their configurations. For tests of what asks it.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <limits>
#include <string>

#include "CLI/CLI.hpp"
#include "suites/tune/build/serve_builds.h"

int main(int argc, char** argv) {
  CLI::App app("Builds points, except some.", "faulty_builder");
  std::string crash, hang, garble;
  int64_t most = std::numeric_limits<int64_t>::max();
  app.add_option("--crash", crash, "die of SIGSEGV for this configuration");
  app.add_option("--hang", hang, "never answer for this configuration");
  app.add_option("--garble", garble, "write nonsense for this configuration");
  app.add_option("--most", most, "die of SIGKILL after this number of points");
  CLI11_PARSE(app, argc, argv);
  int64_t points = 0;
  assay::suites::PointCompiler compiler;
  assay::suites::ServeBuilds(
      std::cin, std::cout, [&](const assay::suites::BuildRequest& request) {
        const std::string config = request.choice.config.ToString();
        if (points++ == most) raise(SIGKILL);
        if (config == crash) {
          std::cerr << "a bug\n";
          signal(SIGSEGV, SIG_DFL);
          raise(SIGSEGV);
        }
        while (config == hang) pause();
        if (config == garble) std::cout << "nonsense\n";
        return compiler.Compile(request);
      });
}
