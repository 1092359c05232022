#include "suites/harness/work_list.h"

#include <set>
#include <thread>
#include <tuple>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using Fields = std::tuple<int, int, int, int>;

Fields FieldsOf(const std::optional<Unit>& unit) {
  if (!unit.has_value()) return {-1, -1, -1, -1};
  return {unit->index, unit->model, unit->plan, unit->threads};
}

TEST(WorkListTest, SortsUnitsAsRows) {
  WorkList work(2, {{1, 4}, {2}});
  EXPECT_EQ(work.CountOf(0), 4);
  EXPECT_EQ(work.CountOf(1), 2);
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(0, 0, 0, 1));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(1, 0, 0, 4));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(2, 0, 1, 2));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(3, 1, 0, 1));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(4, 1, 0, 4));
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(5, 1, 1, 2));
  EXPECT_FALSE(work.TakeAny().has_value());
}

TEST(WorkListTest, ALaneTakesUnitsOfItsDevice) {
  WorkList work(2, {{1}, {2}});
  work.Join(1);
  EXPECT_EQ(FieldsOf(work.Take(1)), Fields(1, 0, 1, 2));
  EXPECT_EQ(FieldsOf(work.Take(1)), Fields(3, 1, 1, 2));
  EXPECT_FALSE(work.Take(1).has_value());
}

TEST(WorkListTest, AnotherLaneTakesAUnitThatIsGivenBack) {
  WorkList work(2, {{1}});
  work.Join(0);
  work.Join(0);
  const Unit first = *work.Take(0);
  const Unit second = *work.Take(0);
  EXPECT_TRUE(work.GiveBack(first));
  // The other lane is the last one, and keeps what it has.
  EXPECT_FALSE(work.GiveBack(second));
  EXPECT_EQ(FieldsOf(work.Take(0)), FieldsOf(first));
}

TEST(WorkListTest, ALaneThatFoundNoUnitTakesNone) {
  WorkList work(1, {{1}});
  work.Join(0);
  work.Join(0);
  const Unit unit = *work.Take(0);
  EXPECT_FALSE(work.Take(0).has_value());
  EXPECT_FALSE(work.GiveBack(unit));
}

TEST(WorkListTest, LanesOfAnotherDeviceDoNotTakeAUnit) {
  WorkList work(1, {{1}, {1}});
  work.Join(0);
  work.Join(1);
  EXPECT_FALSE(work.GiveBack(*work.Take(0)));
}

TEST(WorkListTest, SaysWhenAModelIsFinished) {
  WorkList work(2, {{1, 2}});
  const Unit first = *work.TakeAny();
  const Unit second = *work.TakeAny();
  EXPECT_FALSE(work.Finish(second));
  EXPECT_TRUE(work.Finish(first));
}

TEST(WorkListTest, UnitsThatWereTakenAreNotDropped) {
  WorkList work(2, {{1, 2}});
  const Unit first = *work.TakeAny();
  work.Drop(0);
  EXPECT_EQ(FieldsOf(work.TakeAny()), Fields(2, 1, 0, 1));
  EXPECT_TRUE(work.Finish(first));
}

TEST(WorkListTest, ManyLanesTakeEachUnitOnce) {
  constexpr int kModels = 50, kLanes = 4;
  WorkList work(kModels, {{1, 2}});
  std::vector<std::set<int>> taken(kLanes);
  std::vector<std::thread> threads;
  for (int lane = 0; lane < kLanes; ++lane) {
    threads.emplace_back([&work, &mine = taken[lane]] {
      work.Join(0);
      while (const std::optional<Unit> unit = work.Take(0)) {
        mine.insert(unit->index);
        work.Finish(*unit);
      }
    });
  }
  work.WaitUntilFinished();
  std::set<int> all;
  size_t count = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    threads[lane].join();
    all.insert(taken[lane].begin(), taken[lane].end());
    count += taken[lane].size();
  }
  EXPECT_EQ(all.size(), 2u * kModels);
  EXPECT_EQ(count, all.size());
}

}  // namespace
}  // namespace assay::suites
