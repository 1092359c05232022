#include "compiler/tir/printer.h"

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/printer.h"

namespace assay::tir {
namespace {

const char* KeywordOf(ForKind kind) {
  switch (kind) {
    case ForKind::kSerial:
      return "for";
    case ForKind::kParallel:
      return "parallel";
    case ForKind::kVectorized:
      return "vectorized";
    case ForKind::kUnrolled:
      return "unrolled";
  }
  return "";
}

class Printer {
 public:
  void Print(const Function& f);
  void Print(const Stmt& s);
  std::string Take() { return std::move(out_); }

 private:
  void PrintFor(const For* loop);
  void PrintStore(const Store* store);
  void PrintIf(const IfThenElse* stmt);
  void PrintAllocate(const Allocate* allocate);
  void PrintLet(const Let* let);
  void PrintBlock(const Block* block);

  void Line(absl::string_view text) {
    absl::StrAppend(&out_, std::string(indent_, ' '), text, "\n");
  }
  void Braced(const Stmt& body) {
    indent_ += 2;
    Print(body);
    indent_ -= 2;
  }
  std::string Text(const Expr& e) {
    std::string text;
    expr::PrintExpr(e, names_, &text);
    return text;
  }
  std::string NameOf(const Buffer& b) {
    return absl::StrCat("%", names_.buffers.NameOf(b.get(), b->name));
  }
  std::string TypeOf(const Buffer& b) {
    return absl::StrCat(b->dtype.ToString(), ShapeToString(b->shape));
  }

  expr::ExprNames names_;
  std::string out_;
  int indent_ = 0;
};

void Printer::Print(const Function& f) {
  std::string header = absl::StrCat("func ", f.name, "(");
  const char* separator = "";
  for (const Buffer& b : f.inputs) {
    absl::StrAppend(&header, separator, "in ", NameOf(b), ": ", TypeOf(b));
    separator = ", ";
  }
  for (const Buffer& b : f.outputs) {
    absl::StrAppend(&header, separator, "out ", NameOf(b), ": ", TypeOf(b));
    separator = ", ";
  }
  Line(absl::StrCat(header, ") {"));
  Braced(f.body);
  Line("}");
}

void Printer::PrintFor(const For* loop) {
  const std::string min = Text(loop->min), extent = Text(loop->extent);
  const std::string var =
      names_.vars.NameOf(loop->var.get(), loop->var.As<expr::Var>()->name);
  const bool from_zero = expr::IsConstInt(loop->min, 0);
  Line(absl::StrCat(KeywordOf(loop->for_kind), " ", var, " in [", min, ", ",
                    from_zero ? "" : "+", extent, ") {"));
  Braced(loop->body);
  Line("}");
  names_.vars.Release(loop->var.get());
}

void Printer::PrintStore(const Store* store) {
  std::string target = absl::StrCat(NameOf(store->buffer), "[");
  for (size_t i = 0; i < store->indices.size(); ++i) {
    absl::StrAppend(&target, i > 0 ? ", " : "", Text(store->indices[i]));
  }
  Line(absl::StrCat(target, "] = ", Text(store->value)));
}

void Printer::PrintIf(const IfThenElse* stmt) {
  Line(absl::StrCat("if ", Text(stmt->condition), " {"));
  Braced(stmt->then_body);
  if (stmt->else_body.defined()) {
    Line("} else {");
    Braced(stmt->else_body);
  }
  Line("}");
}

void Printer::PrintAllocate(const Allocate* allocate) {
  const Buffer& b = allocate->buffer;
  const char* scope = b->scope == expr::Scope::kLocal ? "local " : "global ";
  Line(absl::StrCat("alloc ", NameOf(b), ": ", scope, TypeOf(b)));
  Print(allocate->body);
  names_.buffers.Release(b.get());
}

// An alloc or let extends to the end of its braces, so one that is followed by
// other statements gets its own braces.
void Printer::PrintBlock(const Block* block) {
  for (size_t i = 0; i < block->stmts.size(); ++i) {
    const Stmt& s = block->stmts[i];
    const bool braces =
        (s.As<Allocate>() != nullptr || s.As<Let>() != nullptr) &&
        i + 1 < block->stmts.size();
    if (braces) {
      Line("{");
      Braced(s);
      Line("}");
    } else {
      Print(s);
    }
  }
}

void Printer::PrintLet(const Let* let) {
  const std::string value = Text(let->value);
  const std::string var =
      names_.vars.NameOf(let->var.get(), let->var.As<expr::Var>()->name);
  Line(absl::StrCat("let ", var, " = ", value));
  Print(let->body);
  names_.vars.Release(let->var.get());
}

void Printer::Print(const Stmt& s) {
  if (!s.defined()) return Line("<undefined>");
  switch (s.kind()) {
    case StmtKind::kFor:
      return PrintFor(s.As<For>());
    case StmtKind::kStore:
      return PrintStore(s.As<Store>());
    case StmtKind::kAllocate:
      return PrintAllocate(s.As<Allocate>());
    case StmtKind::kIfThenElse:
      return PrintIf(s.As<IfThenElse>());
    case StmtKind::kBlock:
      return PrintBlock(s.As<Block>());
    case StmtKind::kPragma:
      Line(absl::StrCat("pragma ", s.As<Pragma>()->key, " ",
                        s.As<Pragma>()->value, " {"));
      Braced(s.As<Pragma>()->body);
      return Line("}");
    case StmtKind::kPrefetch:
      return Line(absl::StrCat("prefetch ", Text(s.As<Prefetch>()->element)));
    case StmtKind::kLet:
      return PrintLet(s.As<Let>());
  }
}

}  // namespace

std::string ToString(const Stmt& s) {
  Printer printer;
  printer.Print(s);
  return printer.Take();
}

std::string ToString(const Function& f) {
  Printer printer;
  printer.Print(f);
  return printer.Take();
}

std::ostream& operator<<(std::ostream& os, const Stmt& s) {
  return os << ToString(s);
}

std::ostream& operator<<(std::ostream& os, const Function& f) {
  return os << ToString(f);
}

}  // namespace assay::tir
