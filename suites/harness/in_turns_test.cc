#include "suites/harness/in_turns.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

class FakeSession : public Session {
 public:
  FakeSession(char letter, std::string* log) : letter_(letter), log_(log) {}
  int threads() const override { return 1; }
  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    return runtime::NamedTensors();
  }
  absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) override {
    EXPECT_EQ(timing.repeat(), 1);
    log_->append(std::string(static_cast<size_t>(timing.warmup()), '.'));
    log_->push_back(letter_);
    if (fail) return absl::InternalError("it broke");
    return Measurement{{static_cast<double>(letter_)}, {}};
  }
  bool fail = false;

 private:
  const char letter_;
  std::string* const log_;
};

devices::TimingPolicy Timing(int repeat) {
  devices::TimingPolicy timing;
  timing.set_warmup(3);
  timing.set_repeat(repeat);
  return timing;
}

TEST(InTurnsTest, SamplesAlternateInADrawnOrder) {
  std::string log;
  FakeSession a('a', &log), b('b', &log);
  int settled = 0;
  const auto result =
      MeasureInTurns({&a, &b}, Timing(20), /*seed=*/1, [&] { ++settled; });
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ((*result)[0], std::vector<double>(20, 'a'));
  EXPECT_EQ((*result)[1], std::vector<double>(20, 'b'));
  EXPECT_EQ(settled, 40);
  EXPECT_EQ(std::count(log.begin(), log.end(), '.'), 2 * 3 + 2 * 19);
  std::string order = log;
  order.erase(std::remove(order.begin(), order.end(), '.'), order.end());
  for (size_t i = 0; i < order.size(); i += 2)
    EXPECT_NE(order[i], order[i + 1]);
  // Both came first now and then.
  EXPECT_NE(order.find("aa"), std::string::npos);
  EXPECT_NE(order.find("bb"), std::string::npos);
}

TEST(InTurnsTest, AnErrorEndsIt) {
  std::string log;
  FakeSession a('a', &log), b('b', &log), c('c', &log);
  c.fail = true;
  EXPECT_EQ(
      MeasureInTurns({&a, &b, &c}, Timing(5), 1, nullptr).status().message(),
      "it broke");
}

}  // namespace
}  // namespace assay::suites
