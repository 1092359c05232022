#include "suites/trace/trace_file.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/text/text_table.h"

namespace assay::suites {
namespace {

using Json = nlohmann::ordered_json;
using runtime::ChunkEvent;
using runtime::KernelTime;
using runtime::RunTrace;
using runtime::TextTable;

// Tracks of a run.
constexpr int kKernelTrack = 0;
constexpr int kFirstThreadTrack = 1;

double Micros(int64_t nanos) { return static_cast<double>(nanos) / 1e3; }

Json Name(const char* what, int process, int track, const std::string& name) {
  return {{"ph", "M"},
          {"name", what},
          {"pid", process},
          {"tid", track},
          {"args", {{"name", name}}}};
}

Json Event(int process, int track, const std::string& name, int64_t start,
           int64_t end) {
  return {{"ph", "X"},    {"name", name},        {"pid", process},
          {"tid", track}, {"ts", Micros(start)}, {"dur", Micros(end - start)}};
}

// Returns the index of the kernel that was running at `time`.
size_t KernelAt(const RunTrace& trace, int64_t time) {
  size_t i = 0;
  while (i + 1 < trace.kernels.size() && trace.kernels[i].end_nanos <= time) {
    ++i;
  }
  return i;
}

void AddRun(const TracedRun& run, int process, Json* events) {
  const RunTrace& trace = run.trace;
  CHECK_EQ(run.calls.size(), trace.kernels.size());
  events->push_back(Name("process_name", process, kKernelTrack, run.name));
  events->push_back(Name("thread_name", process, kKernelTrack, "kernels"));
  for (int thread = 0; thread < trace.threads; ++thread) {
    events->push_back(Name("thread_name", process, kFirstThreadTrack + thread,
                           absl::StrCat("thread ", thread)));
  }
  for (size_t i = 0; i < run.calls.size(); ++i) {
    Json event =
        Event(process, kKernelTrack, run.calls[i].symbol,
              trace.kernels[i].start_nanos, trace.kernels[i].end_nanos);
    event["args"] = {{"nodes", run.calls[i].sources},
                     {"flops", run.calls[i].flops},
                     {"bytes", run.calls[i].bytes}};
    events->push_back(std::move(event));
  }
  for (const ChunkEvent& chunk : trace.chunks) {
    if (trace.kernels.empty()) break;
    Json event = Event(process, kFirstThreadTrack + chunk.thread,
                       run.calls[KernelAt(trace, chunk.start_nanos)].symbol,
                       chunk.start_nanos, chunk.end_nanos);
    event["args"] = {{"begin", chunk.begin}, {"end", chunk.end}};
    events->push_back(std::move(event));
  }
}

int64_t TotalOf(const KernelTime& time) {
  return time.busy_nanos + time.start_nanos + time.end_nanos +
         time.serial_nanos;
}

double Percent(int64_t part, int64_t total) {
  return total == 0
             ? 0
             : 100 * static_cast<double>(part) / static_cast<double>(total);
}

std::string PercentText(int64_t part, int64_t total) {
  return absl::StrFormat("%.0f %%", Percent(part, total));
}

}  // namespace

std::string ChromeTrace(const std::vector<TracedRun>& runs) {
  Json events = Json::array();
  int process = 0;
  for (const TracedRun& run : runs) AddRun(run, ++process, &events);
  const Json trace = {{"displayTimeUnit", "ms"},
                      {"traceEvents", std::move(events)}};
  // Names of nodes may be invalid UTF-8.
  return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string TraceSummary(const TracedRun& run, int kernels) {
  const std::vector<KernelTime> times = runtime::KernelTimes(run.trace);
  CHECK_EQ(run.calls.size(), times.size());
  KernelTime sum;
  std::vector<size_t> order;
  for (size_t i = 0; i < times.size(); ++i) {
    sum.busy_nanos += times[i].busy_nanos;
    sum.start_nanos += times[i].start_nanos;
    sum.end_nanos += times[i].end_nanos;
    sum.serial_nanos += times[i].serial_nanos;
    order.push_back(i);
  }
  const int64_t total = TotalOf(sum);
  std::string text = absl::StrFormat(
      "%d thread%s, %.3g ms: %.1f %% busy, %.1f %% late, %.1f %% waiting, "
      "%.1f %% serial\n",
      run.trace.threads, run.trace.threads == 1 ? "" : "s",
      static_cast<double>(total) / std::max(run.trace.threads, 1) / 1e6,
      Percent(sum.busy_nanos, total), Percent(sum.start_nanos, total),
      Percent(sum.end_nanos, total), Percent(sum.serial_nanos, total));
  const auto lost = [&](size_t i) {
    return TotalOf(times[i]) - times[i].busy_nanos;
  };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_pair(-lost(a), a) < std::make_pair(-lost(b), b);
  });
  order.resize(std::min(order.size(), static_cast<size_t>(kernels)));
  if (order.empty()) return text;
  TextTable table({{"kernel"},
                   {"ms", TextTable::kRight},
                   {"busy", TextTable::kRight},
                   {"late", TextTable::kRight},
                   {"waiting", TextTable::kRight},
                   {"serial", TextTable::kRight},
                   {"nodes"}});
  for (const size_t i : order) {
    const KernelTime& time = times[i];
    const int64_t all = TotalOf(time);
    table.AddRow(
        {run.calls[i].symbol,
         absl::StrFormat("%.3f",
                         static_cast<double>(all) / run.trace.threads / 1e6),
         PercentText(time.busy_nanos, all), PercentText(time.start_nanos, all),
         PercentText(time.end_nanos, all), PercentText(time.serial_nanos, all),
         absl::StrJoin(run.calls[i].sources, " ")});
  }
  return absl::StrCat(text, table.ToString());
}

absl::Status TraceFile::Add(TracedRun run) {
  const absl::MutexLock lock(&mutex_);
  runs_.push_back(std::move(run));
  return WriteFileAtomic(path_, ChromeTrace(runs_));
}

}  // namespace assay::suites
