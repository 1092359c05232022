#include "reports/result/testing/sample_result.h"

#include <limits>
#include <optional>

#include "reports/stats/ratio.h"
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
  row.cell.model = "resnet18";
  row.cell.device = "host";
  row.cell.threads = 2;
  row.fingerprint = "x86_64-some-cpu-2c-0123abcd";
  row.timing.samples_ns = {10e6, 10.5e6, 9.5e6, 10e6, 10.25e6, 9.75e6};
  row.build.flops = 3600000000;
  row.build.kernels = 25;
  row.build.compile_ms = 4321.5;
  row.build.artifact_bytes = 97100000;
  row.build.params_bytes = 96500000;
  row.timing.load_ms = 61.25;
  row.timing.peak_rss_bytes = 123400000;
  row.build.arena_bytes = 2200000;
  row.build.live_bytes = 2000000;
  row.comparison.speedup_vs_unfused = stats::Ratio{1.25, 1.2, 1.3};
  row.timing.operators = {
      {"k001_conv2d_relu",
       "conv2d+relu",
       {"conv", "bn", "relu"},
       6,
       3000000000,
       1000000},
      {"k002_dense", "dense", {"fc"}, 3.5, 600000000, 4000000}};
  row.timing.operators_whole_ms = 10;
  row.correctness.max_abs_error = 3.25e-6;
  row.correctness.max_abs_error_bound = 1.1e-3;
  row.comparison.baseline_ms = 9.875;
  row.comparison.delta = 0.0126;
  row.comparison.threshold = 0.113;
  row.verdict = stats::Verdict::kPass;
  row.build.model_digest = "aaaa";
  row.build.artifact_digest = "0011223344556677";
  row.build.runtime_digest = "99aa";
  row.build.code = {{"k001_conv2d_relu", {"conv", "bn", "relu"}, "c0de01"},
                    {"k002_dense", {"fc"}, "c0de02"}};
  row.timing.policy = "method=1 warmup=1 number=1 repeat=6";
  row.reproduce = "./bazelw run //suites:resnet18 -- --device=host --fusion=on";
  result.rows.push_back(row);

  Row emulated = row;
  emulated.timing.operators.clear();
  emulated.timing.operators_whole_ms.reset();
  emulated.comparison.speedup_vs_unfused.reset();
  emulated.cell.device = "rpi3b";
  emulated.emulated = true;
  emulated.fingerprint = "emulated-rpi3b";
  emulated.cell.threads = 4;
  emulated.timing.samples_ns = {4321.5e6};
  emulated.timing.peak_rss_bytes.reset();
  emulated.comparison.baseline_ms = emulated.comparison.delta =
      emulated.comparison.threshold = std::nullopt;
  emulated.verdict = stats::Verdict::kEmulated;
  emulated.comparison.no_reference = "the times of an emulator mean nothing";
  result.rows.push_back(emulated);

  Row wrong = row;
  wrong.timing.operators.clear();
  wrong.timing.operators_whole_ms.reset();
  wrong.comparison.speedup_vs_unfused.reset();
  wrong.cell.variant.fusion = false;
  wrong.timing.samples_ns.clear();
  wrong.timing.load_ms.reset();
  wrong.timing.peak_rss_bytes.reset();
  wrong.build.kernels = 69;
  wrong.correctness.max_abs_error = std::numeric_limits<double>::infinity();
  wrong.comparison.baseline_ms = wrong.comparison.delta =
      wrong.comparison.threshold = std::nullopt;
  wrong.verdict = stats::Verdict::kWrongOutput;
  wrong.reason = "element 7 of output `logits` is nan, should be 1.5";
  wrong.reproduce = "./bazelw run //suites:resnet18 -- --fusion=off";
  wrong.correctness.no_second_opinion = "there is none";
  result.rows.push_back(wrong);

  Row regressed = row;
  regressed.cell.model = "a \"quoted\", model";
  regressed.cell.threads = 1;
  regressed.timing.samples_ns = {20e6, 21e6, 22e6, 20e6, 21e6, 22e6};
  regressed.comparison.delta = 1.1266;
  regressed.comparison.speedup_vs_unfused = stats::Ratio{1.25, 0.98, 1.52};
  regressed.verdict = stats::Verdict::kRegressed;
  regressed.reason =
      "112.7 % slower than the baseline; the threshold is 11.3 %";
  result.rows.push_back(regressed);

  Row equivalent = row;
  equivalent.cell.model = "resnet34";
  equivalent.timing.operators.clear();
  equivalent.timing.operators_whole_ms.reset();
  equivalent.comparison.speedup_vs_unfused.reset();
  equivalent.comparison.paired = PairedComparison{"7766554433221100",
                                                  {10e6, 10.5e6, 9.5e6},
                                                  {10.125e6, 10.5e6, 9.5e6},
                                                  0.00125,
                                                  -0.0031,
                                                  0.0042,
                                                  0.0047,
                                                  /*nodes=*/{},
                                                  /*seconds=*/std::nullopt,
                                                  {{120, 7.5, 1, 9, 1.25}},
                                                  true};
  equivalent.verdict = stats::Verdict::kEquivalent;
  equivalent.reason =
      "0.1 % slower [-0.3 %, +0.4 %], 2 loads; a change of 0.5 % would be "
      "seen; the tail is slower: 9 of 120 inferences took more than 1.25 times "
      "the typical time, against 1 of the other program";
  result.rows.push_back(equivalent);
  result.remarks = {"net: measured with the inputs of a file"};
  return result;
}

