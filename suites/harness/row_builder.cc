#include "suites/harness/row_builder.h"

#include "suites/harness/flags/timing_flags.h"
#include "suites/harness/reproduce.h"

namespace assay::suites {

reports::Row RowBuilder::Build(const CellResults& cell, const DeviceSlot& slot,
                               const std::string& model_digest) const {
  reports::Row row;
  row.suite = source_.suite;
  row.cell = cell.key();
  row.emulated = slot.facts.emulated;
  row.fingerprint = slot.facts.fingerprint;
  row.board = cell.board;
  row.build.model_digest = model_digest;
  if (cell.compiled.has_value()) row.build = cell.compiled->build;
  row.build.runtime_digest = slot.runtime_digest;
  if (cell.checked.has_value()) row.correctness = cell.checked->correctness;
  if (cell.timed.has_value()) row.timing = cell.timed->timing;
  row.timing.policy =
      PolicyText(TimingFor(options_.timing, slot.device), options_.timing.seed);
  row.comparison = cell.judged.comparison;
  row.verdict = cell.judged.judgement.verdict;
  row.reason = cell.judged.judgement.reason;
  row.reproduce = Reproduce(row.cell, slot);
  if (!HasTimes(row.verdict)) {
    row.timing.samples_ns.clear();
    row.timing.blocks.clear();
    row.timing.load_ms.reset();
    row.timing.peak_rss_bytes.reset();
  }
  return row;
}

std::string RowBuilder::Reproduce(const reports::CellKey& cell,
                                  const DeviceSlot& slot) const {
  return ReproduceCommand(source_, options_, slot.flag, cell.variant,
                          cell.threads,
                          TimingFor(options_.timing, slot.device));
}

}  // namespace assay::suites
