// CellScript and TailScript: the files of the cells.
//
// The history of a cell is divided at a run: data/cells/ID.js has the older
// nights, which do not change any more, and data/tails/GROUP.js the newest 32
// to 63 runs of the kTailCells cells of a group, with everything else that is
// known about them. So a new night changes the files of tails, and the boundary
// of one cell in 32 moves: TailBegin() spreads the cells over the nights.
#ifndef ASSAY_REPORTS_SITE_CELL_DATA_H_
#define ASSAY_REPORTS_SITE_CELL_DATA_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/site/site_model.h"

namespace assay::reports {

constexpr size_t kTailCells = 100;
constexpr uint32_t kTailRuns = 32;
// The number of kernels that have their own line, and of the newest runs whose
// kernels a file has.
constexpr size_t kShownKernels = 12;
constexpr size_t kKernelRuns = 200;

// Returns the first run of the tail of a cell, if there are `runs` runs.
uint32_t TailBegin(size_t id, uint32_t runs);

// The facts about other cells that the files of a cell contain.
struct CellRelations {
  // IDs by model and device.
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> siblings;
  // Names of bisections by ID.
  std::map<size_t, std::vector<std::string>> bisections;
};
CellRelations RelationsOf(const SiteModel& model);

// These functions may be called by several threads at the same time.
absl::StatusOr<std::string> CellScript(const SiteModel& model, size_t id);
absl::StatusOr<std::string> TailScript(const SiteModel& model,
                                       const CellRelations& relations,
                                       size_t group);

// Returns a digest of what CellScript() depends on. `so_far` has a digest of
// the runs before each run.
std::string CellFileKey(const SiteModel& model, size_t id,
                        const std::vector<std::string>& so_far);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_CELL_DATA_H_
