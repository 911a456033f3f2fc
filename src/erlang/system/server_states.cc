#include "erlang/system/server_states.h"

#include <algorithm>

#include "erlang/machine/frame.h"
#include "erlang/system/argument_flow.h"

namespace ravel::erlang {

namespace {

// A function of a behaviour that waits for the next message, and which of its arguments the state is.
struct Loop {
  std::string_view module, function;
  std::uint32_t arity;
  std::uint16_t argument;
  ServerState::Kind kind;
};
constexpr Loop kLoops[] = {
    {"gen_server", "loop", 4, 1, ServerState::Kind::kState},
    {"gen_server", "loop", 5, 1, ServerState::Kind::kState},
    {"gen_server", "loop", 7, 2, ServerState::Kind::kState},
    {"gen_statem", "loop_receive", 3, 2, ServerState::Kind::kState},
    {"gen_event", "fetch_msg", 6, 2, ServerState::Kind::kHandlers},
};

// gen_server calls its callbacks in functions of these names, whose last argument is the state.
constexpr std::string_view kCallers[] = {"try_handle_call", "try_handle_cast", "try_handle_info",
                                         "try_dispatch"};

const Loop* find_loop(std::string_view module, std::string_view function, std::uint32_t arity) {
  const auto found = std::ranges::find_if(kLoops, [&](const Loop& loop) {
    return loop.module == module && loop.function == function && loop.arity == arity;
  });
  return found == std::end(kLoops) ? nullptr : &*found;
}

const Function* find_function(const BeamFile& file, std::string_view name, std::uint32_t arity) {
  const auto found = std::ranges::find_if(file.functions, [&](const Function& function) {
    return function.arity == arity && file.atoms[function.function_atom] == name;
  });
  return found == file.functions.end() ? nullptr : &*found;
}

// Whether an instruction calls a function of the module by this name, and with how many arguments.
std::optional<std::uint32_t> arity_of_call(const BeamFile& file, const Instruction& instruction,
                                           std::string_view name) {
  if (instruction.opcode != Opcode::kCall) return std::nullopt;
  const auto operands = file.operands_of(instruction);
  const auto label = static_cast<std::uint32_t>(operands[1].value);
  const auto called =
      std::ranges::find_if(file.functions, [&](const Function& one) { return one.entry_label == label; });
  if (called == file.functions.end() || file.atoms[called->function_atom] != name) return std::nullopt;
  return called->arity;
}

// Receives of one function may have frames of different sizes. No function has a number for its name.
std::string receive_with(std::size_t slots) { return std::to_string(slots); }

// gen_statem keeps {State, Data} in a record: {state, {State, Data}, ...}.
std::optional<Term> without_record(std::string_view module, Term term) {
  if (module != "gen_statem") return term;
  if (!is_tuple(term) || tuple_size(term) < 2 || !is_tuple_of(element(term, 2), 2)) return std::nullopt;
  return element(term, 2);
}

}  // namespace

// Innermost first. Frames that sleep say where their own function goes on, those on the stack where that of
// the next one does.
void ServerStates::add_frames(const Process& process, const Machine& machine, std::vector<Frame>& frames) {
  const CodeWord* place = process.cp == nullptr ? process.pc : process.cp;
  for (const Term* frame = process.top; frame < process.stack_end(); frame += frame_slots(*frame) + 1) {
    frames.push_back({.place = place, .slots = frame + 1, .count = frame_slots(*frame)});
    place = frame_caller(*frame);
  }
  for (Term frozen = process.frozen_stack; frozen.is_boxed(); frozen = frozen.object()[2]) {
    const Term* const words = frozen.object();
    frames.push_back({.place = machine.code.area().at(static_cast<std::uint32_t>(words[1].small_value())),
                      .slots = words + 3,
                      .count = size_of(frozen.header()) - 2});
  }
}

std::optional<ServerState> ServerStates::find(const Process& process) {
  std::vector<Frame> frames;
  add_frames(process, machine_, frames);
  const auto text = [&](Term atom) { return machine_.names.atoms.text(atom); };
  std::string_view called;  // the function that the frame before was of
  for (const Frame& frame : frames) {
    if (frame.place == nullptr || !machine_.code.area().contains(frame.place)) continue;
    const CodePlace found = machine_.code.describe_place(frame.place);
    if (found.module == nullptr) continue;
    const std::string_view module = text(found.module->name), function = text(found.function);
    Key key{.module = found.module, .function = std::string(function), .callee = {}, .arity = found.arity};
    if (const Loop* const loop = find_loop(module, function, found.arity);
        loop != nullptr && &frame == frames.data() && process.receive_pc != nullptr) {
      key.callee = receive_with(frame.count);
      const auto held = term_in(frame, slot(key, loop->argument));
      const auto term = held ? without_record(module, *held) : std::nullopt;
      return term ? std::optional(ServerState{.kind = loop->kind, .term = *term}) : std::nullopt;
    }
    if (module == "gen_server" && std::ranges::find(kCallers, called) != std::end(kCallers)) {
      key.callee = called;
      if (const auto term = term_in(frame, slot(key, kNoArgument)))
        return ServerState{.term = *term, .is_in_callback = true};
    }
    called = module == "gen_server" ? function : std::string_view();
  }
  return std::nullopt;
}

std::optional<Term> ServerStates::term_in(const Frame& frame, const std::optional<Slot>& slot) const {
  if (!slot || slot->frame_size != frame.count || slot->number >= frame.count) return std::nullopt;
  const Term term = frame.slots[slot->number];
  return term.is_none() || term.is_catch() ? std::nullopt : std::optional(term);
}

std::optional<ServerStates::Slot> ServerStates::slot(const Key& key, std::uint16_t argument) {
  const auto known = slots_.find(key);
  if (known != slots_.end()) return known->second;
  return slots_.emplace(key, find_slot(key, argument)).first->second;
}

// The same at all receives with such a frame, or at all calls of that function. Nothing: it is not.
std::optional<ServerStates::Slot> ServerStates::find_slot(const Key& key, std::uint16_t argument) {
  const BeamFile* const file = file_of(*key.module);
  const Function* const function = file == nullptr ? nullptr : find_function(*file, key.function, key.arity);
  if (function == nullptr) return std::nullopt;
  const ArgumentFlow flow(*file, *function);
  std::optional<Slot> slot;
  for (std::uint32_t at = function->entry_instruction; at < function->end_instruction; ++at) {
    const Instruction& instruction = file->instructions[at];
    const HeldArguments* const held = flow.before(at);
    if (held == nullptr) continue;
    std::uint16_t wanted = argument;
    if (instruction.opcode == Opcode::kLoopRec) {
      if (key.callee != receive_with(held->y.size())) continue;
    } else {
      const auto arity = arity_of_call(*file, instruction, key.callee);
      if (!arity || *arity == 0) continue;
      wanted = *arity <= held->x.size() ? held->x[*arity - 1] : kNoArgument;
    }
    const auto number = held->slot_of(wanted);
    if (!number || (slot && (slot->number != *number || slot->frame_size != held->y.size())))
      return std::nullopt;
    slot = Slot{.number = *number, .frame_size = held->y.size()};
  }
  return slot;
}

const BeamFile* ServerStates::file_of(const Module& module) {
  const auto known = files_.find(&module);
  if (known != files_.end()) return known->second.get();
  std::unique_ptr<BeamFile> file;
  if (auto read = read_beam_file(module.path); read && std::ranges::equal(read->md5, std::span(module.md5)))
    file = std::make_unique<BeamFile>(std::move(*read));
  return files_.emplace(&module, std::move(file)).first->second.get();
}

}  // namespace ravel::erlang
