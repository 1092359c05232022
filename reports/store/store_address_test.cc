#include "reports/store/store_address.h"

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

TEST(StoreAddressTest, FoldersAreNoAddresses) {
  EXPECT_TRUE(IsPostgresAddress("postgres://ci@db/assay"));
  EXPECT_TRUE(IsPostgresAddress("postgresql://db"));
  EXPECT_FALSE(IsPostgresAddress("/srv/postgres"));
  EXPECT_FALSE(IsPostgresAddress("postgres"));
  EXPECT_FALSE(IsPostgresAddress(""));
}

}  // namespace
}  // namespace assay::reports
