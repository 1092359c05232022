#include "suites/kernels/shapes.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

constexpr char kGemm[] = "suites/kernels/gemm_shapes.csv";
constexpr char kConv[] = "suites/kernels/conv_shapes.csv";

TEST(ShapesTest, ReadsTheTables) {
  const auto gemms = ReadGemmShapes(kGemm, *ReadFile(kGemm));
  ASSERT_TRUE(gemms.ok()) << gemms.status();
  EXPECT_EQ((*gemms)[2].name, "square2048");
  EXPECT_EQ((*gemms)[2].problem.flops(), 2.0 * 2048 * 2048 * 2048);
  const auto convs = ReadConvShapes(kConv, *ReadFile(kConv));
  ASSERT_TRUE(convs.ok()) << convs.status();
  std::map<std::string, int> counts;
  for (const NamedConv& conv : *convs) ++counts[conv.network];
  EXPECT_EQ(counts["resnet18"], 11);
  EXPECT_EQ(counts["resnet50"], 23);
  EXPECT_EQ(counts["mobilenet_v1"], 19);
  EXPECT_EQ(counts["vgg16"], 9);
}

TEST(ShapesTest, ConvolutionsHaveClasses) {
  const auto convs = ReadConvShapes(
      "t.csv",
      "network,layer,count,in_channels,height,width,out_channels,kernel,stride,"
      "padding,dilation,groups\n"
      "n,a,1,64,56,56,64,3,1,1,1,1\n"
      "n,b,1,64,56,56,64,3,2,1,1,64\n"
      "n,c,1,512,19,19,1024,3,1,6,6,1\n");
  ASSERT_TRUE(convs.ok()) << convs.status();
  EXPECT_EQ(ConvClass((*convs)[0].problem), "3x3 stride 1");
  EXPECT_EQ(ConvText((*convs)[0].problem), "64x56x56-64 k3 s1 p1");
  EXPECT_EQ((*convs)[0].problem.flops(), 2.0 * 64 * 56 * 56 * 64 * 9);
  EXPECT_EQ(ConvClass((*convs)[1].problem), "depthwise");
  EXPECT_EQ(ConvText((*convs)[1].problem), "64x56x56-64 k3 s2 p1 g64");
  EXPECT_EQ((*convs)[1].problem.out_height(), 28);
  EXPECT_EQ(ConvClass((*convs)[2].problem), "other");
  EXPECT_EQ((*convs)[2].problem.out_shape(), (Shape{1, 1024, 19, 19}));
}

TEST(ShapesTest, RejectsInvalidConvolutions) {
  EXPECT_EQ(ReadConvShapes("t.csv",
                           "network,layer,count,in_channels,height,width,"
                           "out_channels,kernel,stride,padding,dilation,"
                           "groups\nn,a,1,64,56,56,64,3,1,1,1,7\n")
                .status()
                .message(),
            "`t.csv:2`: this is no convolution");
}

TEST(ShapesTest, RejectsMissingAndNegativeCounts) {
  for (const char* row :
       {"n,a,,64,56,56,64,3,1,1,1,1", "n,a,-1,64,56,56,64,3,1,1,1,1",
        "n,a,1,64,56,56,64,3,1,,1,1", "n,a,1,64,56,56,64,3,1,-1,1,1",
        "n,a,1,64,56,56,64,3,1,x,1,1"}) {
    EXPECT_THAT(
        std::string(
            ReadConvShapes(
                "t.csv",
                absl::StrCat("network,layer,count,in_channels,height,width,"
                             "out_channels,kernel,stride,padding,dilation,"
                             "groups\n",
                             row, "\n"))
                .status()
                .message()),
        testing::MatchesRegex("`t.csv:2`: `.*` is no count"))
        << row;
  }
  EXPECT_EQ(ReadGemmShapes("t.csv", "name,m,n,k\na,1,,1\n").status().message(),
            "`t.csv:2`: `` is no count");
}

TEST(ShapesTest, SkipsCommentsAndBlanks) {
  const auto gemms = ReadGemmShapes("t.csv", R"(# shapes
name, m,n,k

square,512,512,512
# the last
 wide , 7,1,2
)");
  ASSERT_TRUE(gemms.ok()) << gemms.status();
  ASSERT_EQ(gemms->size(), 2u);
  EXPECT_EQ((*gemms)[1].name, "wide");
  EXPECT_EQ((*gemms)[1].problem.m, 7);
}

TEST(ShapesTest, ErrorsNameTheFile) {
  for (const char* text : {"", "# nothing", "name,n,k\na,1,1\n",
                           "name,m,n,k\na,1,1\n", "name,m,n,k\na,1,1,1,1\n",
                           "name,m,n,k\na,b,1,1\n", "name,m,n,k\na,0,1,1\n"}) {
    EXPECT_THAT(std::string(ReadGemmShapes("t.csv", text).status().message()),
                testing::HasSubstr("t.csv"))
        << text;
  }
  EXPECT_EQ(ReadGemmShapes("t.csv", "name,m,n,k\na,1,1,0\n").status().message(),
            "`t.csv:2`: this is no matrix product");
}

}  // namespace
}  // namespace assay::suites
