#include "tests/farm/attack/hostile_report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/text/text_table.h"

namespace assay {

int64_t HostileTally::messages() const {
  int64_t sum = 0;
  for (const auto& [status, count] : statuses) sum += count;
  return sum;
}

double HostileTally::MeanMs() const {
  return 1e3 * seconds / static_cast<double>(std::max<int64_t>(messages(), 1));
}

void HostileTally::Add(const std::string& status, double answer_s,
                       const std::string& method) {
  ++statuses[status];
  seconds += answer_s;
  if (answer_s <= longest_s) return;
  longest_s = answer_s;
  slowest = method;
}

void HostileTally::Add(const HostileTally& other) {
  for (const auto& [status, count] : other.statuses) statuses[status] += count;
  seconds += other.seconds;
  if (other.longest_s <= longest_s) return;
  longest_s = other.longest_s;
  slowest = other.slowest;
}

std::string HostileReport::Text() const {
  using runtime::TextTable;
  TextTable kinds({{"program"},
                   {"kind"},
                   {"messages", TextTable::kRight},
                   {"mean ms", TextTable::kRight},
                   {"longest ms", TextTable::kRight},
                   {"of"},
                   {"statuses"}});
  for (const auto& [program, of_program] : tallies) {
    HostileTally all;
    for (const auto& [kind, tally] : of_program) {
      std::string text;
      for (const auto& [status, count] : tally.statuses) {
        absl::StrAppend(&text, text.empty() ? "" : ", ", status, " ", count);
      }
      kinds.AddRow({program, kind, absl::StrCat(tally.messages()),
                    absl::StrFormat("%.1f", tally.MeanMs()),
                    absl::StrFormat("%.0f", 1e3 * tally.longest_s),
                    tally.slowest, text});
      all.Add(tally);
    }
    kinds.AddRow({program, "all", absl::StrCat(all.messages()),
                  absl::StrFormat("%.1f", all.MeanMs()),
                  absl::StrFormat("%.0f", 1e3 * all.longest_s), all.slowest,
                  ""});
  }
  TextTable programs({{"program"},
                      {"most MiB", TextTable::kRight},
                      {"open files", TextTable::kRight},
                      {"threads", TextTable::kRight}});
  for (const auto& [program, usage] : most) {
    programs.AddRow({program, absl::StrCat(usage.memory_bytes >> 20),
                     absl::StrCat(usage.files), absl::StrCat(usage.threads)});
  }
  std::string text =
      absl::StrCat(kinds.ToString(), "\n", programs.ToString(), "\n",
                   absl::StrFormat("longest answer to an honest user: %.2f s\n",
                                   longest_answer_s));
  for (const std::string& problem : problems) {
    absl::StrAppend(&text, "PROBLEM: ", problem, "\n");
  }
  return text;
}

}  // namespace assay
