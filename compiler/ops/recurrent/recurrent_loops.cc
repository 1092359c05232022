#include "compiler/ops/recurrent/recurrent_loops.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/config_space.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/recurrent/cell_functions.h"
#include "compiler/ops/recurrent/panel_product.h"
#include "compiler/ops/recurrent/quantized_product.h"
#include "compiler/ops/recurrent/state_product.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/te/extern.h"

namespace assay::ops {
namespace {

using expr::Const;
using expr::Expr;
using graph::RecurrentAttrs;
using graph::RecurrentCell;
using te::Array;

// The number of parts of the sequences of a direction that threads run.
int64_t SequenceParts(const RecurrentSizes& sizes,
                      const target::Target& target) {
  const int64_t tiles = CeilDiv(sizes.batch, TilesOf(sizes, target).rows);
  const int64_t parts = std::min(tiles, ThreadsOfDirection(sizes, target));
  // No part is empty.
  return CeilDiv(tiles, CeilDiv(tiles, parts));
}

class Loops {
 public:
  Loops(const OpInstance& op, const Operands& in, const target::Target& target)
      : attrs_(op.attrs_as<RecurrentAttrs>()),
        sizes_(RecurrentSizesOf(op)),
        target_(target),
        dtype_(op.output.dtype),
        is_lstm_(attrs_.cell == RecurrentCell::kLstm),
        rows_(TilesOf(sizes_, target).rows),
        padded_(sizes_.panels * sizes_.units),
        e_("recurrent"),
        x_(e_.Input(in[0])),
        weights_(e_.Input(in[1])),
        bias_(e_.Input(in[2])),
        first_h_(e_.Input(in[3])),
        product_(e_, sizes_, target, weights_, dtype_) {
    size_t next = 4;
    if (is_lstm_) first_c_ = e_.Input(in[next++]);
    if (attrs_.quantized) {
      const Array scale = e_.Input(in[next++]), shift = e_.Input(in[next++]);
      bytes_.emplace(e_, sizes_, target, weights_, scale, shift);
    }
    if (attrs_.peepholes) peepholes_ = e_.Input(in[next++]);
    if (attrs_.lengths) lengths_ = e_.Input(in[next++]);
    const auto [steps, batch, directions, panels, gates, units, hidden] =
        sizes_;
    y_ = e_.Output(dtype_, {steps, directions, batch, hidden});
    last_h_ = e_.Output(dtype_, {directions, batch, hidden});
    if (is_lstm_) last_c_ = e_.Output(dtype_, {directions, batch, hidden});
    const Shape state = {directions, batch, padded_};
    h_ = e_.Scratch(dtype_, {2, directions, batch, padded_}, "h");
    if (is_lstm_) c_ = e_.Scratch(dtype_, state, "c");
    if (IsInTwoParts()) {
      update_ = e_.Scratch(dtype_, state, "update");
      scaled_ = e_.Scratch(dtype_, state, "scaled");
    }
    if (attrs_.quantized) bytes_->Allocate();
  }

  te::Tensor Run(ThreadsShare share) {
    const int64_t work = sizes_.steps * sizes_.directions * sizes_.batch *
                         sizes_.gates * sizes_.hidden * sizes_.hidden;
    threads_ = IsWorthThreads(work);
    if (share == ThreadsShare::kPanels) {
      SharePanels();
    } else {
      ShareSequences();
    }
    return e_.Build()[0];
  }

 private:
  // A range of sequences: `tiles` full tiles from tile `first`, and the
  // sequences after the last full tile if `has_rest` (null: always).
  struct Rows {
    Expr first, tiles, has_rest;
  };
  // The current iteration of the loops around a tile.
  struct Place {
    Expr direction, step, panel;
  };

  // True if the candidate gate of a gru multiplies the state scaled by the
  // reset gate, and therefore is computed when all reset gates are known.
  bool IsInTwoParts() const {
    return attrs_.cell == RecurrentCell::kGru && !attrs_.linear_before_reset;
  }
  int64_t FullTiles() const { return sizes_.batch / rows_; }
  int64_t RestRows() const { return sizes_.batch % rows_; }
  Rows AllRows() const { return {0, AsInt(FullTiles()), Expr()}; }

  void For(const char* name, int64_t extent, const te::Extern::LoopBody& body) {
    e_.For(name, 0, AsInt(extent), body);
  }
  void MaybeParallel(const char* name, int64_t extent,
                     const te::Extern::LoopBody& body) {
    if (threads_ && extent > 1) {
      e_.Parallel(name, AsInt(extent), body);
    } else {
      For(name, extent, body);
    }
  }
  // Stores a value in a local variable, so that it is computed only once.
  Expr Let(const char* name, const Expr& value) {
    const Array local = e_.Local(dtype_, {1}, name);
    local.Set({0}, value);
    return local(0);
  }

