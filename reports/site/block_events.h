// BlockEvents: the events of a block of runs (site_events.h), and the text as
// which they are kept in the cache of a store.
#ifndef ASSAY_REPORTS_SITE_BLOCK_EVENTS_H_
#define ASSAY_REPORTS_SITE_BLOCK_EVENTS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "reports/site/site_event.h"
#include "reports/store/summary/store_summary.h"

namespace assay::reports {

struct BlockEvents {
  // With their cells, indices into StoreSummary::cells().
  std::vector<std::pair<size_t, SiteEvent>> events;
  std::deque<std::string> texts;  // of the events
  // Levels are relative to the machine's last night before the block.
  std::map<std::string, std::vector<SiteMachineNight>> machines;
};

// Returns the text of a block that begins with the run `first`.
std::string FormatBlock(const BlockEvents& block, const StoreSummary& store,
                        uint32_t first);

// Parses the text of a block that begins with the run `first`. `cells` has the
// indices of the cells by name. Returns nullopt if the text is damaged, or is
// about cells that are gone.
std::optional<BlockEvents> ParseBlock(
    const std::string& text, uint32_t first,
    const absl::flat_hash_map<std::string, size_t>& cells);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_BLOCK_EVENTS_H_
