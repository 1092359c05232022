// SiteEvent: an event (reports/history/events.h) of a cell of a store, and
// SiteMachineNight: what is known about a machine in a night.
//
// Runs are indices into StoreSummary::runs().
#ifndef ASSAY_REPORTS_SITE_SITE_EVENT_H_
#define ASSAY_REPORTS_SITE_SITE_EVENT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "reports/history/change.h"
#include "reports/history/series.h"
#include "reports/store/summary/row_summary.h"

namespace assay::reports {

// An event of a latency, of loading or of the reference runtime.
struct SiteEvent {
  uint32_t run = 0;         // first run after the change
  uint32_t run_before = 0;  // the run of the cell before it
  uint32_t found = 0;       // the run with which it was found
  Metric metric = Metric::kLatency;
  Causes causes;
  bool other_machine = false;
  bool shift = false;
  bool published = false;
  bool improved = false;  // side by side
  // Relative; NaN if unknown.
  float change = kNoValue;
  float lower = kNoValue;
  float upper = kNoValue;
  // They belong to the SiteEvents (site_events.h) of the event.
  absl::string_view what;
  absl::string_view reason;
};

// A night of a machine, of latencies.
struct SiteMachineNight {
  uint32_t run = 0;
  int64_t unchanged = 0;  // programs that are those of the night before
  double level = 0;       // logarithm, relative to the first night
  // The common movement since the night before, and the bounds of its interval,
  // relative; NaN if unknown.
  float movement = kNoValue;
  float lower = kNoValue;
  float upper = kNoValue;
  // Standard deviation of a night of an unchanged program around the common
  // movement, relative; NaN if unknown.
  float noise = kNoValue;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_SITE_EVENT_H_
