#include "reports/render/testing.h"

#include <limits>
#include <optional>

#include "runtime/base/random.h"

namespace assay::reports {

RunResult SampleResult() {
  RunResult result;
  result.started_at = "2024-05-01T12:00:00Z";
  result.commit = "0123456789abcdef0123456789abcdef01234567";
  result.environment.fingerprint = "x86_64-some-cpu-2c-0123abcd";
  result.environment.identity = {{"arch", "x86_64"}, {"cpu", "Some CPU"}};
  result.environment.state = {{"governor", "performance"}};

  Row row;
  row.suite = "resnet18";
  row.model = "resnet18";
  row.device = "host";
  row.fusion = true;
  row.threads = 2;
  row.fingerprint = "x86_64-some-cpu-2c-0123abcd";
  row.samples_ms = {10, 10.5, 9.5, 10, 10.25, 9.75};
  row.flops = 3600000000;
  row.kernels = 25;
  row.compile_ms = 4321.5;
  row.arena_bytes = 2200000;
  row.live_bytes = 2000000;
  row.speedup_vs_unfused = 1.25;
  row.operators = {{"k001_conv2d_relu",
                    "conv2d+relu",
                    {"conv", "bn", "relu"},
                    6,
                    3000000000,
                    1000000},
                   {"k002_dense", "dense", {"fc"}, 3.5, 600000000, 4000000}};
  row.operators_whole_ms = 10;
  row.max_abs_error = 3.25e-6;
  row.max_abs_error_bound = 1.1e-3;
  row.baseline_ms = 9.875;
  row.delta = 0.0126;
  row.threshold = 0.113;
  row.verdict = stats::Verdict::kPass;
  row.model_digest = "aaaa";
  row.artifact_digest = "0011223344556677";
  row.reproduce = "./bazelw run //suites:resnet18 -- --device=host --fusion=on";
  result.rows.push_back(row);

  Row emulated = row;
  emulated.operators.clear();
  emulated.operators_whole_ms = emulated.speedup_vs_unfused = std::nullopt;
  emulated.device = "rpi3b";
  emulated.emulated = true;
  emulated.fingerprint = "emulated-rpi3b";
  emulated.threads = 4;
  emulated.samples_ms = {4321.5};
  emulated.baseline_ms = emulated.delta = emulated.threshold = std::nullopt;
  emulated.verdict = stats::Verdict::kEmulated;
  result.rows.push_back(emulated);

  Row wrong = row;
  wrong.operators.clear();
  wrong.operators_whole_ms = wrong.speedup_vs_unfused = std::nullopt;
  wrong.fusion = false;
  wrong.samples_ms.clear();
  wrong.kernels = 69;
  wrong.max_abs_error = std::numeric_limits<double>::infinity();
  wrong.baseline_ms = wrong.delta = wrong.threshold = std::nullopt;
  wrong.verdict = stats::Verdict::kWrongOutput;
  wrong.reason = "element 7 of output `logits` is nan, should be 1.5";
  wrong.reproduce = "./bazelw run //suites:resnet18 -- --fusion=off";
  result.rows.push_back(wrong);

  Row regressed = row;
  regressed.model = "a \"quoted\", model";
  regressed.threads = 1;
  regressed.samples_ms = {20, 21, 22, 20, 21, 22};
  regressed.delta = 1.1266;
  regressed.verdict = stats::Verdict::kRegressed;
  regressed.reason =
      "112.7 % slower than the baseline; the threshold is 11.3 %";
  result.rows.push_back(regressed);

  Row equivalent = row;
  equivalent.model = "resnet34";
  equivalent.operators.clear();
  equivalent.operators_whole_ms = equivalent.speedup_vs_unfused = std::nullopt;
  equivalent.paired = PairedComparison{"7766554433221100",
                                       {10, 10.5, 9.5},
                                       {10.125, 10.5, 9.5},
                                       0.00125,
                                       -0.0031,
                                       0.0042,
                                       0.0047};
  equivalent.verdict = stats::Verdict::kEquivalent;
  equivalent.reason =
      "0.1 % slower [-0.3 %, +0.4 %], 3 pairs; a change of 0.5 % would be "
      "seen";
  result.rows.push_back(equivalent);
  return result;
}

RunResult RandomResult(uint64_t seed) {
  Rng rng(seed);
  const auto text = [&] {
    static constexpr const char* kTexts[] = {"",
                                             "plain",
                                             "a,b",
                                             "say \"so\"",
                                             "line\nbreak",
                                             "\xc3\xa9t\xc3\xa9",
                                             "tab\tbackslash\\",
                                             " spaces "};
    return std::string(kTexts[rng.UniformInt(0, 7)]);
  };
  const auto maybe = [&]() -> std::optional<double> {
    switch (rng.UniformInt(0, 3)) {
      case 0:
        return std::nullopt;
      case 1:
        return std::numeric_limits<double>::infinity();
      default:
        return rng.NormalFloat(0, 1) * 1e-3;
    }
  };
  RunResult result;
  result.started_at = text();
  result.commit = text();
  result.environment.fingerprint = text();
  result.environment.identity = {{text(), text()}, {"cpu", text()}};
  result.environment.state = {{text(), text()}};
  const int64_t rows = rng.UniformInt(0, 4);
  for (int64_t i = 0; i < rows; ++i) {
    Row row;
    for (std::string* member :
         {&row.suite, &row.model, &row.device, &row.tuning, &row.fingerprint,
          &row.reason, &row.model_digest, &row.artifact_digest,
          &row.reproduce}) {
      *member = text();
    }
    row.fusion = rng.UniformInt(0, 1) == 1;
    row.emulated = rng.UniformInt(0, 1) == 1;
    row.threads = static_cast<int>(rng.UniformInt(1, 128));
    const int64_t samples = rng.UniformInt(0, 8);
    for (int64_t s = 0; s < samples; ++s) {
      row.samples_ms.push_back(rng.UniformFloat(1e-3f, 1e3f));
    }
    row.flops = rng.UniformInt(0, int64_t{1} << 50);
    row.kernels = static_cast<int>(rng.UniformInt(0, 1000));
    for (std::optional<double>* member :
         {&row.max_abs_error, &row.max_abs_error_bound, &row.baseline_ms,
          &row.delta, &row.threshold, &row.speedup_vs_reference,
          &row.speedup_vs_unfused, &row.compile_ms, &row.operators_whole_ms}) {
      *member = maybe();
    }
    row.arena_bytes = rng.UniformInt(0, int64_t{1} << 40);
    row.live_bytes = rng.UniformInt(0, row.arena_bytes);
    const int64_t operators = rng.UniformInt(0, 3);
    for (int64_t o = 0; o < operators; ++o) {
      row.operators.push_back({text(),
                               text(),
                               {text(), text()},
                               rng.UniformFloat(0, 9),
                               rng.UniformInt(0, 9),
                               rng.UniformInt(0, 9)});
    }
    if (rng.UniformInt(0, 1) == 1) {
      PairedComparison paired;
      paired.artifact_digest = text();
      for (int64_t s = rng.UniformInt(0, 5); s > 0; --s) {
        paired.base_ms.push_back(rng.UniformFloat(1e-3f, 1e3f));
        paired.run_ms.push_back(rng.UniformFloat(1e-3f, 1e3f));
      }
      for (double PairedComparison::* member :
           {&PairedComparison::change, &PairedComparison::lower,
            &PairedComparison::upper, &PairedComparison::detectable}) {
        paired.*member = rng.UniformInt(0, 4) == 0
                             ? std::numeric_limits<double>::infinity()
                             : rng.NormalFloat(0, 1) * 1e-2;
      }
      if (rng.UniformInt(0, 1) == 1) {
        Attribution attribution;
        attribution.rounds = rng.UniformInt(0, 99);
        attribution.whole_ms = rng.NormalFloat(0, 1);
        attribution.whole_lower_ms = -std::numeric_limits<double>::infinity();
        for (int64_t k = rng.UniformInt(0, 3); k > 0; --k) {
          attribution.kernels.push_back({{text(), text()},
                                         {text()},
                                         {},
                                         0.5,
                                         0,
                                         -0.5,
                                         -0.75,
                                         0.25,
                                         k % 2 == 1});
        }
        paired.attribution = std::move(attribution);
      }
      row.paired = std::move(paired);
    }
    row.verdict = static_cast<stats::Verdict>(
        rng.UniformInt(0, static_cast<int>(stats::Verdict::kInfrastructure)));
    result.rows.push_back(row);
  }
  if (rng.UniformInt(0, 1) == 1) {
    result.canary = Canary{{0, stats::Verdict::kEquivalent, text()},
                           {0.02, stats::Verdict::kRegressed, text()}};
  }
  return result;
}

}  // namespace assay::reports
