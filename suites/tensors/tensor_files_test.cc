#include "suites/tensors/tensor_files.h"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using ::testing::HasSubstr;

constexpr int64_t kMemory = 1 << 20;

class TensorFilesTest : public testing::Test {
 protected:
  TensorFilesTest() : dir_(TempDir::Create().value()) {}

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }

  // Returns the tensors in the files.
  static NamedTensors Read(const std::vector<std::string>& paths) {
    NamedTensors tensors;
    const absl::StatusOr<InputFile> file = OpenInputs(paths, kMemory);
    EXPECT_TRUE(file.ok()) << file.status();
    if (!file.ok()) return tensors;
    for (const UnreadTensor& tensor : file->tensors) {
      absl::StatusOr<NDArray> value = tensor.read();
      EXPECT_TRUE(value.ok()) << value.status();
      if (value.ok()) tensors.push_back({tensor.name, *std::move(value)});
    }
    return tensors;
  }

  static void ExpectEqual(const NamedTensors& actual,
                          const NamedTensors& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(actual[i].name, expected[i].name);
      EXPECT_TRUE(BitwiseEqual(actual[i].value, expected[i].value));
    }
  }

  TempDir dir_;
  const NamedTensors outputs_ = {
      {"scores", NDArray::FromVector<float>({2}, {1, 2})},
      {"labels", NDArray::FromVector<int64_t>({1, 1}, {7})},
  };
};

TEST_F(TensorFilesTest, WritesAndReadsNpz) {
  const std::string path = Path("new/folder/y.npz");
  ASSERT_TRUE(PrepareOutputs(path).ok());
  ASSERT_TRUE(WriteOutputs(path, outputs_).ok());
  ExpectEqual(Read({path}), outputs_);
  // The file is replaced, and no temporary file is left.
  const NamedTensors one = {outputs_[1]};
  ASSERT_TRUE(WriteOutputs(path, one).ok());
  ExpectEqual(Read({path}), one);
}

TEST_F(TensorFilesTest, WritesAndReadsFolderOfProtos) {
  const std::string folder = Path("data_set");
  ASSERT_TRUE(PrepareOutputs(folder).ok());
  ASSERT_TRUE(WriteOutputs(folder, outputs_).ok());
  const std::vector<std::string> files = {folder + "/output_0.pb",
                                          folder + "/output_1.pb"};
  ExpectEqual(Read(files), outputs_);
  const auto list = OpenInputs(files, kMemory);
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->label, "`--inputs`");
  EXPECT_TRUE(list->by_position);

  ASSERT_EQ(std::rename(files[0].c_str(), (folder + "/input_0.pb").c_str()), 0);
  ASSERT_EQ(std::rename(files[1].c_str(), (folder + "/input_1.pb").c_str()), 0);
  ExpectEqual(Read({folder}), outputs_);
  EXPECT_EQ(OpenInputs({folder}, kMemory)->label, "`" + folder + "`");
}

TEST_F(TensorFilesTest, NamesOutputsWithoutName) {
  const std::string path = Path("y.npz");
  NamedTensors outputs = outputs_;
  outputs[1].name = "";
  ASSERT_TRUE(WriteOutputs(path, outputs).ok());
  EXPECT_EQ(Read({path})[1].name, "output_1");
}

TEST_F(TensorFilesTest, RejectsOtherFiles) {
  const std::string text = Path("x.txt");
  ASSERT_TRUE(WriteFileAtomic(text, "text").ok());
  for (const std::vector<std::string>& paths :
       {std::vector<std::string>{text}, std::vector<std::string>{dir_.path()},
        std::vector<std::string>{"a.npz", "b.npz"},
        std::vector<std::string>{"a.pb", "b.npz"}}) {
    const absl::Status status = OpenInputs(paths, kMemory).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("`; it must be a .npz file, a list of .pb files, or "
                          "a folder with `input_0.pb`"));
  }
  for (const char* name : {"none.npz", "none.pb", "none"}) {
    const absl::Status status = OpenInputs({Path(name)}, kMemory).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(Path(name)));
  }
  for (const char* name : {"y.npy", "y.pb", "y.onnx"}) {
    EXPECT_THAT(std::string(PrepareOutputs(Path(name)).message()),
                HasSubstr("it must be a .npz file, or a folder for "
                          "`output_0.pb`"));
  }
  EXPECT_FALSE(PrepareOutputs(text).ok());
}

TEST_F(TensorFilesTest, MemoryIsLimited) {
  const std::string path = Path("y.npz");
  ASSERT_TRUE(WriteOutputs(path, outputs_).ok());
  const absl::Status status = OpenInputs({path}, 100).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace assay::suites
