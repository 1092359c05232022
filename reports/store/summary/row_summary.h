// RowSummary: what the history of a cell needs of a row, in 64 bytes.
//
// Texts are numbers that a Texts (texts.h) knows. Equal numbers mean equal
// texts, so whether two nights measured the same program on the same machine in
// the same way is found by comparing three numbers. The texts are JSON:
//
//   cell     ["suite","model","device",threads,{"fusion":"on","tuning":"none"}]
//   program  ["model digest","artifact digest",[["symbol","code digest"],...]]
//   method   ["runtime digest","timing policy",{parity}]
//   machine  ["fingerprint","board"]
//
// A StoreSummary (store_summary.h) replaces the number of the cell by an index
// into its cells. A value that does not exist is NaN.
#ifndef ASSAY_REPORTS_STORE_SUMMARY_ROW_SUMMARY_H_
#define ASSAY_REPORTS_STORE_SUMMARY_ROW_SUMMARY_H_

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "reports/result/run_result.h"

namespace assay::reports {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
// Confidence level of the interval of a night.
constexpr double kNightLevel = 0.99;

struct RowSummary {
  enum Flag : uint8_t {
    kTimed = 1,
    kEmulated = 2,
    kThrottled = 4,  // the device was throttled around a block of samples
    kDisturbed = 8,  // something made the samples doubtful
  };

  // Where the record is: the byte in the segment, and the number of the segment
  // in the list of segments.
  int64_t offset = 0;
  uint32_t segment = 0;
  uint32_t run = 0;  // index into the list of runs
  uint32_t cell = 0;
  uint32_t program = 0;
  uint32_t method = 0;
  uint32_t machine = 0;
  // Median, the bounds of its 99 % sign interval, and the 99th percentile of
  // the samples, in milliseconds. The bounds are NaN if there are too few.
  float median = kNoValue;
  float lower = kNoValue;
  float upper = kNoValue;
  float p99 = kNoValue;
  float load = kNoValue;       // milliseconds
  float reference = kNoValue;  // median of the reference runtime, milliseconds
  float memory = kNoValue;     // size of the arena, bytes
  uint8_t verdict = 0;         // a stats::Verdict
  uint8_t flags = 0;
  // The highest temperature in degrees Celsius; 0 if unknown.
  uint8_t temperature = 0;
  uint8_t unused = 0;

  bool Has(Flag flag) const { return (flags & flag) != 0; }
  // True if the row is a night of the history: timed on a real machine.
  bool IsNight() const { return Has(kTimed) && !Has(kEmulated); }
};
// The cache has these bytes.
static_assert(sizeof(RowSummary) == 64);
static_assert(std::is_trivially_copyable_v<RowSummary>);

// A row that was compared side by side with another artifact.
struct ComparisonSummary {
  uint32_t row = 0;   // index into the rows of the same RunSummary
  uint32_t base = 0;  // the digest of the other artifact, a text
  float change = 0;   // relative, with the bounds of its interval
  float lower = 0;
  float upper = 0;
};
static_assert(sizeof(ComparisonSummary) == 20);

// The mean time of one kernel call of a row. Of a row with many kernels, only
// the slowest kKernelsOfRow have their own; the rest is named `others`.
struct KernelSummary {
  uint32_t row = 0;   // index into the rows of the same RunSummary
  uint32_t name = 0;  // a text: nodes of the model, or the kind
  uint32_t kind = 0;  // a text: fused operators
  float ms = 0;
};
static_assert(sizeof(KernelSummary) == 16);
constexpr size_t kKernelsOfRow = 24;

// The rows of one run in one segment.
struct RunSummary {
  std::string run;  // Record::run
  // The run without its rows.
  RunResult header;
  std::vector<RowSummary> rows;  // in the order in which they were completed
  std::vector<ComparisonSummary> comparisons;
  std::vector<KernelSummary> kernels;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_SUMMARY_ROW_SUMMARY_H_
