// FaultTable: what was done to a farm, and whether what must hold held.
#ifndef ASSAY_TESTS_FARM_CHAOS_TOOLS_FAULT_TABLE_H_
#define ASSAY_TESTS_FARM_CHAOS_TOOLS_FAULT_TABLE_H_

#include <string>
#include <vector>

namespace assay {

struct FaultRow {
  std::string fault = {};
  std::string times = {};    // how often
  std::string counted = {};  // the counts that decide
  bool holds = false;
};

// Returns a table with a line for each row.
std::string FaultTable(const std::vector<FaultRow>& rows);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_TOOLS_FAULT_TABLE_H_
