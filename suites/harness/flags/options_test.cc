#include "suites/harness/flags/options.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

SuiteFlags ResNet() { return {"resnet18", "Measures ResNet-18.", false}; }
SuiteFlags Model() { return {"model", "Measures a model.", true}; }

absl::StatusOr<Options> Parse(const SuiteFlags& suite,
                              const std::vector<std::string>& arguments) {
  return ParseOptions(suite, arguments, "/home/me");
}

TEST(OptionsTest, Defaults) {
  const absl::StatusOr<Options> o = Parse(ResNet(), {});
  ASSERT_TRUE(o.ok()) << o.status();
  EXPECT_THAT(o->matrix.devices, ElementsAre("host"));
  EXPECT_THAT(o->matrix.fusion, ElementsAre(true, false));
  EXPECT_EQ(o->matrix.tuning, TuningRows::kNone);
  EXPECT_EQ(o->matrix.tuning_log, "");
  EXPECT_THAT(o->matrix.threads, IsEmpty());
  EXPECT_FALSE(o->timing.repeat.has_value());
  EXPECT_EQ(o->output.out, "");
  EXPECT_FALSE(o->comparison.blessing());
  EXPECT_EQ(o->timing.seed, 0u);
  EXPECT_EQ(o->compile.layout_seed, 0u);
  EXPECT_FALSE(o->help.has_value());
}

TEST(OptionsTest, Variants) {
  const SuiteFlags suite = {"nets", "", false, {"v1", "v2"}, true};
  EXPECT_THAT(Parse(suite, {})->model.variants, ElementsAre("v1", "v2"));
  const auto o = Parse(
      suite, {"--variant=v2", "--size=128", "--multiplier=0.5", "--per_op"});
  ASSERT_TRUE(o.ok()) << o.status();
  EXPECT_THAT(o->model.variants, ElementsAre("v2"));
  EXPECT_EQ(o->model.size, 128);
  EXPECT_EQ(o->model.multiplier, 0.5);
  EXPECT_TRUE(o->timing.per_op);
  EXPECT_EQ(Parse(suite, {"--variant=v3"}).status().message(),
            "`--variant` is `v3`; there are v1, v2");
  EXPECT_THAT(Parse(suite, {"--variant=v1,v1"}).status().message(),
              HasSubstr("twice"));
  EXPECT_THAT(Parse(suite, {"--multiplier=0"}).status().message(),
              HasSubstr("from 0.01 to 4"));
  EXPECT_FALSE(Parse(ResNet(), {"--variant=v1"}).ok());
}

TEST(OptionsTest, RuntimesOfOtherCommitsAreNotMeasuredInAFarm) {
  const std::vector<std::string> arguments = {
      "--against=/a", "--against_runtime=/b", "--tracker=lab:9190"};
  EXPECT_THAT(Parse(ResNet(), arguments).status().message(),
              HasSubstr("`--against_runtime` runs programs on this machine"));
  const auto farm = Parse(ResNet(), {"--against=/a", "--tracker=lab:9190"});
  ASSERT_TRUE(farm.ok()) << farm.status();
  EXPECT_EQ(farm->farm.tracker, "lab:9190");
}