  void ForEachTile(const Rows& rows,
                   const std::function<void(const Expr&, int64_t)>& body) {
    if (FullTiles() > 0) {
      e_.For("tile", rows.first, rows.tiles,
             [&](const Expr& tile) { body(tile * AsInt(rows_), rows_); });
    }
    if (RestRows() == 0) return;
    const auto rest = [&] { body(AsInt(FullTiles() * rows_), RestRows()); };
    if (rows.has_rest.defined()) {
      e_.If(rows.has_rest, rest);
    } else {
      rest();
    }
  }
  void ForEachRow(const Rows& rows,
                  const std::function<void(const Expr&)>& body) {
    ForEachTile(rows, [&](const Expr& first, int64_t count) {
      For("row", count, [&](const Expr& row) { body(first + row); });
    });
  }

  // The steps in the order in which a direction runs.
  Expr TimeOf(const Expr& direction, const Expr& step) const {
    const Expr from_end = AsInt(sizes_.steps - 1) - step;
    const auto& reverse = attrs_.reverse;
    const Expr first = reverse[0] != 0 ? from_end : step;
    if (reverse.size() == 1 || reverse[0] == reverse[1]) return first;
    const Expr second = reverse[1] != 0 ? from_end : step;
    return expr::SelectOf(expr::Eq(direction, 0), first, second);
  }
  // The half of h_ that holds the state before a step.
  static Expr Before(const Expr& step) { return step % 2; }
  static Expr After(const Expr& step) { return (step + 1) % 2; }

  void ShareSequences() {
    // Dynamic quantization has one scale for the states of all sequences.
    const int64_t parts = attrs_.quantized ? 1 : SequenceParts(sizes_, target_);
    const int64_t tiles_each = CeilDiv(CeilDiv(sizes_.batch, rows_), parts);
    MaybeParallel("part", sizes_.directions * parts, [&](const Expr& part) {
      const Expr direction = parts == 1 ? part : part / AsInt(parts);
      Rows rows = AllRows();
      if (parts > 1) {
        const Expr number = part % AsInt(parts);
        rows.first = number * AsInt(tiles_each);
        rows.tiles = expr::Max(
            expr::Min(AsInt(FullTiles()) - rows.first, AsInt(tiles_each)), 0);
        rows.has_rest = expr::Eq(number, AsInt(parts - 1));
      }
      Begin(direction, rows);
      For("step", sizes_.steps, [&](const Expr& step) {
        if (attrs_.quantized) Quantize(direction, step);
        For("panel", sizes_.panels, [&](const Expr& panel) {
          Advance({direction, step, panel}, rows);
        });
        if (!IsInTwoParts()) return;
        For("panel", sizes_.panels, [&](const Expr& panel) {
          AdvanceCandidate({direction, step, panel}, rows);
        });
      });
      End(direction, rows);
    });
  }

  void SharePanels() {
    const auto each_direction = [&](const te::Extern::LoopBody& body) {
      For("direction", sizes_.directions, body);
    };
    const auto each_panel =
        [&](const std::function<void(const Expr& direction, const Expr& panel)>&
                body) {
          MaybeParallel("part", sizes_.directions * sizes_.panels,
                        [&](const Expr& part) {
                          const int panels = AsInt(sizes_.panels);
                          body(part / panels, part % panels);
                        });
        };
    each_direction([&](const Expr& d) { Begin(d, AllRows()); });
    For("step", sizes_.steps, [&](const Expr& step) {
      if (attrs_.quantized) {
        each_direction([&](const Expr& d) { Quantize(d, step); });
      }
      each_panel([&](const Expr& direction, const Expr& panel) {
        Advance({direction, step, panel}, AllRows());
      });
      if (!IsInTwoParts()) return;
      each_panel([&](const Expr& direction, const Expr& panel) {
        AdvanceCandidate({direction, step, panel}, AllRows());
      });
    });
    each_direction([&](const Expr& d) { End(d, AllRows()); });
  }

  // The units beyond the last one begin with 0, so that they never hold
  // arbitrary numbers.
  void Begin(const Expr& direction, const Rows& rows) {
    ForEachRow(rows, [&](const Expr& row) {
      For("unit", padded_, [&](const Expr& unit) {
        const auto first = [&](const Array& given) {
          const Expr value = given(direction, row, unit);
          if (padded_ == sizes_.hidden) return value;
          return expr::SelectOf(unit < AsInt(sizes_.hidden), value,
                                Const(dtype_, 0));
        };
        h_.Set({0, direction, row, unit}, first(first_h_));
        if (is_lstm_) c_.Set({direction, row, unit}, first(first_c_));
      });
    });
    if (attrs_.quantized) bytes_->SumWeights(direction);
  }

