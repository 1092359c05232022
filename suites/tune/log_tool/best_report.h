// BestReport: the best points of a log, for people and for the compiler.
//
//   const BestReport report = MakeBestReport(log, {/*device=*/"", 0});
//   std::cout << BestTable(report);
//   const auto records = RecordsForCompiler(log.records, report);
#ifndef ASSAY_SUITES_TUNE_LOG_TOOL_BEST_REPORT_H_
#define ASSAY_SUITES_TUNE_LOG_TOOL_BEST_REPORT_H_

#include <string>
#include <vector>

#include "suites/tune/log/best_records.h"
#include "suites/tune/log/log_file.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// Which records are reported.
struct BestFilter {
  std::string device;  // a part of the fingerprint; empty for all devices
  int threads = 0;     // 0 for all numbers
};

// The tasks of one device, target and number of threads.
struct BestOfPlace {
  TuningPlace place;
  tune::CurrentTasks tasks;
  BestRecords best;
  std::vector<NetworkRecord> networks;  // in log order, without duplicates
};

struct BestReport {
  std::vector<BestOfPlace> places;   // in the order of TuningPlace
  std::vector<std::string> remarks;  // on records that are not reported
};

BestReport MakeBestReport(const Log& log, const BestFilter& filter);

// Returns a table for each place, with a row for each task: the point that was
// accepted, or else the point that came closest in a comparison, or else the
// fastest. Tasks are in decreasing order of the time of their default points.
// Below the table is a line for each comparison of a network, and below all
// tables are the remarks.
std::string BestTable(const BestReport& report);

// Returns a JSON array with an object for each task, which has the default
// point, the fastest point and the judged point, each with its samples or its
// ratio.
std::string BestJson(const BestReport& report);

// Returns the records that change what the compiler does, without duplicates
// and in the order of `records`: the comparisons of the accepted points, the
// records that contradict a comparison or say that a default point is wrong,
// and for each task a record that has the time of the default point, by which
// layouts are compared. With these records and BestOfPlace::networks,
// FindBestRecords() finds the same accepted points and the same `default_ns` as
// with all records.
std::vector<TuningRecord> RecordsForCompiler(
    const std::vector<TuningRecord>& records, const BestReport& report);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TOOL_BEST_REPORT_H_