TEST(OptionsTest, EveryFlag) {
  const absl::StatusOr<Options> o =
      Parse(Model(), {"--device=host,rpi3b",
                      "--fusion=off",
                      "--tuning=both",
                      "--tuning_log=a.jsonl",
                      "--threads=1,2",
                      "--cells=*/fusion_on/*,net/*",
                      "--max_error=0",
                      "--warmup=0",
                      "--number=3",
                      "--repeat",
                      "7",
                      "--min_repeat_ms=5",
                      "--cooldown_ms=10",
                      "--out=results",
                      "--against=base",
                      "--against_runtime=base/bench_artifact",
                      "--budget=2.5",
                      "--max_budget=90",
                      "--margin=0.02",
                      "--keep_artifacts",
                      "--store=history",
                      "--resume",
                      "--baseline=/b",
                      "--require_baseline",
                      "--dump_dir=./d",
                      "--seed=12345678901234567890",
                      "--model=m.onnx",
                      "--schedule=Conv_1=tile_ow=[-1,7] unroll_kw=1",
                      "--layout_seed=18446744073709551615",
                      "--dim=N=1",
                      "--dim=a=b=2",
                      "--inputs=a.pb,/b.pb",
                      "--outputs=y.npz"});
  ASSERT_TRUE(o.ok()) << o.status();
  EXPECT_THAT(o->matrix.devices, ElementsAre("host", "rpi3b"));
  EXPECT_THAT(o->matrix.fusion, ElementsAre(false));
  EXPECT_EQ(o->matrix.tuning, TuningRows::kBoth);
  EXPECT_EQ(o->matrix.tuning_log, "/home/me/a.jsonl");
  EXPECT_THAT(o->matrix.threads, ElementsAre(1, 2));
  EXPECT_THAT(o->matrix.cells, ElementsAre("*/fusion_on/*", "net/*"));
  EXPECT_EQ(o->compile.max_error, 0);
  EXPECT_EQ(o->timing.warmup, 0);
  EXPECT_EQ(o->timing.number, 3);
  EXPECT_EQ(o->timing.repeat, 7);
  EXPECT_EQ(o->timing.min_repeat_ms, 5);
  EXPECT_EQ(o->timing.cooldown_ms, 10);
  EXPECT_EQ(o->output.out, "/home/me/results");
  EXPECT_EQ(o->output.outputs, "/home/me/y.npz");
  EXPECT_THAT(o->model.inputs, ElementsAre("/home/me/a.pb", "/b.pb"));
  EXPECT_EQ(o->comparison.against, "/home/me/base");
  EXPECT_EQ(o->comparison.against_runtime, "/home/me/base/bench_artifact");
  EXPECT_EQ(o->comparison.budget_s, 2.5);
  EXPECT_EQ(o->comparison.max_budget_s, 90);
  EXPECT_EQ(o->comparison.margin, 0.02);
  EXPECT_TRUE(o->output.keep_artifacts);
  EXPECT_EQ(o->output.store, "/home/me/history");
  EXPECT_TRUE(o->output.resume);
  EXPECT_EQ(o->comparison.baseline, "/b");
  EXPECT_TRUE(o->comparison.require_baseline);
  EXPECT_EQ(o->compile.dump_dir, "/home/me/./d");
  EXPECT_EQ(o->timing.seed, 12345678901234567890u);
  EXPECT_EQ(o->model.file, "/home/me/m.onnx");
  EXPECT_THAT(o->model.dims, ElementsAre(Pair("N", 1), Pair("a=b", 2)));
  EXPECT_THAT(o->compile.configs,
              ElementsAre(Pair("Conv_1", "tile_ow=[-1,7] unroll_kw=1")));
  EXPECT_EQ(o->compile.layout_seed, 18446744073709551615u);
}

TEST(OptionsTest, StoreMayBeADatabase) {
  const auto o = Parse(ResNet(), {"--store=postgres://ci@db/assay"});
  ASSERT_TRUE(o.ok()) << o.status();
  EXPECT_EQ(o->output.store, "postgres://ci@db/assay");
}

TEST(OptionsTest, TuningIsARowOrALog) {
  const TempDir dir = TempDir::Create().value();
  ASSERT_TRUE(WriteFileAtomic(JoinPath(dir.path(), "a.jsonl"), "").ok());
  const auto parse = [&](const std::vector<std::string>& arguments) {
    return ParseOptions(ResNet(), arguments, dir.path());
  };
  EXPECT_EQ(parse({"--tuning=tuned"})->matrix.tuning, TuningRows::kTuned);
  EXPECT_EQ(parse({"--tuning=auto"})->matrix.tuning, TuningRows::kAuto);
  const auto with_log = parse({"--tuning=a.jsonl"});
  ASSERT_TRUE(with_log.ok()) << with_log.status();
  EXPECT_EQ(with_log->matrix.tuning, TuningRows::kTuned);
  EXPECT_EQ(with_log->matrix.tuning_log, JoinPath(dir.path(), "a.jsonl"));
  EXPECT_EQ(parse({"--tuning=b.jsonl"}).status().message(),
            "`--tuning` is `b.jsonl`; it must be `none`, `tuned`, `both`, "
            "`auto` or the path of a log of the tuner");
  EXPECT_EQ(parse({"--tuning=a.jsonl", "--tuning_log=b"}).status().message(),
            "`--tuning` and `--tuning_log` name a log each; give one of them");
  EXPECT_EQ(parse({"--tuning_log=a.jsonl"}).status().message(),
            "`--tuning_log` needs `--tuning`, which says what is measured with "
            "it");
}

TEST(OptionsTest, PrecisionsAreNamesOfTheTable) {
  const auto o = Parse(ResNet(), {"--precision=as_in_model"});
  ASSERT_TRUE(o.ok()) << o.status();
  EXPECT_THAT(o->matrix.precision, ElementsAre(reports::Precision::kAsInModel));
  EXPECT_EQ(Parse(ResNet(), {"--precision=int1"}).status().message(),
            "`--precision` is `int1`; it must be `as_in_model`");
  EXPECT_EQ(Parse(ResNet(), {"--precision=as_in_model,as_in_model"})
                .status()
                .message(),
            "`--precision` has a value twice");
}

