#include "reports/store/summary/summary_reader.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/strip.h"
#include "reports/store/checked_line.h"
#include "reports/store/summary/json_cursor.h"

namespace assay::reports {
namespace {

class Reader {
 public:
  explicit Reader(absl::string_view line) : c_(line) {}

  bool Read(Record* record) {
    bool has_result = false;
    c_.Object([&](absl::string_view key) {
      if (key == "run") {
        c_.String(&record->run);
      } else if (key == "job") {
        c_.String(&record->job);
      } else if (key == "cell") {
        c_.String(&record->cell);
      } else if (key == "place") {
        c_.Integer(&record->place);
      } else if (key == "result") {
        has_result = true;
        Result(&record->result);
      } else {
        c_.Skip();
      }
    });
    return c_.AtEnd() && has_result && !record->run.empty() &&
           !record->cell.empty() && record->result.rows.size() == 1;
  }

 private:
  void Result(RunResult* result) {
    int64_t version = 0;
    c_.Object([&](absl::string_view key) {
      if (key == "schema_version") {
        c_.Integer(&version);
      } else if (key == "started_at") {
        c_.String(&result->started_at);
      } else if (key == "commit") {
        c_.String(&result->commit);
      } else if (key == "environment") {
        c_.Object([&](absl::string_view part) {
          if (part == "fingerprint") {
            c_.String(&result->environment.fingerprint);
          } else if (part == "identity") {
            Strings(&result->environment.identity);
          } else if (part == "state") {
            Strings(&result->environment.state);
          } else {
            c_.Skip();
          }
        });
      } else if (key == "canary") {
        c_.Array([&] { Trial(&result->canary.emplace_back()); });
      } else if (key == "rows") {
        c_.Array([&] { OneRow(&result->rows.emplace_back()); });
      } else {
        c_.Skip();
      }
    });
    if (version != kSchemaVersion || result->started_at.empty()) c_.Fail();
  }

  void Strings(std::map<std::string, std::string>* map) {
    c_.Object([&](absl::string_view key) {
      std::string name(key);
      c_.String(&(*map)[std::move(name)]);
    });
  }

  void Verdict(stats::Verdict* verdict) {
    std::string name;
    c_.String(&name);
    const absl::StatusOr<stats::Verdict> parsed = stats::ParseVerdict(name);
    if (parsed.ok()) {
      *verdict = *parsed;
    } else {
      c_.Fail();
    }
  }

  void Small(int* out) {
    int64_t number = 0;
    c_.Integer(&number);
    if (number != static_cast<int>(number)) c_.Fail();
    *out = static_cast<int>(number);
  }

  void Trial(CanaryTrial* trial) {
    c_.Object([&](absl::string_view key) {
      if (key == "share") {
        c_.Number(&trial->share);
      } else if (key == "threads") {
        Small(&trial->threads);
      } else if (key == "separate") {
        c_.Bool(&trial->separate);
      } else if (key == "board") {
        c_.String(&trial->board);
      } else if (key == "reason") {
        c_.String(&trial->reason);
      } else if (key == "verdict") {
        Verdict(&trial->verdict);
      } else {
        c_.Skip();
      }
    });
  }

  bool Dimensions(absl::string_view key, Variant* variant) {
    for (const Dimension& dimension : kDimensions) {
      if (key != dimension.name) continue;
      if (dimension.IsSwitch()) {
        bool on = false;
        c_.Bool(&on);
        dimension.set(*variant, on ? 1 : 0);
      } else {
        std::string value;
        c_.String(&value);
        if (!dimension.Set(value, variant)) c_.Fail();
      }
      return true;
    }
    return false;
  }

  void OneRow(Row* row) {
    bool has_suite = false, has_model = false, has_device = false;
    bool has_verdict = false;
    std::optional<double> reference;
    c_.Object([&](absl::string_view key) {
      if (key == "suite") {
        has_suite = true;
        c_.String(&row->suite);
      } else if (key == "model") {
        has_model = true;
        c_.String(&row->cell.model);
      } else if (key == "device") {
        has_device = true;
        c_.String(&row->cell.device);
      } else if (key == "threads") {
        Small(&row->cell.threads);
      } else if (key == "emulated") {
        c_.Bool(&row->emulated);
      } else if (key == "fingerprint") {
        c_.String(&row->fingerprint);
      } else if (key == "board") {
        if (!c_.Null()) c_.String(&row->board);
      } else if (key == "verdict") {
        has_verdict = true;
        Verdict(&row->verdict);
      } else if (key == "speedup_vs_reference") {
        Optional(&reference);
      } else if (!Timing(key, row) && !Build(key, row) &&
                 !Dimensions(key, &row->cell.variant)) {
        c_.Skip();
      }
    });
    if (reference.has_value()) {
      row->comparison.speedup_vs_reference.emplace().value = *reference;
    }
    if (!has_suite || !has_model || !has_device || !has_verdict) c_.Fail();
  }

