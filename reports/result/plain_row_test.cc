#include "reports/result/plain_row.h"

#include <string>

#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

const std::string kName = "net\x1b[2J\n\xff";
const std::string kPlain = "net\\x1b[2J\\n\\xff";

TEST(PlainRowTest, EveryTextOfARowIsPlain) {
  Row row;
  row.suite = row.cell.model = row.cell.device = row.board = kName;
  row.reason = row.reproduce = row.fingerprint = kName;
  row.timing.operators.resize(1);
  row.timing.operators[0].kernel = row.timing.operators[0].kind = kName;
  row.timing.operators[0].sources = {"conv", kName};
  row.comparison.parity["ours"]["threads"] = kName;
  PairedComparison& paired = row.comparison.paired.emplace();
  KernelChange& kernel = paired.attribution.emplace().kernels.emplace_back();
  kernel.sources = kernel.base_kernels = kernel.run_kernels = {kName};
  MakePlain(&row);
  for (const std::string& text :
       {row.suite, row.cell.model, row.cell.device, row.board, row.reason,
        row.reproduce, row.fingerprint, row.timing.operators[0].kernel,
        row.timing.operators[0].kind, row.timing.operators[0].sources[1],
        row.comparison.parity["ours"]["threads"],
        row.comparison.paired->attribution->kernels[0].sources[0],
        row.comparison.paired->attribution->kernels[0].base_kernels[0],
        row.comparison.paired->attribution->kernels[0].run_kernels[0]}) {
    EXPECT_EQ(text, kPlain);
  }
}

TEST(PlainRowTest, PlainRowsDoNotChange) {
  for (Row row : SampleResult().rows) {
    const Row before = row;
    MakePlain(&row);
    EXPECT_TRUE(row == before);
  }
}

}  // namespace
}  // namespace assay::reports
