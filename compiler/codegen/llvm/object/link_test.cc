#include "compiler/codegen/llvm/object/link.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/codegen/llvm/object/code_digest.h"
#include "compiler/codegen/llvm/testing/programs.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "gtest/gtest.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace assay::codegen {
namespace {

constexpr const char* kTargets[] = {
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
    "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids",
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53",
    "llvm -mtriple=arm-linux-gnueabihf -mcpu=cortex-a53",
};

target::Target Parse(const char* text) {
  const auto target = target::Target::Parse(text);
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

std::vector<KernelObject> Compile(const std::vector<tir::Function>& kernels,
                                  const target::Target& target) {
  const auto objects = CompileToObjects(kernels, target, {});
  EXPECT_TRUE(objects.ok()) << objects.status();
  return *objects;
}

// Some of the programs, because there are several targets.
std::vector<tir::Function> Programs() {
  const auto programs = LoadPrograms(kProgramsFile);
  EXPECT_TRUE(programs.ok()) << programs.status();
  std::vector<tir::Function> some;
  for (size_t i = 0; i < programs->size(); i += 4) {
    some.push_back((*programs)[i]);
  }
  return some;
}

struct Code {
  std::string bytes;
  uint64_t entry = 0;
  bool operator==(const Code& other) const {
    return bytes == other.bytes && entry == other.entry;
  }
};

// Returns the code of each kernel between its two symbols, by name.
std::map<std::string, Code> CodeByKernel(
    const std::vector<KernelObject>& objects, const target::Target& target) {
  const auto image = LinkSharedObject(objects, target);
  EXPECT_TRUE(image.ok()) << image.status();
  const llvm::MemoryBufferRef buffer(*image, "image");
  const auto file =
      llvm::cantFail(llvm::object::ObjectFile::createELFObjectFile(buffer));
  const auto& elf = llvm::cast<llvm::object::ELFObjectFileBase>(*file);
  std::map<std::string, uint64_t> values;
  for (const auto& symbol : elf.getDynamicSymbolIterators()) {
    values[llvm::cantFail(symbol.getName()).str()] =
        llvm::cantFail(symbol.getValue());
  }
  std::map<std::string, Code> all;
  for (const auto& section : elf.sections()) {
    if (llvm::cantFail(section.getName()) != ".text") continue;
    const llvm::StringRef text = llvm::cantFail(section.getContents());
    for (const KernelObject& object : objects) {
      const auto begin = values.find(object.kernel + ".begin");
      if (begin == values.end()) continue;
      EXPECT_EQ(begin->second % kKernelAlignment, 0u);
      const uint64_t end = values.at(object.kernel + ".end");
      const llvm::StringRef code = text.substr(
          begin->second - section.getAddress(), end - begin->second);
      all[object.kernel] = {code.str(),
                            values.at(object.kernel) - begin->second};
    }
  }
  return all;
}

// Kernels before and after a kernel, and their constants, move its addresses.
TEST(LinkTest, CodeOfKernelDoesNotDependOnOtherKernels) {
  for (const char* text : kTargets) {
    const target::Target target = Parse(text);
    const std::vector<KernelObject> objects = Compile(Programs(), target);
    const std::map<std::string, Code> all = CodeByKernel(objects, target);
    EXPECT_EQ(all.size(), objects.size()) << text;
    std::vector<KernelObject> some;
    for (size_t i = 0; i < objects.size(); i += 3) some.push_back(objects[i]);
    std::reverse(some.begin(), some.end());
    const std::map<std::string, Code> others = CodeByKernel(some, target);
    EXPECT_EQ(others.size(), some.size()) << text;
    for (const auto& [kernel, code] : others) {
      EXPECT_LT(code.entry, code.bytes.size());
      EXPECT_TRUE(code == all.at(kernel)) << kernel << " for " << text;
    }
  }
}

// Digests are made from the object files, and the runtime compares bytes.
TEST(LinkTest, CodeIsEqualIfAndOnlyIfDigestsAre) {
  const std::vector<tir::Function> programs = Programs();
  std::vector<tir::Function> kernels = programs;
  for (const tir::Function& f : programs) {
    kernels.push_back(f);
    kernels.back().name = absl::StrCat("z_", f.name);
  }
  for (const char* text : kTargets) {
    const target::Target target = Parse(text);
    const std::vector<KernelObject> objects = Compile(kernels, target);
    const std::map<std::string, Code> codes = CodeByKernel(objects, target);
    std::map<std::string, Code> by_digest;
    std::map<std::string, std::string> by_bytes;
    for (const KernelObject& object : objects) {
      const std::string digest = CodeDigest(object.image).value();
      const Code& code = codes.at(object.kernel);
      EXPECT_TRUE(by_digest.emplace(digest, code).first->second == code)
          << object.kernel << " for " << text;
      EXPECT_EQ(by_bytes.emplace(code.bytes, digest).first->second, digest)
          << object.kernel << " for " << text;
    }
    EXPECT_LE(by_digest.size(), programs.size());
  }
}

// The loader may place the image at any multiple of kKernelAlignment in a page,
// and gives each page the permissions of one segment.
TEST(LinkTest, SegmentsAreAPageApartWhereverTheCodeEnds) {
  // The code of a kernel ends with 64 bytes of constants. That of 135 kernels
  // ends with a page.
  constexpr char kBody[] =
      "(in %x: int32[16], out %y: int32[16]) {\n"
      "  %y[ramp(0, 1, 16)] = %x[ramp(0, 1, 16)] + ramp(5, 3, 16)\n}\n";
  constexpr int kLeast = 130, kMost = 140;
  std::vector<tir::Function> kernels;
  for (int i = 0; i < kMost; ++i) {
    const auto f = tir::ParseFunction(absl::StrCat("func k", i, kBody));
    ASSERT_TRUE(f.ok()) << f.status();
    kernels.push_back(*f);
  }
  const target::Target target =
      Parse("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4");
  const std::vector<KernelObject> objects = Compile(kernels, target);
  int at_boundary = 0;
  for (int i = kLeast; i <= kMost; ++i) {
    const auto image =
        LinkSharedObject({objects.begin(), objects.begin() + i}, target);
    ASSERT_TRUE(image.ok()) << image.status();
    const auto file = llvm::cantFail(llvm::object::ELF64LEFile::create(*image));
    uint64_t end = 0;
    for (const auto& segment : llvm::cantFail(file.program_headers())) {
      if (segment.p_type != llvm::ELF::PT_LOAD) continue;
      if (end != 0) {
        EXPECT_GE(segment.p_vaddr, end + 4096) << i << " kernels";
        at_boundary += end % 4096 == 0 ? 1 : 0;
      }
      end = segment.p_vaddr + segment.p_memsz;
    }
  }
  EXPECT_GT(at_boundary, 0);
}

TEST(LinkTest, CodeHasTheConstants) {
  const auto kernel = [](const char* name, const char* constant) {
    const auto f = tir::ParseFunction(absl::StrCat(
        "func ", name, "(in %x: float32[64], out %y: float32[64]) {\n",
        "  for i in [0, 64) {\n    %y[i] = %x[i] * ", constant, "\n  }\n}\n"));
    EXPECT_TRUE(f.ok()) << f.status();
    return *f;
  };
  for (const char* text : kTargets) {
    const target::Target target = Parse(text);
    const std::map<std::string, Code> codes = CodeByKernel(
        Compile({kernel("a", "1.7f"), kernel("b", "1.3f"), kernel("c", "1.7f")},
                target),
        target);
    EXPECT_TRUE(codes.at("a") == codes.at("c")) << text;
    EXPECT_FALSE(codes.at("a") == codes.at("b")) << text;
  }
}

}  // namespace
}  // namespace assay::codegen