RunResult TunedResult() {
  RunResult result = SampleResult();
  result.rows.resize(2);
  result.rows[1] = result.rows[0];
  Row& tuned = result.rows[1];
  tuned.cell.variant.tuned = true;
  tuned.timing.samples_ns = {8e6, 8.5e6, 7.5e6, 8e6, 8.25e6, 7.75e6};
  tuned.comparison.speedup_vs_untuned = stats::Ratio{1.25, 1.24, 1.26};
  tuned.comparison.baseline_ms = tuned.comparison.delta =
      tuned.comparison.threshold = std::nullopt;
  tuned.verdict = stats::Verdict::kNoBaseline;
  tuned.build.artifact_digest = "8899aabbccddeeff";
  tuned.build.tuning_digest = "0f1e2d3c4b5a6978";
  tuned.reproduce += " --tuning=tuned";
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
  const auto maybe_ratio = [&]() -> std::optional<stats::Ratio> {
    switch (rng.UniformInt(0, 2)) {
      case 0:
        return std::nullopt;
      case 1:
        return stats::Ratio{rng.UniformFloat(0.5f, 2)};
      default:
        return stats::Ratio{rng.UniformFloat(0.9f, 1.1f),
                            rng.UniformFloat(0.5f, 0.9f),
                            rng.UniformFloat(1.1f, 2)};
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
         {&row.suite, &row.cell.model, &row.cell.device, &row.fingerprint,
          &row.board, &row.reason, &row.build.model_digest,
          &row.build.artifact_digest, &row.build.tuning_digest,
          &row.build.runtime_digest, &row.timing.policy, &row.reproduce}) {
      *member = text();
    }
    row.cell.variant.fusion = rng.UniformInt(0, 1) == 1;
    row.cell.variant.tuned = rng.UniformInt(0, 1) == 1;
    row.emulated = rng.UniformInt(0, 1) == 1;
    row.cell.threads = static_cast<int>(rng.UniformInt(1, 128));
    const int64_t samples = rng.UniformInt(0, 8);
    for (int64_t s = 0; s < samples; ++s) {
      row.timing.samples_ns.push_back(rng.UniformFloat(1e3f, 1e9f));
    }
    const auto state = [&]() -> DeviceState {
      std::optional<double> number;
      if (rng.UniformInt(0, 1) == 1) number = rng.UniformFloat(0, 2000);
      return {number, std::nullopt, number, std::nullopt,
              rng.UniformInt(0, 1) == 1 ? std::nullopt
                                        : std::make_optional(samples > 3)};
    };
    const auto block = [&]() -> BlockState {
      return {static_cast<int>(rng.UniformInt(1, 99)), state(), state()};
    };
    for (int64_t b = samples; b > 4; --b) row.timing.blocks.push_back(block());
    if (samples > 5) row.timing.disturbances = {"heat", "3 threads, 2 cores"};
    row.build.flops = rng.UniformInt(0, int64_t{1} << 50);
    row.build.kernels = static_cast<int>(rng.UniformInt(0, 1000));
    for (std::optional<double>* member :
         {&row.correctness.max_abs_error, &row.correctness.max_abs_error_bound,
          &row.comparison.baseline_ms, &row.comparison.delta,
          &row.comparison.threshold, &row.build.compile_ms, &row.timing.load_ms,
          &row.timing.operators_whole_ms}) {
      *member = maybe();
    }
    for (std::optional<stats::Ratio>* member :
         {&row.comparison.speedup_vs_unfused,
          &row.comparison.speedup_vs_untuned,
          &row.comparison.speedup_vs_reference}) {
      *member = maybe_ratio();
    }
    if (samples > 2) row.timing.peak_rss_bytes = rng.UniformInt(1, 1 << 30);
    row.build.artifact_bytes = rng.UniformInt(0, int64_t{1} << 40);
    row.build.params_bytes = rng.UniformInt(0, row.build.artifact_bytes);
    row.build.arena_bytes = rng.UniformInt(0, int64_t{1} << 40);
    row.build.live_bytes = rng.UniformInt(0, row.build.arena_bytes);
    for (int64_t k = rng.UniformInt(0, 3); k > 0; --k) {
      row.build.code.push_back({text(), {text(), text()}, text()});
    }
    const int64_t operators = rng.UniformInt(0, 3);
    for (int64_t o = 0; o < operators; ++o) {
      row.timing.operators.push_back({text(),
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
        paired.base_ns.push_back(rng.UniformFloat(1e3f, 1e9f));
        paired.run_ns.push_back(rng.UniformFloat(1e3f, 1e9f));
      }
      for (double PairedComparison::* member :
           {&PairedComparison::change, &PairedComparison::lower,
            &PairedComparison::upper, &PairedComparison::detectable}) {
        paired.*member = rng.UniformInt(0, 4) == 0
                             ? std::numeric_limits<double>::infinity()
                             : rng.NormalFloat(0, 1) * 1e-2;
      }
      if (samples > 3) {
        paired.tail = stats::TailEvidence{samples, rng.NormalFloat(0, 1), 1, 2,
                                          rng.UniformFloat(1, 2)};
        paired.tail_slower = samples > 5;
      }
      if (samples > 6) paired.blocks = {block(), block()};
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
      row.comparison.paired = std::move(paired);
    }
    if (rng.UniformInt(0, 1) == 1) {
      row.comparison.parity["ours"] = {{text(), text()}};
      row.comparison.parity["other\nruntime"]["threads"] = text();
    }
    row.verdict = static_cast<stats::Verdict>(
        rng.UniformInt(0, static_cast<int>(stats::Verdict::kInfrastructure)));
    result.rows.push_back(row);
  }
  if (rng.UniformInt(0, 1) == 1) {
    result.canary = {
        {0, 1, false, stats::Verdict::kEquivalent, text()},
        {0.02, 2, true, stats::Verdict::kRegressed, text(), text()}};
  }
  return result;
}

}  // namespace assay::reports
