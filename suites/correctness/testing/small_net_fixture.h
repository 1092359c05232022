// SmallNetFixture: a test fixture that compiles, checks and times a small
// network with the harness. A test changes the artifact or replaces the runner,
// to find out whether the harness rejects the program.
#ifndef ASSAY_SUITES_CORRECTNESS_TESTING_SMALL_NET_FIXTURE_H_
#define ASSAY_SUITES_CORRECTNESS_TESTING_SMALL_NET_FIXTURE_H_

#include <functional>
#include <memory>
#include <optional>

#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/file.h"
#include "runtime/measure/session.h"
#include "suites/correctness/oracle.h"
#include "suites/harness/run.h"

namespace assay::suites {

// Changes an artifact after its compilation. May be null.
using ArtifactChange = std::function<void(runtime::Artifact&)>;
using RunnerFactory = std::function<std::unique_ptr<runtime::Runner>()>;

class SmallNetFixture : public ::testing::Test {
 protected:
  SmallNetFixture();

  // Runs the suite on the network, with eight samples.
  Outcome RunNet(const ArtifactChange& change,
                 const RunnerFactory& make_runner);

  // Expects exit code 0 and the times of all samples.
  static void ExpectAccepted(const Outcome& outcome);
  // Expects exit code 4, a reason, and no times.
  static void ExpectRejected(const Outcome& outcome);

 private:
  const TempDir dir_;
  InterpreterOracle oracle_;
  // The network is compiled in the first run.
  std::optional<runtime::Artifact> artifact_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_TESTING_SMALL_NET_FIXTURE_H_
