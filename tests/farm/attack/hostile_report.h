// HostileReport: what hostile messages have done to the programs of a farm
// (hostile_run.h).
#ifndef ASSAY_TESTS_FARM_ATTACK_HOSTILE_REPORT_H_
#define ASSAY_TESTS_FARM_ATTACK_HOSTILE_REPORT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/farm/attack/process_usage.h"

namespace assay {

// What happened to the messages of a kind.
struct HostileTally {
  std::map<std::string, int64_t> statuses = {};
  double seconds = 0;        // of all of them
  double longest_s = 0;      // until an answer
  std::string slowest = {};  // the method of this answer

  int64_t messages() const;
  double MeanMs() const;
  void Add(const std::string& status, double answer_s,
           const std::string& method);
  void Add(const HostileTally& other);
};

struct HostileReport {
  // By program and kind.
  std::map<std::string, std::map<std::string, HostileTally>> tallies;
  std::map<std::string, ProcessUsage> most;  // by program
  double longest_answer_s = 0;               // to the honest user
  std::vector<std::string> problems;         // the first ones of each kind

  bool ok() const { return problems.empty(); }
  // Two tables, the longest answer, and a line for each problem.
  std::string Text() const;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_HOSTILE_REPORT_H_