TEST(OptionsTest, BaselinesHaveSeededInputs) {
  const auto o = Parse(ResNet(), {"--bless=it is right"});
  ASSERT_TRUE(o.ok()) << o.status();
  EXPECT_EQ(o->comparison.bless, "it is right");
  EXPECT_THAT(o->model.inputs, IsEmpty());
  EXPECT_THAT(
      std::string(Parse(ResNet(), {"--bless=it is right", "--inputs=x.npz"})
                      .status()
                      .message()),
      HasSubstr("`--bless` does not go with `--inputs`"));
}

TEST(OptionsTest, InputValuesAreNumbers) {
  const auto parse = [](std::vector<std::string> arguments) {
    arguments.push_back("--model=m");
    return Parse(Model(), arguments);
  };
  const auto o = parse({"--input_value=sr=16000", "--input_value=a=b=-0.5e1"});
  ASSERT_TRUE(o.ok()) << o.status();
  EXPECT_THAT(o->model.input_values,
              ElementsAre(Pair("a=b", "-0.5e1"), Pair("sr", "16000")));
  EXPECT_FALSE(o->model.all_inputs_seeded());
  EXPECT_TRUE(parse({})->model.all_inputs_seeded());
  for (const char* value :
       {"sr", "sr=", "=1", "sr=x", "sr=1x", "sr=inf", "sr=nan", "sr=1e999"}) {
    const absl::Status status =
        parse({std::string("--input_value=") + value}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), std::string("`--input_value` is `") + value +
                                    "`; it must be the name of an input, `=`, "
                                    "and a finite number");
  }
  EXPECT_EQ(
      parse({"--input_value=sr=1", "--input_value=sr=2"}).status().message(),
      "`--input_value` is given twice for `sr`");
  EXPECT_EQ(parse({"--vary=ids"}).status().message(),
            "`--vary` for `ids` needs `--inputs`, whose elements it reorders");
  EXPECT_THAT(
      parse({"--vary=ids", "--vary=a,b", "--inputs=x.npz"})->model.varying,
      ElementsAre("ids", "a,b"));
  EXPECT_EQ(parse({"--input_value=sr=1", "--inputs=x.npz"}).status().message(),
            "`--input_value` for `sr` does not go with `--inputs`, which has "
            "the values of all inputs");
  EXPECT_THAT(std::string(parse({"--input_value=sr=1", "--bless=it is right"})
                              .status()
                              .message()),
              HasSubstr("`--bless` does not go with `--input_value`"));
}

TEST(OptionsTest, DeviceFileIsRelativeToWorkingDirectory) {
  const absl::StatusOr<Options> o =
      Parse(ResNet(), {"--device=boards/mine.textproto"});
  ASSERT_TRUE(o.ok()) << o.status();
  EXPECT_THAT(o->matrix.devices, ElementsAre("/home/me/boards/mine.textproto"));
}

TEST(OptionsTest, HelpNamesEveryFlagAndTheExitCodes) {
  const absl::StatusOr<Options> o = Parse(Model(), {"--help"});
  ASSERT_TRUE(o.ok()) << o.status();
  ASSERT_TRUE(o->help.has_value());
  for (const char* text : {"Measures a model.",
                           "./bazelw run //suites:model --",
                           "--device",
                           "--fusion",
                           "--tuning",
                           "--tuning_log",
                           "--precision",
                           "--threads",
                           "--number",
                           "--repeat",
                           "--min_repeat_ms",
                           "--out",
                           "--against",
                           "--budget",
                           "--max_budget",
                           "--margin",
                           "--keep_artifacts",
                           "--store",
                           "--follow",
                           "--resume",
                           "--baseline",
                           "--bless",
                           "--require_baseline",
                           "--dump_dir",
                           "--layout_seed",
                           "--seed",
                           "--model",
                           "--dim",
                           "--input_value",
                           "--inputs",
                           "--outputs",
                           "3 nothing conclusive"}) {
    EXPECT_THAT(*o->help, HasSubstr(text));
  }
  EXPECT_EQ(Parse(ResNet(), {"--help"})->help->find("--model"),
            std::string::npos);
}

