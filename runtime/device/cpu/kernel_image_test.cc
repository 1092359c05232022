#include "runtime/device/cpu/kernel_image.h"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/device/testdata/test_kernels.h"

namespace assay::runtime {
namespace {

std::string ErrorOf(const std::string& code) {
  return std::string(KernelImage::Load(code).status().message());
}

// Calls `change` on each entry of the dynamic section.
std::string WithDynamic(const std::function<void(ElfW(Dyn) *)>& change) {
  std::string code = TestKernels();
  ElfW(Ehdr) header;
  std::memcpy(&header, code.data(), sizeof(header));
  for (int i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, &code[header.e_phoff + i * sizeof(segment)],
                sizeof(segment));
    if (segment.p_type != PT_DYNAMIC) continue;
    for (size_t at = 0; at < segment.p_filesz; at += sizeof(ElfW(Dyn))) {
      ElfW(Dyn) entry;
      std::memcpy(&entry, &code[segment.p_offset + at], sizeof(entry));
      change(&entry);
      std::memcpy(&code[segment.p_offset + at], &entry, sizeof(entry));
    }
  }
  return code;
}

TEST(KernelImageTest, FindsExportedFunctions) {
  const auto image = KernelImage::Load(TestKernels());
  ASSERT_TRUE(image.ok()) << image.status();
  const absl::StatusOr<void*> found = (*image)->Find("test_add");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_NE(*found, nullptr);
  EXPECT_EQ((*image)->Find("missing").status(),
            absl::NotFoundError("the kernels' code has no symbol `missing`"));
}

TEST(KernelImageTest, LoadsCodeAtTheOffset) {
  const auto address = [](int64_t offset) {
    const auto image = KernelImage::Load(TestKernels(), offset);
    return reinterpret_cast<uintptr_t>(*(*image)->Find("test_add"));
  };
  const uintptr_t at_0 = address(0);
  for (const int64_t offset : {64, 1984, 4096 + 64, 40 * 4096}) {
    EXPECT_EQ((address(offset) - at_0) % 4096,
              static_cast<uintptr_t>(offset) % 4096);
  }
}

// Sets the value of a symbol of the image.
std::string WithSymbol(absl::string_view name,
                       const std::function<ElfW(Addr)(ElfW(Addr))>& change) {
  uint64_t symbols = 0, strings = 0, hash = 0;
  std::string code = WithDynamic([&](ElfW(Dyn) * entry) {
    if (entry->d_tag == DT_SYMTAB) symbols = entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
    if (entry->d_tag == DT_HASH) hash = entry->d_un.d_ptr;
  });
  // They are in the first segment, whose addresses are offsets in the file.
  uint32_t counts[2];
  std::memcpy(counts, &code[hash], sizeof(counts));
  for (uint32_t i = 0; i < counts[1]; ++i) {
    ElfW(Sym) symbol;
    char* const at = &code[symbols + i * sizeof(symbol)];
    std::memcpy(&symbol, at, sizeof(symbol));
    if (&code[strings + symbol.st_name] != name) continue;
    symbol.st_value = change(symbol.st_value);
    std::memcpy(at, &symbol, sizeof(symbol));
  }
  return code;
}

TEST(KernelImageTest, CodeOfKernelIsBetweenItsMarks) {
  const auto image = KernelImage::Load(TestKernels(), 64);
  ASSERT_TRUE(image.ok()) << image.status();
  EXPECT_EQ((*image)->CodeOf("test_marked").bytes, "\1\2\3\4\5\6");
  EXPECT_EQ((*image)->CodeOf("test_marked").entry, 2);
  EXPECT_EQ((*image)->CodeOf("test_add").bytes, "");
  EXPECT_EQ((*image)->CodeOf("missing").bytes, "");
}

// A hostile image could make its marks enclose the code of another kernel, or
// memory that cannot be read.
TEST(KernelImageTest, RejectsMarksThatDoNotEncloseTheKernel) {
  using Value = ElfW(Addr);
  const auto code_with = [](absl::string_view symbol,
                            const std::function<Value(Value)>& change) {
    const auto image = KernelImage::Load(WithSymbol(symbol, change));
    EXPECT_TRUE(image.ok()) << image.status();
    const KernelCode code = (*image)->CodeOf("test_marked");
    return absl::StrCat(code.entry, ":", code.bytes);
  };
  constexpr char kBegin[] = "test_marked.begin", kEnd[] = "test_marked.end";
  EXPECT_EQ(code_with(kEnd, [](Value v) { return v - 1; }), "2:\1\2\3\4\5");
  EXPECT_EQ(code_with(kBegin, [](Value v) { return v + 1; }), "1:\2\3\4\5\6");
  const std::string none = "0:";
  EXPECT_EQ(code_with(kBegin, [](Value v) { return v + 3; }), none);
  EXPECT_EQ(code_with(kEnd, [](Value v) { return v - 4; }), none);
  EXPECT_EQ(code_with(kEnd, [](Value v) { return v + 0x10000; }), none);
  EXPECT_EQ(code_with(kEnd, [](Value) { return Value(-1); }), none);
  EXPECT_EQ(code_with(kBegin, [](Value) { return Value(0); }), none);
}

TEST(KernelImageTest, EveryLoadMakesACopy) {
  const auto first = KernelImage::Load(TestKernels());
  const auto second = KernelImage::Load(TestKernels());
  EXPECT_NE(*(*first)->Find("test_add"), *(*second)->Find("test_add"));
}

TEST(KernelImageTest, RejectsCodeForAnotherArchitecture) {
  std::string code = TestKernels();
  const size_t machine = offsetof(Elf32_Ehdr, e_machine);
  code[machine] = static_cast<char>(EM_386);
  code[machine + 1] = 0;
  EXPECT_EQ(
      ErrorOf(code).find("the kernels' code is for i386, but this machine is "),
      0u)
      << ErrorOf(code);
}

TEST(KernelImageTest, RejectsOtherFiles) {
  std::string program = TestKernels();
  program[offsetof(Elf32_Ehdr, e_type)] = ET_EXEC;
  EXPECT_EQ(ErrorOf(program), "the kernels' code is not a shared object");
  EXPECT_EQ(ErrorOf("\x7f"
                    "ELF"),
            "the kernels' code is not an ELF file");
  EXPECT_EQ(ErrorOf(TestKernels().substr(0, sizeof(ElfW(Ehdr)))),
            "the kernels' code ends before its program headers");
}

// Loading must not execute code of the object or of another library.
TEST(KernelImageTest, RejectsLibrariesInitialisersAndImports) {
  const auto with_tag = [](auto tag) {
    return ErrorOf(WithDynamic([tag](ElfW(Dyn) * entry) {
      if (entry->d_tag == DT_GNU_HASH) entry->d_tag = tag;
    }));
  };
  EXPECT_EQ(with_tag(DT_NEEDED), "the kernels' code needs another library");
  EXPECT_EQ(with_tag(DT_INIT), "the kernels' code has initialisers");
  EXPECT_EQ(with_tag(DT_INIT_ARRAY), "the kernels' code has initialisers");
  EXPECT_EQ(with_tag(DT_FINI_ARRAY), "the kernels' code has initialisers");
  EXPECT_NE(ErrorOf(WithDynamic([](ElfW(Dyn) * entry) {
              if (entry->d_tag == DT_SYMTAB) entry->d_un.d_ptr += 8;
            })),
            "");
}

// No change of the bytes makes the loader access memory outside the object.
TEST(KernelImageTest, SurvivesDamagedFiles) {
  const std::string good = TestKernels();
  std::mt19937 rng(7);
  for (int i = 0; i < 20000; ++i) {
    std::string code = good;
    // Most interesting fields are in the headers and the dynamic section.
    for (int k = 0; k < 3; ++k) {
      const size_t span = rng() % 2 == 0 ? 1024 : code.size();
      code[rng() % std::min(span, code.size())] = static_cast<char>(rng());
    }
    if (rng() % 8 == 0) code.resize(rng() % code.size());
    const auto image = KernelImage::Load(code, 64 * (rng() % 64));
    if (image.ok()) (void)(*image)->Find("test_add");
  }
}

}  // namespace
}  // namespace assay::runtime
