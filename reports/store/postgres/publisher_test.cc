#include "reports/store/postgres/publisher.h"

#include <stdlib.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/postgres/testing/server.h"
#include "reports/store/run_log.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

class PublisherTest : public ::testing::Test {
 protected:
  PublisherTest() : cache_(*TempDir::Create()) {
    setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
  }
  ~PublisherTest() override { unsetenv("XDG_CACHE_HOME"); }

  TempDir cache_;
};

TEST_F(PublisherTest, SendsRowsNowOrLater) {
  auto server = PostgresServer::Start();
  ASSERT_TRUE(server.ok()) << server.status();
  auto publisher = Publisher::Create((*server)->address());
  ASSERT_TRUE(publisher.ok()) << publisher.status();
  EXPECT_THAT(publisher->folder(),
              StartsWith(JoinPath(cache_.path(), "assay/store/")));
  auto log = RunLog::Open(publisher->folder(), "job", SampleResult(),
                          /*resume=*/false);
  ASSERT_TRUE(log.ok()) << log.status();
  const Row row = SampleResult().rows[0];
  ASSERT_TRUE((*log)->Append("a", row).ok());
  publisher->Push();
  EXPECT_EQ(publisher->Warning(), "");
  (*server)->Kill();
  ASSERT_TRUE((*log)->Append("b", row).ok());
  publisher->Push();
  EXPECT_THAT(publisher->Warning(), AllOf(StartsWith("rows are only in `"),
                                          HasSubstr(publisher->folder()),
                                          HasSubstr((*server)->address())));
  ASSERT_TRUE((*server)->Resume().ok());
  ASSERT_TRUE((*log)->Append("c", row).ok());
  // It is too early to try again.
  publisher->Push();
  EXPECT_NE(publisher->Warning(), "");
  ASSERT_TRUE((*log)->Finish().ok());
  publisher->PushNow();
  EXPECT_EQ(publisher->Warning(), "");
  auto store = SharedStore::Open((*server)->address());
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_THAT(*store->Find({}), SizeIs(3));
  EXPECT_THAT(*store->All(), SizeIs(4));
}

TEST_F(PublisherTest, AnotherServerHasAnotherFolder) {
  const auto a = Publisher::Create("postgres://ci@a/assay");
  const auto b = Publisher::Create("postgres://ci@b/assay");
  ASSERT_TRUE(a.ok()) << a.status();
  EXPECT_NE(a->folder(), b->folder());
  EXPECT_EQ(a->folder(), Publisher::Create("postgres://ci@a/assay")->folder());
}

TEST_F(PublisherTest, LocalFolderIsTheStoreOrThatOfThePublisher) {
  EXPECT_EQ(*LocalFolderOf("/srv/store"), "/srv/store");
  EXPECT_EQ(*LocalFolderOf("postgres://ci@a/assay"),
            Publisher::Create("postgres://ci@a/assay")->folder());
}

TEST_F(PublisherTest, RejectsPassword) {
  EXPECT_TRUE(absl::IsInvalidArgument(
      Publisher::Create("postgres://ci:secret@a/assay").status()));
}

}  // namespace
}  // namespace assay::reports