TEST(OptionsTest, ErrorsNameTheFlag) {
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } kCases[] = {
      {{"--nosuch"}, "--nosuch"},
      {{"stray"}, "stray"},
      {{"--model=x.onnx"}, "--model=x.onnx"},
      {{"--input_value=sr=1"}, "--input_value=sr=1"},
      {{"--opt_level=4"}, "`--opt_level` is 4; it must be from 0 to 3"},
      {{"--skip_passes=none"}, "`--skip_passes` has `none`, which is no pass"},
      {{"--bless="}, "--bless"},
      {{"--against_runtime=b"}, "`--against_runtime` needs `--against`"},
      {{"--follow"}, "`--follow` needs `--store`"},
      {{"--follow", "--store=s", "--against=a"}, "not go with `--against`"},
      {{"--follow", "--store=s", "--bless=b"}, "not go with `--bless`"},
      {{"--schedule=Conv_1"}, "`--schedule` is `Conv_1`; it must be the name"},
      {{"--schedule=a=b=1", "--schedule=a=b=2"},
       "`--schedule` is given twice for `a`"},
      {{"--max_error=-1"}, "`--max_error` is -1; it must be at least 0"},
      {{"--max_error=nan"}, "`--max_error` is nan; it must be at least 0"},
      {{"--setup=never"},
       "`--setup` is `never`; it must be auto, compile, load"},
      {{"--max_memory=4GB"}, "`--max_memory`: `4GB` is not a number of bytes"},
      {{"--layout_seed=-1"}, "`--layout_seed` is `-1`; it must be a whole"},
      {{"--fusion=yes"}, "`--fusion` is `yes`; it must be `on`, `off` or "},
      {{"--threads=two"}, "--threads"},
      {{"--threads=-1"}, "`--threads` is -1; it must be at least 0"},
      {{"--threads=1,1"}, "`--threads` has a number twice"},
      {{"--device=host,host"}, "`--device` has a device twice"},
      {{"--number=0"}, "`--number` is 0; it must be at least 1"},
      {{"--number=99999999999"}, "--number"},
      {{"--repeat=0"}, "`--repeat` is 0"},
      {{"--repeat="}, "`--repeat=` has no value"},
      {{"--out=", "--threads=2"}, "`--out=` has no value"},
      {{"--warmup=-1"}, "`--warmup` is -1"},
      {{"--min_repeat_ms=-2"}, "`--min_repeat_ms` is -2"},
      {{"--min_repeat_ms=nan"}, "--min_repeat_ms = nan"},
      {{"--cooldown_ms=-2"}, "`--cooldown_ms` is -2"},
      {{"--seed=-1"}, "--seed"},
      {{"--resume"}, "`--resume` needs `--store`"},
      {{"--format=yaml"}, "`--format`: there is no format `yaml`"},
      {{"--budget=0"}, "--budget"},
      {{"--max_budget=nan"}, "`--max_budget` must be"},
      {{"--margin=nan"}, "--margin"},
      {{"--keep_artifacts"}, "`--keep_artifacts` needs `--out`"},
  };
  for (const auto& c : kCases) {
    const absl::Status status = Parse(ResNet(), c.arguments).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << c.arguments[0];
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
  }
  EXPECT_THAT(std::string(Parse(Model(), {}).status().message()),
              HasSubstr("`--model` is missing"));
  for (const char* dim : {"N", "N=", "=1", "N=0", "N=x"}) {
    EXPECT_THAT(
        std::string(Parse(Model(), {"--model=m", std::string("--dim=") + dim})
                        .status()
                        .message()),
        HasSubstr(std::string("`--dim` is `") + dim));
  }
  EXPECT_THAT(
      std::string(Parse(Model(), {"--model=m", "--dim=N=1", "--dim=N=2"})
                      .status()
                      .message()),
      HasSubstr("twice for `N`"));
}

TEST(OptionsTest, FlagsOverrideTimingPolicyOfDevice) {
  devices::Device device;
  device.mutable_timing()->set_number(1);
  device.mutable_timing()->set_repeat(60);
  device.mutable_timing()->set_warmup(3);
  Options options;
  options.timing.repeat = 5;
  options.timing.warmup = 0;
  options.timing.min_repeat_ms = 7;
  const devices::TimingPolicy timing = TimingFor(options.timing, device);
  EXPECT_EQ(timing.number(), 1);
  EXPECT_EQ(timing.repeat(), 5);
  EXPECT_EQ(timing.warmup(), 0);
  EXPECT_EQ(timing.min_repeat_ms(), 7);
}

TEST(OptionsTest, RejectsUnknownReference) {
  EXPECT_EQ(Parse(ResNet(), {})->comparison.reference, "");
  for (const char* name : {"onnxruntime", "openvino"}) {
    const std::string flag = std::string("--reference=") + name;
    EXPECT_EQ(Parse(ResNet(), {flag})->comparison.reference, name);
  }
  EXPECT_EQ(Parse(ResNet(), {"--reference=tvm"}).status().message(),
            "`--reference` is `tvm`; there are `onnxruntime`, `openvino`");
}

}  // namespace
}  // namespace assay::suites
