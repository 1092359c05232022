// SiteModel: what the site says about the cells of a store, independent of its
// files: the cells by their IDs, with status, events and decisions, and what
// needs attention.
//
// A cell needs attention if, within the newest kAttentionNights runs,
//   - a slow-down of it was published, its newest median is still at least half
//     as much slower than before, and nobody acknowledged the level; or if
//   - its newest result is a wrong output or a failure, unless it is ignored.
// The status of a cell is the verdict of its newest row, or `not_run` if the
// newest run of its suite on its device does not have it.
#ifndef ASSAY_REPORTS_SITE_SITE_MODEL_H_
#define ASSAY_REPORTS_SITE_SITE_MODEL_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "nlohmann/json.hpp"
#include "reports/page/status.h"
#include "reports/site/site_events.h"
#include "reports/store/acknowledgement.h"
#include "reports/store/summary/store_summary.h"

namespace assay::reports {

constexpr uint32_t kAttentionNights = 30;

// A report of //ci:bisect.
struct SiteBisection {
  std::string name;  // consists of letters, digits, `.`, `_` and `-`
  nlohmann::ordered_json report;
};

struct SiteInput {
  const StoreSummary* store = nullptr;
  std::string store_name;
  std::vector<Acknowledgement> acknowledgements;
  std::vector<SiteBisection> bisections;
  absl::Time now;
};

struct SiteCell {
  std::string name;  // CellNameOf()
  // Null if the store no longer has the cell; then the rest is empty.
  const SummarizedCell* cell = nullptr;
  const std::vector<SiteEvent>* events = nullptr;
  const RowSummary* newest = nullptr;
  const RowSummary* newest_night = nullptr;  // null if it was never timed
  const Status* status = nullptr;
  std::string fingerprint;                     // of the newest row
  absl::Span<const RowSummary* const> nights;  // SummarizedCell::nights
  // The run of the newest published event; -1 if there is none.
  int64_t published = -1;
  // The acknowledgement that silences the cell; -1 if none does.
  int64_t silenced = -1;
};

struct SiteModel {
  const SiteInput* input = nullptr;
  SiteEvents events;
  std::vector<SiteCell> cells;        // by ID
  std::map<std::string, size_t> ids;  // by name
  std::vector<size_t> id_of;          // by index into StoreSummary::cells()
  // IDs, most severe first.
  std::vector<size_t> attention;
  std::vector<size_t> improvements;

  const StoreSummary& store() const { return *input->store; }
  const std::vector<SummarizedRun>& runs() const {
    return input->store->runs();
  }
};

// Makes the model. `known` has the names of the cells that have IDs already, by
// ID; new cells get the next ones. `input` must outlive the model.
absl::StatusOr<SiteModel> MakeSiteModel(const SiteInput& input,
                                        std::vector<std::string> known,
                                        const SiteEventOptions& options);

// Returns the number of a status in Statuses(), which data files have.
int64_t StatusNumber(const Status& status);
// Returns the status of a row.
const Status& StatusOfRow(const RowSummary& row);

// Returns the first 12 digits of a commit; empty if it is no commit.
std::string CommitKey(const std::string& commit);

// Returns the name of a metric in data files.
absl::string_view SiteMetricName(Metric metric);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_SITE_MODEL_H_
