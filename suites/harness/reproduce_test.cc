#include "suites/harness/reproduce.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

TEST(ReproduceTest, SpellsOutEveryFlag) {
  devices::TimingPolicy timing;
  timing.set_warmup(3);
  timing.set_number(1);
  timing.set_repeat(60);
  timing.set_min_repeat_ms(2);
  Options options;
  options.timing.seed = 7;
  const ModelSource resnet = {"resnet18", "resnet18", {}, nullptr};
  EXPECT_EQ(ReproduceCommand(resnet, options, "host", {true}, 2, timing),
            "./bazelw run //suites:resnet18 -- --device=host --fusion=on "
            "--threads=2 --warmup=3 --number=1 --repeat=60 "
            "--min_repeat_ms=2 --seed=7");
  ModelSource model = {"model", "model", {}, nullptr};
  model.flags = {{"model", "/home/me/my models/a.onnx"}, {"dim", "N=1"}};
  options.model.inputs = {"/home/me/x.pb", "/home/me/y.pb"};
  options.model.varying = {"ids"};
  options.compile.max_error = 1e-5;
  options.compile.max_memory = int64_t{8} << 30;
  options.compile.passes.level = 2;
  options.compile.passes.skip = "fold_pads";
  options.compile.passes.bisect_limit = 7;
  options.compile.configs["Conv_1"] = "tile_ow=[-1,7]";
  options.compile.setup = driver::SetupMode::kLoad;
  options.compile.layout_seed = 3;
  options.comparison.against = "/tmp/base";
  options.comparison.budget_s = 5;
  timing.set_cooldown_ms(10);
  EXPECT_EQ(
      ReproduceCommand(model, options, "rpi3b", {false}, 4, timing),
      "./bazelw run //suites:model -- "
      "'--model=/home/me/my models/a.onnx' --dim=N=1 "
      "--inputs=/home/me/x.pb,/home/me/y.pb --vary=ids --device=rpi3b "
      "--fusion=off --max_error=1e-05 --max_memory=8589934592 "
      "--opt_level=2 "
      "--skip_passes=fold_pads --bisect_limit=7 "
      "'--schedule=Conv_1=tile_ow=[-1,7]' --setup=load --layout_seed=3 "
      "--threads=4 "
      "--warmup=3 --number=1 --repeat=60 --min_repeat_ms=2 --cooldown_ms=10 "
      "--seed=7 "
      "--against=/tmp/base --budget=5 --margin=0.01");
}

TEST(ReproduceTest, HasEveryInputValue) {
  const ModelSource model = {"model", "model", {{"model", "/a.onnx"}}, nullptr};
  Options options;
  options.model.input_values["sr"] = "16000";
  options.model.input_values["an input"] = "-0.5";
  EXPECT_EQ(ReproduceCommand(model, options, "host", {true}, 2,
                             devices::TimingPolicy()),
            "./bazelw run //suites:model -- --model=/a.onnx "
            "'--input_value=an input=-0.5' --input_value=sr=16000 "
            "--device=host --fusion=on --threads=2 --warmup=0 --number=0 "
            "--repeat=0 --min_repeat_ms=0 --seed=0");
}

TEST(ReproduceTest, NamesTheLogOfTunedRows) {
  const ModelSource net = {"net", "net", {}, nullptr};
  Options options;
  const auto command = [&](bool tuned) {
    return ReproduceCommand(net, options, "host", {/*fusion=*/false, tuned}, 2,
                            devices::TimingPolicy());
  };
  EXPECT_THAT(command(true), HasSubstr(" --fusion=off --tuning=tuned --thr"));
  options.matrix.tuning_log = "/home/me/a log.jsonl";
  EXPECT_THAT(command(true),
              HasSubstr(" --fusion=off --tuning=tuned "
                        "'--tuning_log=/home/me/a log.jsonl' --threads=2"));
  EXPECT_THAT(command(false), HasSubstr(" --fusion=off --threads=2"));
}

}  // namespace
}  // namespace assay::suites
