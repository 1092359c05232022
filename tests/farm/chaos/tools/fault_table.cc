#include "tests/farm/chaos/tools/fault_table.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace assay {

std::string FaultTable(const std::vector<FaultRow>& rows) {
  size_t fault = 5, times = 5;
  for (const FaultRow& row : rows) {
    fault = std::max(fault, row.fault.size());
    times = std::max(times, row.times.size());
  }
  std::string table;
  const auto add = [&](const std::string& holds, const FaultRow& row) {
    absl::StrAppendFormat(&table, "%-5s  %-*s  %-*s  %s\n", holds,
                          static_cast<int>(fault), row.fault,
                          static_cast<int>(times), row.times, row.counted);
  };
  add("holds", {"fault", "times", "counted"});
  for (const FaultRow& row : rows) add(row.holds ? "yes" : "NO", row);
  return table;
}

}  // namespace assay
