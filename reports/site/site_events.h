// FindSiteEvents: the events (reports/history/events.h) of all cells of a
// store, found so that a night can be added to a long history in seconds.
//
// Small stores are analyzed as a whole, with the same result as
// AnalyzeHistory(). The runs of a large one are divided by date into blocks. A
// block is analyzed together with the nights shortly before it, which is enough
// for the test of shifts, so its events do not depend on later blocks. The
// events of a block that is complete are kept in the cache of the store.
// The levels of the machines of a large store are estimated from a part of its
// cells.
#ifndef ASSAY_REPORTS_SITE_SITE_EVENTS_H_
#define ASSAY_REPORTS_SITE_SITE_EVENTS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/site/site_event.h"
#include "reports/store/summary/store_summary.h"

namespace assay::reports {

struct SiteEventOptions {
  // Stores with at most so many rows are analyzed as a whole.
  int64_t rows_at_once = 300'000;
  int64_t block_days = 32;
  // Days before a block that are analyzed with it. The test of shifts needs 74
  // nights.
  int64_t days_before = 80;
  // The same for latencies of programs with a digest. A cell that was not
  // measured for longer has no event when it comes back.
  int64_t days_before_digest = 21;
};

struct SiteEvents {
  // By cell, an index into StoreSummary::cells(); of a cell in the order of the
  // runs.
  std::vector<std::vector<SiteEvent>> of_cell;
  std::map<std::string, std::vector<SiteMachineNight>> machines;
  // The texts of the events of each block, which many events share.
  std::vector<std::unique_ptr<std::deque<std::string>>> texts;
};

absl::StatusOr<SiteEvents> FindSiteEvents(const StoreSummary& store,
                                          const SiteEventOptions& options);

// Returns the day of a start time, counted from 1970; `otherwise` if it cannot
// be parsed.
int64_t DayOf(absl::string_view started_at, int64_t otherwise);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_SITE_EVENTS_H_