  // Reads a member of the row's Timing or Comparison. Returns false if the key
  // is of another member.
  bool Timing(absl::string_view key, Row* row) {
    if (key == "samples_ns") {
      c_.Array([&] {
        double sample = 0;
        c_.Number(&sample);
        if (!(sample > 0)) c_.Fail();
        row->timing.samples_ns.push_back(sample);
      });
    } else if (key == "blocks") {
      if (!c_.Null()) {
        c_.Array([&] { Block(&row->timing.blocks.emplace_back()); });
      }
    } else if (key == "disturbances") {
      c_.Array([&] { c_.String(&row->timing.disturbances.emplace_back()); });
    } else if (key == "load_ms") {
      Optional(&row->timing.load_ms);
    } else if (key == "operators") {
      c_.Array([&] { Operator(&row->timing.operators.emplace_back()); });
    } else if (key == "timing_policy") {
      c_.String(&row->timing.policy);
    } else if (key == "paired") {
      if (!c_.Null()) Paired(&row->comparison.paired.emplace());
    } else if (key == "parity") {
      if (!c_.Null()) {
        c_.Object([&](absl::string_view contender) {
          std::string name(contender);
          Strings(&row->comparison.parity[std::move(name)]);
        });
      }
    } else {
      return false;
    }
    return true;
  }

  bool Build(absl::string_view key, Row* row) {
    if (key == "arena_bytes") {
      c_.Integer(&row->build.arena_bytes);
    } else if (key == "model_digest") {
      c_.String(&row->build.model_digest);
    } else if (key == "artifact_digest") {
      c_.String(&row->build.artifact_digest);
    } else if (key == "runtime_digest") {
      c_.String(&row->build.runtime_digest);
    } else if (key == "code") {
      if (!c_.Null()) {
        c_.Array([&] {
          KernelCode& kernel = row->build.code.emplace_back();
          c_.Object([&](absl::string_view member) {
            if (member == "symbol") {
              c_.String(&kernel.symbol);
            } else if (member == "digest") {
              c_.String(&kernel.digest);
            } else {
              c_.Skip();
            }
          });
        });
      }
    } else {
      return false;
    }
    return true;
  }

  // Infinity and NaN are strings, which are left to ParseRecord().
  void Optional(std::optional<double>* out) {
    if (c_.Null()) return;
    c_.Number(&out->emplace());
  }

  void Block(BlockState* block) {
    c_.Object([&](absl::string_view key) {
      if (key == "before") {
        State(&block->before);
      } else if (key == "after") {
        State(&block->after);
      } else {
        c_.Skip();
      }
    });
  }

  void State(DeviceState* state) {
    if (c_.Null()) return;
    c_.Object([&](absl::string_view key) {
      if (key == "temperature_celsius") {
        Optional(&state->temperature_celsius);
      } else if (key == "throttled") {
        if (!c_.Null()) c_.Bool(&state->throttled.emplace());
      } else {
        c_.Skip();
      }
    });
  }

  void Operator(OperatorTime* op) {
    c_.Object([&](absl::string_view key) {
      if (key == "kind") {
        c_.String(&op->kind);
      } else if (key == "sources") {
        c_.Array([&] { c_.String(&op->sources.emplace_back()); });
      } else if (key == "ms") {
        c_.Number(&op->ms);
      } else {
        c_.Skip();
      }
    });
  }

  void Paired(PairedComparison* paired) {
    c_.Object([&](absl::string_view key) {
      if (key == "artifact_digest") {
        c_.String(&paired->artifact_digest);
      } else if (key == "change") {
        c_.Number(&paired->change);
      } else if (key == "lower") {
        c_.Number(&paired->lower);
      } else if (key == "upper") {
        c_.Number(&paired->upper);
      } else {
        c_.Skip();
      }
    });
  }

  JsonCursor c_;
};

}  // namespace

std::optional<Record> ReadForSummary(absl::string_view line) {
  const absl::StatusOr<absl::string_view> body = BodyOf(line);
  if (!body.ok()) return std::nullopt;
  absl::ConsumeSuffix(&line, "\r");
  Record record;

  Reader reader(line);
  if (!reader.Read(&record)) return std::nullopt;
  return record;
}

}  // namespace assay::reports