  void End(const Expr& direction, const Rows& rows) {
    ForEachRow(rows, [&](const Expr& row) {
      For("unit", sizes_.hidden, [&](const Expr& unit) {
        last_h_.Set({direction, row, unit},
                    h_(AsInt(sizes_.steps % 2), direction, row, unit));
        if (is_lstm_) {
          last_c_.Set({direction, row, unit}, c_(direction, row, unit));
        }
      });
    });
  }

  void Quantize(const Expr& direction, const Expr& step) {
    bytes_->Quantize(direction, [&](const Expr& row, const Expr& unit) {
      return h_(Before(step), direction, row, unit);
    });
  }

  // A unit of a sequence. `in_panel` is the index of the unit in its panel.
  struct Unit {
    Expr row, index, in_panel;
  };
  // The sum of a gate with its bias.
  using Sum = std::function<Expr(int64_t gate)>;
  // Computes the next states of a unit.
  using Update = std::function<void(const Unit& unit, const Sum& sum)>;
  // Multiplies `state` of `rows` sequences from `first` with the weights of a
  // panel, and updates their units.
  void UpdatePanel(const Place& place, const GateRange& gates,
                   const StateElement& state, const Expr& first, int64_t rows,
                   const Update& update) {
    product_.Emit(
        {place.direction, place.panel, gates, state}, first, rows,
        [&](const Expr& row, const Expr& in_panel,
            const PanelProduct::Sum& product) {
          const Unit unit = {row, IndexOf(place, in_panel), in_panel};
          update(unit, [&](int64_t gate) {
            const std::vector<Expr> at = {place.direction, place.panel,
                                          AsInt(gate), in_panel};
            const Expr sum = product(gate);
            return (attrs_.quantized ? bytes_->ToFloat(sum, row, at) : sum) +
                   bias_(at);
          });
        });
  }
  Expr IndexOf(const Place& place, const Expr& in_panel) const {
    return place.panel * AsInt(sizes_.units) + in_panel;
  }

  Expr Input(const Place& place, const Unit& unit, int64_t gate) const {
    return x_(TimeOf(place.direction, place.step), unit.row, place.direction,
              place.panel, AsInt(gate), unit.in_panel);
  }
  // The hidden state before the step.
  Expr HiddenOf(const Place& place, const Unit& unit) const {
    return h_(Before(place.step), place.direction, unit.row, unit.index);
  }

  // True if the sequence is not at its end; undefined if it never is.
  Expr Runs(const Place& place, const Expr& row) const {
    if (!attrs_.lengths) return Expr();
    return expr::CastTo(DType::Int64(), TimeOf(place.direction, place.step)) <
           lengths_(row);
  }
  static Expr Choose(const Expr& runs, const Expr& next, const Expr& before) {
    return runs.defined() ? expr::SelectOf(runs, next, before) : next;
  }
  void StoreHidden(const Place& place, const Unit& unit, const Expr& next) {
    h_.Set({After(place.step), place.direction, unit.row, unit.index},
           Choose(Runs(place, unit.row), next, HiddenOf(place, unit)));
  }
  // Copies the next hidden states of a panel to the output, which has no units
  // that fill the last panel.
  void StoreOutput(const Place& place, const Expr& row) {
    const auto store = [&](const Expr& unit) {
      const Expr h = h_(After(place.step), place.direction, row, unit);
      y_.Set({TimeOf(place.direction, place.step), place.direction, row, unit},
             Choose(Runs(place, row), h, Const(dtype_, 0)));
    };
    const int64_t lanes =
        LargestDivisor(sizes_.units, LanesOf(dtype_, target_));
    For("block", sizes_.units / lanes, [&](const Expr& block) {
      e_.Vectorized("lane", AsInt(lanes), [&](const Expr& lane) {
        const Expr unit = IndexOf(place, block * AsInt(lanes) + lane);
        if (padded_ == sizes_.hidden) {
          store(unit);
        } else {
          e_.If(unit < AsInt(sizes_.hidden), [&] { store(unit); });
        }
      });
    });
  }

  // One step of a panel: all gates, or for a gru in two parts the first two.
  void Advance(const Place& place, const Rows& rows) {
    const CellFunctions functions(attrs_, place.direction);
    const GateRange gates = {0, IsInTwoParts() ? 2 : sizes_.gates};
    const StateElement state = [&](const Expr& row, const Expr& k) {
      return attrs_.quantized ? bytes_->Word(place.direction, row, k)
                              : h_(Before(place.step), place.direction, row, k);
    };
    const auto update = [&](const Unit& unit, const Sum& sum) {
      switch (attrs_.cell) {
        case RecurrentCell::kRnn:
          StoreHidden(place, unit,
                      functions.Gate(0, sum(0) + Input(place, unit, 0)));
          break;
        case RecurrentCell::kGru:
          AdvanceGru(place, functions, unit, sum);
          break;
        case RecurrentCell::kLstm:
          AdvanceLstm(place, functions, unit, sum);
          break;
      }
    };
    ForEachTile(rows, [&](const Expr& first, int64_t count) {
      UpdatePanel(place, gates, state, first, count, update);
      if (!IsInTwoParts()) StoreOutputs(place, first, count);
    });
  }
  void StoreOutputs(const Place& place, const Expr& first, int64_t count) {
    For("row", count,
        [&](const Expr& row) { StoreOutput(place, first + row); });
  }

