// Sample: the synthetic history that the files of a sample site describe.
#ifndef ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_H_
#define ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_H_

#include <string>

#include "nlohmann/json.hpp"

namespace assay::reports::site {

using Json = nlohmann::ordered_json;

// The name of a model that tries to inject a script. It is also part of the
// reasons, commits and bisections of the sample.
constexpr char kHostileName[] =
    "</script><script>window.hostile=1</script>\"'><img src=x "
    "onerror=window.hostile=1>&amp;";

struct SampleSize {
  int cells = 240;
  int nights = 120;
  // Number of cells that have files; the others are only in the front page and
  // the runs.
  int cell_files = 240;
  // Number of newest runs that have files.
  int run_files = 120;
};

// Indexes into SampleStatuses().
enum StatusIndex : int {
  kWrong,
  kFailed,
  kRegressed,
  kNotRun,
  kInconclusive,
  kNoBaseline,
  kImproved,
  kEquivalent,
  kPass,
};

// The member `statuses` of the front page.
Json SampleStatuses();

// The cells have the IDs 0, 1, ...:
//   - cell 0 (resnet18) regressed and was bisected; its program changed after
//     two thirds of the nights, and the machine after one half;
//   - cell 1 has a wrong output, cell 2 failed and was never timed, cell 3
//     improved, and cell 4 is called kHostileName;
//   - cells 8 * n to 8 * n + 7 have the same model and device.
class Sample {
 public:
  explicit Sample(const SampleSize& size) : size_(size) {}

  std::string Model(int cell) const;
  std::string Device(int cell) const;
  std::string Suite(int cell) const;
  // The variant as people read it: `fusion on, tuned`.
  std::string VariantText(int cell) const;
  // The name in a store: `full/resnet18/host/fusion_on/threads_1`.
  std::string Name(int cell) const;
  int Threads(int cell) const { return cell % 2 == 0 ? 1 : 2; }
  // A StatusIndex.
  int Status(int cell) const;
  bool IsTimed(int cell) const { return cell != 2; }
  // The night in which the program of a cell changed.
  int Step(int cell) const;
  // The relative change of the time in that night.
  double Change(int cell) const;
  // Milliseconds.
  double Median(int cell, int night) const;

  const SampleSize& size() const { return size_; }

 private:
  SampleSize size_;
};

// The commit of a night, 40 hexadecimal digits.
std::string SampleCommit(int night);

// The time of a night, for example `2024-03-01T01:30:00Z`.
std::string NightTime(int night);

// Rounds to four significant digits.
double Rounded(double value);

}  // namespace assay::reports::site

#endif  // ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_H_
