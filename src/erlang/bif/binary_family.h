// The built-ins of the binary family, by file: their table is in binaries.cc.
#pragma once

#include "erlang/machine/builtin.h"

namespace ravel::erlang {

// iodata.cc
Term binary_to_list_1(Call& call, const Term* arguments);
Term binary_to_list_3(Call& call, const Term* arguments);
Term bitstring_to_list_1(Call& call, const Term* arguments);
Term iolist_size_1(Call& call, const Term* arguments);
Term iolist_to_binary_1(Call& call, const Term* arguments);
Term iolist_to_iovec_1(Call& call, const Term* arguments);
Term list_to_binary_1(Call& call, const Term* arguments);
Term list_to_bitstring_1(Call& call, const Term* arguments);

// binary_search.cc
Term compile_pattern_1(Call& call, const Term* arguments);
Term match_2(Call& call, const Term* arguments);
Term match_3(Call& call, const Term* arguments);
Term matches_2(Call& call, const Term* arguments);
Term matches_3(Call& call, const Term* arguments);
Term split_2(Call& call, const Term* arguments);
Term split_3(Call& call, const Term* arguments);

}  // namespace ravel::erlang