  // Gates: update, reset, candidate.
  void AdvanceGru(const Place& place, const CellFunctions& functions,
                  const Unit& unit, const Sum& sum) {
    const auto gate = [&](int64_t g, const char* name) {
      return Let(name, functions.Gate(0, sum(g) + Input(place, unit, g)));
    };
    const Expr update = gate(0, "update_gate"), reset = gate(1, "reset_gate");
    if (IsInTwoParts()) {
      update_.Set({place.direction, unit.row, unit.index}, update);
      scaled_.Set({place.direction, unit.row, unit.index},
                  reset * HiddenOf(place, unit));
      return;
    }
    StoreCandidate(place, functions, unit, update,
                   reset * sum(2) + Input(place, unit, 2));
  }
  // The next state of a gru is (1 - update) * candidate + update * h.
  void StoreCandidate(const Place& place, const CellFunctions& functions,
                      const Unit& unit, const Expr& update, const Expr& sum) {
    const Expr candidate = Let("candidate", functions.Gate(1, sum));
    StoreHidden(place, unit,
                candidate + update * (HiddenOf(place, unit) - candidate));
  }
  // The second part of a step of a gru.
  void AdvanceCandidate(const Place& place, const Rows& rows) {
    const CellFunctions functions(attrs_, place.direction);
    const StateElement state = [&](const Expr& row, const Expr& k) {
      return scaled_(place.direction, row, k);
    };
    const auto update = [&](const Unit& unit, const Sum& sum) {
      StoreCandidate(place, functions, unit,
                     update_(place.direction, unit.row, unit.index),
                     sum(2) + Input(place, unit, 2));
    };
    ForEachTile(rows, [&](const Expr& first, int64_t count) {
      UpdatePanel(place, {2, 1}, state, first, count, update);
      StoreOutputs(place, first, count);
    });
  }

  // Gates: input, output, forget, cell. Peepholes: input, output, forget.
  void AdvanceLstm(const Place& place, const CellFunctions& functions,
                   const Unit& unit, const Sum& sum) {
    const auto gate = [&](int64_t g, const Expr& cell, const char* name) {
      Expr x = sum(g) + Input(place, unit, g);
      if (attrs_.peepholes) {
        x = x +
            peepholes_(place.direction, place.panel, AsInt(g), unit.in_panel) *
                cell;
      }
      return Let(name, functions.Gate(0, x));
    };
    const std::vector<Expr> at = {place.direction, unit.row, unit.index};
    const Expr before = Let("before", c_(at));
    const Expr input = gate(0, before, "input_gate");
    const Expr forget = attrs_.input_forget ? Const(dtype_, 1) - input
                                            : gate(2, before, "forget_gate");
    const Expr cell =
        Let("cell", functions.Gate(1, sum(3) + Input(place, unit, 3)));
    const Expr next = Let("next", forget * before + input * cell);
    const Expr output = gate(1, next, "output_gate");
    StoreHidden(place, unit, output * functions.Call(2, next));
    c_.Set(at, Choose(Runs(place, unit.row), next, before));
  }

 private:
  const RecurrentAttrs& attrs_;
  const RecurrentSizes sizes_;
  const target::Target& target_;
  const DType dtype_;
  const bool is_lstm_;
  const int64_t rows_;    // of a full tile
  const int64_t padded_;  // hidden units with those that fill the last panel
  bool threads_ = false;
  te::Extern e_;
  // Operands.
  Array x_, weights_, bias_, first_h_, first_c_, peepholes_, lengths_;
  PanelProduct product_;
  // Results.
  Array y_, last_h_, last_c_;
  // States, [direction, sequence, unit]. h_ has two, the states before and
  // after the current step, because all units read the state before it.
  Array h_, c_, update_, scaled_;
  std::optional<QuantizedProduct> bytes_;  // if the product is quantized
};

}  // namespace

int64_t SequenceThreads(const OpInstance& op, const target::Target& target) {
  const RecurrentSizes sizes = RecurrentSizesOf(op);
  if (op.attrs_as<RecurrentAttrs>().quantized) return sizes.directions;
  return sizes.directions * SequenceParts(sizes, target);
}

te::Tensor RecurrentLoops(const OpInstance& op, const Operands& in,
                          const target::Target& target, ThreadsShare share) {
  return Loops(op, in, target).Run(share);
}

}  // namespace assay::ops
