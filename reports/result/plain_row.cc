#include "reports/result/plain_row.h"

#include <string>
#include <vector>

#include "runtime/base/plain_text.h"

namespace assay::reports {
namespace {

void Plain(std::string* text) { *text = PlainText(*text); }

void Plain(std::vector<std::string>* texts) {
  for (std::string& text : *texts) Plain(&text);
}

}  // namespace

void MakePlain(Row* row) {
  for (std::string* text :
       {&row->suite, &row->cell.model, &row->cell.device, &row->fingerprint,
        &row->board, &row->build.model_digest, &row->build.artifact_digest,
        &row->build.tuning_digest, &row->build.runtime_digest,
        &row->timing.policy, &row->reason, &row->reproduce}) {
    Plain(text);
  }
  for (KernelCode& kernel : row->build.code) {
    Plain(&kernel.symbol);
    Plain(&kernel.sources);
    Plain(&kernel.digest);
  }
  for (OperatorTime& op : row->timing.operators) {
    Plain(&op.kernel);
    Plain(&op.kind);
    Plain(&op.sources);
  }
  for (auto& [contender, conditions] : row->comparison.parity) {
    for (auto& [name, value] : conditions) Plain(&value);
  }
  if (!row->comparison.paired.has_value()) return;
  Plain(&row->comparison.paired->artifact_digest);
  Plain(&row->comparison.paired->nodes);
  if (!row->comparison.paired->attribution.has_value()) return;
  for (KernelChange& kernel : row->comparison.paired->attribution->kernels) {
    Plain(&kernel.sources);
    Plain(&kernel.base_kernels);
    Plain(&kernel.run_kernels);
    Plain(&kernel.cause);
    if (kernel.work.has_value()) Plain(&kernel.work->change);
  }
}

}  // namespace assay::reports
