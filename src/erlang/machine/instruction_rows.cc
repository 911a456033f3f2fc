#include "erlang/machine/instruction_rows.h"

#include <array>

namespace ravel::erlang {

namespace {

// How rows name parts; the number is that of the operand.
constexpr Part number(std::uint8_t operand) { return {PartKind::kNumber, operand}; }
constexpr Part number_and_1(std::uint8_t operand) { return {PartKind::kNumberAndOne, operand}; }
constexpr Part reg(std::uint8_t operand) { return {PartKind::kRegister, operand}; }
constexpr Part tested(std::uint8_t operand) { return {PartKind::kTested, operand}; }
constexpr Part source(std::uint8_t operand) { return {PartKind::kSource, operand}; }
constexpr Part constant(std::uint8_t operand) { return {PartKind::kConstant, operand}; }
constexpr Part jump(std::uint8_t operand) { return {PartKind::kJump, operand}; }
constexpr Part handler(std::uint8_t operand) { return {PartKind::kHandler, operand}; }
constexpr Part heap(std::uint8_t operand) { return {PartKind::kHeapWords, operand}; }
constexpr Part tuple_header(std::uint8_t operand) { return {PartKind::kTupleHeader, operand}; }
constexpr Part two_numbers(std::uint8_t operand) { return {PartKind::kTwoNumbers, operand}; }
constexpr Part unit_and_flags(std::uint8_t operand) { return {PartKind::kUnitAndFlags, operand}; }
constexpr Part unit_of_continued(std::uint8_t operand) { return {PartKind::kUnitOfContinued, operand}; }
constexpr Part zero_and_flags(std::uint8_t operand) { return {PartKind::kZeroAndFlags, operand}; }
constexpr Part flags(std::uint8_t operand) { return {PartKind::kFlags, operand}; }
constexpr Part none() { return {}; }
constexpr Part nil() { return {PartKind::kNil, 0}; }

// clang-format off
constexpr InstructionRow kRows[] = {
    // of the file                 of the machine        a              b              words after it
    // --- frames and heap
    {Opcode::kAllocate,            Op::allocate,         number(0)},
    {Opcode::kAllocateZero,        Op::allocate,         number(0)},
    {Opcode::kAllocateHeap,        Op::allocate_heap,    number(0),     number(2),     {heap(1)}},
    {Opcode::kAllocateHeapZero,    Op::allocate_heap,    number(0),     number(2),     {heap(1)}},
    {Opcode::kTestHeap,            Op::test_heap,        none(),        number(1),     {heap(0)}},
    {Opcode::kTrim,                Op::trim,             number(0)},
    {Opcode::kInit,                Op::move_cy,          none(),        number(0),     {nil()}},
    {Opcode::kSwap,                Op::swap,             reg(0),        reg(1)},
    // --- where it goes on
    {Opcode::kJump,                Op::jump,             none(),        none(),        {jump(0)}},
    {Opcode::kCall,                Op::call,             none(),        none(),        {jump(1)}},
    {Opcode::kCallOnly,            Op::call_only,        none(),        none(),        {jump(1)}},
    {Opcode::kCallLast,            Op::call_last,        none(),        none(),        {jump(1)}},
    {Opcode::kApply,               Op::apply,            number(0)},
    {Opcode::kApplyLast,           Op::apply_last,       number(0)},
    {Opcode::kReturn,              Op::return_},
    // --- tests
    {Opcode::kIsInteger,           Op::is_integer_x,     tested(1),     none(),        {jump(0)}},
    {Opcode::kIsFloat,             Op::is_float_x,       tested(1),     none(),        {jump(0)}},
    {Opcode::kIsNumber,            Op::is_number_x,      tested(1),     none(),        {jump(0)}},
    {Opcode::kIsAtom,              Op::is_atom_x,        tested(1),     none(),        {jump(0)}},
    {Opcode::kIsPid,               Op::is_pid_x,         tested(1),     none(),        {jump(0)}},
    {Opcode::kIsReference,         Op::is_reference_x,   tested(1),     none(),        {jump(0)}},
    {Opcode::kIsPort,              Op::is_port_x,        tested(1),     none(),        {jump(0)}},
    {Opcode::kIsNil,               Op::is_nil_x,         tested(1),     none(),        {jump(0)}},
    {Opcode::kIsBinary,            Op::is_binary_x,      tested(1),     none(),        {jump(0)}},
    {Opcode::kIsBitstr,            Op::is_bitstring_x,   tested(1),     none(),        {jump(0)}},
    {Opcode::kIsList,              Op::is_list_x,        tested(1),     none(),        {jump(0)}},
    {Opcode::kIsNonemptyList,      Op::is_nonempty_list_x, tested(1),   none(),        {jump(0)}},
    {Opcode::kIsTuple,             Op::is_tuple_x,       tested(1),     none(),        {jump(0)}},
    {Opcode::kIsFunction,          Op::is_function_x,    tested(1),     none(),        {jump(0)}},
    {Opcode::kIsBoolean,           Op::is_boolean_x,     tested(1),     none(),        {jump(0)}},
    {Opcode::kIsMap,               Op::is_map_x,         tested(1),     none(),        {jump(0)}},
    {Opcode::kTestArity,           Op::test_arity_x,     tested(1),     none(),
     {jump(0), tuple_header(2)}},
    {Opcode::kIsTaggedTuple,       Op::is_tagged_tuple_x, tested(1),    none(),
     {jump(0), tuple_header(2), constant(3)}},
    {Opcode::kIsFunction2,         Op::is_function2,     none(),        none(),
     {jump(0), source(1), source(2)}},
    // --- terms
    {Opcode::kGetHd,               Op::get_hd,           reg(0),        reg(1)},
    {Opcode::kGetTl,               Op::get_tl,           reg(0),        reg(1)},
    {Opcode::kSetTupleElement,     Op::set_tuple_element, reg(1),       number_and_1(2), {source(0)}},
    // --- binaries
    {Opcode::kBsStartMatch3,       Op::bs_start_match,   reg(3),        none(),        {jump(0), source(1)}},
    // The label of the next one may be no_fail or resume: then it cannot fail.
    {Opcode::kBsStartMatch4,       Op::bs_start_match,   reg(3),        none(),        {jump(0), source(2)}},
    {Opcode::kBsGetPosition,       Op::bs_get_position,  reg(0),        reg(1)},
    {Opcode::kBsSetPosition,       Op::bs_set_position,  reg(0),        reg(1)},
    {Opcode::kBsGetTail,           Op::bs_get_tail,      reg(0),        reg(1)},
    {Opcode::kBsGetInteger2,       Op::bs_get_integer,   reg(1),        reg(6),
     {jump(0), source(3), unit_and_flags(4)}},
    {Opcode::kBsGetFloat2,         Op::bs_get_float,     reg(1),        reg(6),
     {jump(0), source(3), unit_and_flags(4)}},
    {Opcode::kBsGetBinary2,        Op::bs_get_binary,    reg(1),        reg(6),
     {jump(0), source(3), unit_and_flags(4)}},
    {Opcode::kBsSkipBits2,         Op::bs_skip_bits,     reg(1),        none(),
     {jump(0), source(2), unit_and_flags(3)}},
    {Opcode::kBsTestTail2,         Op::bs_test_tail,     reg(1),        none(),        {jump(0), number(2)}},
    {Opcode::kBsTestUnit,          Op::bs_test_unit,     reg(1),        number(2),     {jump(0)}},
    {Opcode::kBsGetUtf8,           Op::bs_get_utf8,      reg(1),        reg(4),        {jump(0), flags(3)}},
    {Opcode::kBsGetUtf16,          Op::bs_get_utf16,     reg(1),        reg(4),        {jump(0), flags(3)}},
    {Opcode::kBsGetUtf32,          Op::bs_get_utf32,     reg(1),        reg(4),        {jump(0), flags(3)}},
    {Opcode::kBsSkipUtf8,          Op::bs_skip_utf8,     reg(1),        none(),        {jump(0), flags(3)}},
    {Opcode::kBsSkipUtf16,         Op::bs_skip_utf16,    reg(1),        none(),        {jump(0), flags(3)}},
    {Opcode::kBsSkipUtf32,         Op::bs_skip_utf32,    reg(1),        none(),        {jump(0), flags(3)}},
    {Opcode::kBsInitWritable,      Op::bs_init_writable},
    {Opcode::kBsInit2,             Op::bs_init_bytes,    reg(5),        none(),        {jump(0), source(1)}},
    {Opcode::kBsInitBits,          Op::bs_init_bits,     reg(5),        none(),        {jump(0), source(1)}},
    {Opcode::kBsAppend,            Op::bs_append,        reg(7),        none(),
     {jump(0), source(1), source(5), unit_of_continued(4)}},
    {Opcode::kBsPrivateAppend,     Op::bs_append,        reg(5),        none(),
     {jump(0), source(1), source(3), unit_of_continued(2)}},
    {Opcode::kBsPutInteger,        Op::bs_put_integer,   none(),        none(),
     {jump(0), source(1), source(4), unit_and_flags(2)}},
    {Opcode::kBsPutFloat,          Op::bs_put_float,     none(),        none(),
     {jump(0), source(1), source(4), unit_and_flags(2)}},
    {Opcode::kBsPutBinary,         Op::bs_put_binary,    none(),        none(),
     {jump(0), source(1), source(4), unit_and_flags(2)}},
    {Opcode::kBsPutUtf8,           Op::bs_put_utf8,      none(),        none(),
     {jump(0), source(2), zero_and_flags(1)}},
    {Opcode::kBsPutUtf16,          Op::bs_put_utf16,     none(),        none(),
     {jump(0), source(2), zero_and_flags(1)}},
    {Opcode::kBsPutUtf32,          Op::bs_put_utf32,     none(),        none(),
     {jump(0), source(2), zero_and_flags(1)}},
    {Opcode::kBsUtf8Size,          Op::bs_utf8_size,     reg(2),        none(),        {jump(0), source(1)}},
    {Opcode::kBsUtf16Size,         Op::bs_utf16_size,    reg(2),        none(),        {jump(0), source(1)}},
    {Opcode::kBsAdd,               Op::bs_add,           reg(4),        none(),
     {jump(0), source(1), source(2), number(3)}},
    // --- floats
    {Opcode::kFconv,               Op::float_convert,    none(),        number(1),     {source(0)}},
    {Opcode::kFadd,                Op::float_add,        none(),        number(3),     {two_numbers(1)}},
    {Opcode::kFsub,                Op::float_subtract,   none(),        number(3),     {two_numbers(1)}},
    {Opcode::kFmul,                Op::float_multiply,   none(),        number(3),     {two_numbers(1)}},
    {Opcode::kFdiv,                Op::float_divide,     none(),        number(3),     {two_numbers(1)}},
    {Opcode::kFnegate,             Op::float_negate,     number(1),     number(2)},
    // --- exceptions
    {Opcode::kCatch,               Op::catch_,           number(0),     none(),        {handler(1)}},
    {Opcode::kTry,                 Op::catch_,           number(0),     none(),        {handler(1)}},
    {Opcode::kCatchEnd,            Op::catch_end,        number(0)},
    {Opcode::kTryEnd,              Op::try_end,          number(0)},
    {Opcode::kTryCase,             Op::try_case,         number(0)},
    {Opcode::kTryCaseEnd,          Op::try_case_end,     none(),        none(),        {source(0)}},
    {Opcode::kBadmatch,            Op::badmatch,         none(),        none(),        {source(0)}},
    {Opcode::kCaseEnd,             Op::case_end,         none(),        none(),        {source(0)}},
    {Opcode::kBadrecord,           Op::badrecord,        none(),        none(),        {source(0)}},
    {Opcode::kIfEnd,               Op::if_end},
    {Opcode::kRaise,               Op::raise,            none(),        none(),
     {source(0), source(1)}},
    {Opcode::kRawRaise,            Op::raw_raise},
    {Opcode::kBuildStacktrace,     Op::build_stacktrace},
    // --- messages
    {Opcode::kSend,                Op::send},
    {Opcode::kRemoveMessage,       Op::remove_message},
    {Opcode::kTimeout,             Op::timeout},
    {Opcode::kLoopRec,             Op::loop_rec,         reg(1),        none(),        {jump(0)}},
    {Opcode::kLoopRecEnd,          Op::loop_rec_end,     none(),        none(),        {jump(0)}},
    {Opcode::kWait,                Op::wait},
    {Opcode::kWaitTimeout,         Op::wait_timeout,     none(),        none(),        {source(1)}},
};
// clang-format on

using RowIndex = std::array<const InstructionRow*, kOpcodeMax + 1>;

// Two rows of one instruction do not compile.
consteval RowIndex make_index() {
  RowIndex index{};
  for (const InstructionRow& row : kRows) {
    const InstructionRow*& place = index[static_cast<std::size_t>(row.opcode)];
    if (place != nullptr) throw "two rows for one instruction";
    place = &row;
  }
  return index;
}

constexpr RowIndex kRowOf = make_index();

}  // namespace

const InstructionRow* find_instruction_row(Opcode opcode) { return kRowOf[static_cast<std::size_t>(opcode)]; }

}  // namespace ravel::erlang
