#include "tests/farm/chaos/tools/user_log.h"

#include <set>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"
#include "runtime/base/file.h"

namespace assay {
namespace {

using Kind = UserEvent::Kind;

// A user can still write a line after a fault that it has not noticed.
constexpr int64_t kLineNanos = 500'000'000;

// Returns the lines that are complete.
std::vector<std::string> Lines(const std::string& path) {
  std::vector<std::string> lines =
      absl::StrSplit(ReadFile(path).value_or(""), '\n');
  lines.pop_back();
  return lines;
}

bool ReadEvent(const nlohmann::json& line, UserEvent* event) {
  const std::string kind = line.value("event", "");
  if (kind == "measuring") {
    event->kind = Kind::kMeasuring;
  } else if (kind == "broke") {
    event->kind = Kind::kBroke;
  } else if (kind == "verdict") {
    event->kind = Kind::kVerdict;
  } else {
    return false;
  }
  event->at = line.value("at", int64_t{0});
  event->device = line.value("device", "");
  event->truth = line.value("truth", "");
  event->verdict = line.value("verdict", "");
  event->restarts = line.value("restarts", int64_t{0});
  event->why = line.value("why", "");
  return true;
}

bool IsWrong(const UserEvent& event) {
  return event.verdict != "inconclusive" &&
         event.verdict !=
             (event.truth == "slower" ? "regressed" : "equivalent");
}

}  // namespace

UserLog ReadUserLog(const std::string& path, const std::string& output) {
  UserLog log;
  std::set<int64_t> numbers;
  for (const std::string& text : Lines(path)) {
    const auto line = nlohmann::json::parse(text, nullptr, false);
    UserEvent event;
    if (!line.is_object() || !ReadEvent(line, &event)) {
      ++log.broken_lines;
      continue;
    }
    if (event.kind == Kind::kVerdict) {
      const int64_t number = line.value("number", int64_t{-1});
      if (number != static_cast<int64_t>(numbers.size())) ++log.broken_lines;
      numbers.insert(number);
      log.last_verdict_at = event.at;
    }
    log.events.push_back(std::move(event));
  }
  for (const std::string& text : Lines(output)) {
    absl::string_view rest = text;
    int64_t number = 0;
    if (absl::ConsumePrefix(&rest, "recorded ") &&
        absl::SimpleAtoi(rest, &number) && numbers.count(number) == 0) {
      ++log.lost;
    }
  }
  return log;
}

Tally TallyOf(const std::vector<UserLog>& logs, int64_t from, int64_t to,
              const std::string& device) {
  Tally tally;
  for (const UserLog& log : logs) {
    for (const UserEvent& event : log.events) {
      if (event.kind != Kind::kVerdict || event.at < from || event.at >= to ||
          (!device.empty() && event.device != device)) {
        continue;
      }
      ++tally.verdicts;
      ++tally.kinds[absl::StrCat(event.truth, " -> ", event.verdict)];
      if (IsWrong(event)) ++tally.wrong;
      if (event.verdict == "inconclusive") ++tally.inconclusive;
      if (event.restarts > 0) ++tally.restarted;
    }
  }
  return tally;
}

Recoveries RecoveriesFrom(const std::vector<UserLog>& logs,
                          const std::vector<DeviceFault>& faults,
                          int64_t from) {
  Recoveries recoveries;
  for (const UserLog& log : logs) {
    std::string device;
    int64_t last_at = 0;  // of the line before
    int64_t since = 0;    // the fault that broke the measurement
    for (const UserEvent& event : log.events) {
      if (event.kind == Kind::kBroke && event.at >= from) {
        int64_t earliest = 0;
        for (const DeviceFault& fault : faults) {
          if (fault.device == device && fault.at <= event.at &&
              (fault.at >= last_at - kLineNanos || fault.until >= event.at) &&
              (earliest == 0 || fault.at < earliest)) {
            earliest = fault.at;
          }
        }
        // A measurement can break again before it has begun.
        if (since == 0) since = earliest;
        if (since == 0 && ++recoveries.unexplained == 1) {
          recoveries.first_unexplained = absl::StrCat(device, ": ", event.why);
        }
      }
      if (event.kind == Kind::kMeasuring) {
        if (since != 0) {
          const double seconds = static_cast<double>(event.at - since) * 1e-9;
          ++recoveries.count;
          if (seconds > recoveries.longest_s) {
            recoveries.longest_s = seconds;
            recoveries.slowest =
                absl::StrFormat("%s -> %s at %.3f", device, event.device,
                                static_cast<double>(event.at) * 1e-9);
          }
        }
        since = 0;
        device = event.device;
      }
      last_at = event.at;
    }
  }
  return recoveries;
}

}  // namespace assay
