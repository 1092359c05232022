#include "runtime/measure/run_trace.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::runtime {
namespace {

TEST(RunTraceTest, KernelsAndChunksAreInOrder) {
  const Artifact artifact = TestArtifact();
  for (const int threads : {1, 3}) {
    TraceOptions options;
    options.threads = threads;
    const auto trace = TraceRun(artifact, SeededInputs(artifact, 1), options);
    ASSERT_TRUE(trace.ok()) << trace.status();
    EXPECT_EQ(trace->threads, threads);
    ASSERT_EQ(trace->kernels.size(), artifact.calls.size());
    int64_t last = 0;
    for (const RunTrace::Kernel& kernel : trace->kernels) {
      EXPECT_EQ(kernel.start_nanos, last);
      EXPECT_GT(kernel.end_nanos, kernel.start_nanos);
      last = kernel.end_nanos;
    }
    ASSERT_FALSE(trace->chunks.empty());
    for (size_t i = 0; i < trace->chunks.size(); ++i) {
      const ChunkEvent& chunk = trace->chunks[i];
      EXPECT_LT(chunk.begin, chunk.end);
      EXPECT_LE(chunk.start_nanos, chunk.end_nanos);
      EXPECT_GE(chunk.start_nanos, 0);
      EXPECT_LE(chunk.end_nanos, last);
      EXPECT_TRUE(chunk.thread >= 0 && chunk.thread < threads);
      if (i == 0 || trace->chunks[i - 1].thread != chunk.thread) continue;
      EXPECT_LE(trace->chunks[i - 1].end_nanos, chunk.start_nanos);
    }
    int64_t sum = 0;
    for (const KernelTime& time : KernelTimes(*trace)) {
      for (const int64_t part : {time.busy_nanos, time.start_nanos,
                                 time.end_nanos, time.serial_nanos}) {
        EXPECT_GE(part, 0);
        sum += part;
      }
    }
    EXPECT_EQ(sum, threads * last);
  }
}

// Two threads in a kernel of 100 ns:
//   thread 0: serial 10, chunk 10..40, chunk 40..70, waits until 90
//   thread 1: chunk 20..90
//   both: serial until 100
TEST(RunTraceTest, TimesOfAKernel) {
  RunTrace trace;
  trace.threads = 2;
  trace.kernels = {{0, 100}, {100, 150}, {150, 190}};
  trace.chunks = {{0, 7, 0, 1, 10, 40},
                  {0, 7, 1, 2, 40, 70},
                  {0, 0, 0, 1, 110, 120},
                  {0, 0, 0, 1, 130, 145},
                  {1, 7, 2, 3, 20, 90}};
  const std::vector<KernelTime> times = KernelTimes(trace);
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(times[0].busy_nanos, 60 + 70);
  EXPECT_EQ(times[0].start_nanos, 10);
  EXPECT_EQ(times[0].end_nanos, 20);
  EXPECT_EQ(times[0].serial_nanos, 2 * 20);
  // Loops of a single chunk: the other thread has nothing to do.
  EXPECT_EQ(times[1].busy_nanos, 10 + 15);
  EXPECT_EQ(times[1].start_nanos, 10 + 15);
  EXPECT_EQ(times[1].serial_nanos, 2 * 25);
  // Without loops.
  EXPECT_EQ(times[2].serial_nanos, 2 * 40);
}

TEST(RunTraceTest, Errors) {
  const Artifact artifact = TestArtifact();
  EXPECT_EQ(TraceRun(artifact, {}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  Artifact other = artifact;
  other.code_kind = "bytecode";
  EXPECT_EQ(TraceRun(other, SeededInputs(artifact, 1), {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace assay::runtime
