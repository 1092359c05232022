#include "compiler/codegen/llvm/object/code_digest.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/sha256.h"

namespace assay::codegen {
namespace {

using llvm::object::ELFSectionRef;
using llvm::object::ELFSymbolRef;
using llvm::object::SymbolRef;

// Returns true for symbol and string tables, which contain the kernel's name,
// and for the address-significance table, which refers to symbols by number and
// has no effect on the code.
bool HoldsNames(const ELFSectionRef& section) {
  return section.getType() == llvm::ELF::SHT_SYMTAB ||
         section.getType() == llvm::ELF::SHT_STRTAB ||
         section.getType() == llvm::ELF::SHT_LLVM_ADDRSIG;
}

llvm::Error WriteSection(const ELFSectionRef& section, ByteWriter& w) {
  if (HoldsNames(section)) return llvm::Error::success();
  llvm::Expected<llvm::StringRef> contents = section.getContents();
  if (!contents) return contents.takeError();
  w.U32(section.getType());
  w.U64(section.getFlags());
  w.U64(section.getAlignment().value());
  w.U64(section.getSize());
  w.String({contents->data(), contents->size()});
  return llvm::Error::success();
}

// Relocations refer to symbols by number, so all symbols are written with their
// definitions.
llvm::Error WriteSymbol(const ELFSymbolRef& symbol, ByteWriter& w) {
  llvm::Expected<uint32_t> flags = symbol.getFlags();
  if (!flags) return flags.takeError();
  llvm::Expected<llvm::StringRef> name = symbol.getName();
  if (!name) return name.takeError();
  llvm::Expected<uint64_t> value = symbol.getValue();
  if (!value) return value.takeError();
  llvm::Expected<llvm::object::section_iterator> section = symbol.getSection();
  if (!section) return section.takeError();
  const bool undefined = (*flags & SymbolRef::SF_Undefined) != 0;
  const bool in_section = *section != symbol.getObject()->section_end();
  w.U8(symbol.getELFType());
  w.U8(symbol.getBinding());
  w.U64(*value);
  w.U64(symbol.getSize());
  w.U64(in_section ? (*section)->getIndex() : 0);
  w.String(undefined ? absl::string_view(name->data(), name->size()) : "");
  return llvm::Error::success();
}

llvm::Error Write(const llvm::object::ELFObjectFileBase& elf, ByteWriter& w) {
  for (const ELFSectionRef section : elf.sections()) {
    if (llvm::Error error = WriteSection(section, w)) return error;
  }
  for (const ELFSymbolRef symbol : elf.symbols()) {
    if (llvm::Error error = WriteSymbol(symbol, w)) return error;
  }
  return llvm::Error::success();
}

absl::Status NotAnObject(llvm::Error error) {
  return absl::InvalidArgumentError(absl::StrCat(
      "not an ELF object file: ", llvm::toString(std::move(error))));
}

}  // namespace

absl::StatusOr<std::string> CodeDigest(absl::string_view object) {
  const llvm::MemoryBufferRef buffer(
      llvm::StringRef(object.data(), object.size()), "object");
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!file) return NotAnObject(file.takeError());
  ByteWriter w;
  if (llvm::Error error =
          Write(llvm::cast<llvm::object::ELFObjectFileBase>(**file), w)) {
    return NotAnObject(std::move(error));
  }
  return Sha256Hex(w.bytes());
}

}  // namespace assay::codegen
