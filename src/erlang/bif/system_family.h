// The built-ins of the system family, by file: their table is in system.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "erlang/machine/builtin.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

// system_info.cc
Term statistics_1(Call& call, const Term* arguments);
Term system_flag_2(Call& call, const Term* arguments);
Term system_info_1(Call& call, const Term* arguments);

// modules.cc
Term check_old_code_1(Call& call, const Term* arguments);
Term function_exported_3(Call& call, const Term* arguments);
Term get_module_info_1(Call& call, const Term* arguments);
Term get_module_info_2(Call& call, const Term* arguments);
Term module_loaded_1(Call& call, const Term* arguments);
Term watched_check_old_code_1(Call& call, const Term* arguments);
Term watched_function_exported_3(Call& call, const Term* arguments);
Term watched_get_module_info_1(Call& call, const Term* arguments);
Term watched_get_module_info_2(Call& call, const Term* arguments);
Term watched_module_loaded_1(Call& call, const Term* arguments);
Term pre_loaded_0(Call& call, const Term* arguments);

// environment.cc
Term env_0(Call& call, const Term* arguments);
Term getenv_1(Call& call, const Term* arguments);
Term putenv_2(Call& call, const Term* arguments);
Term unsetenv_1(Call& call, const Term* arguments);
Term getpid_0(Call& call, const Term* arguments);
Term internal_name2native_1(Call& call, const Term* arguments);
Term internal_native2name_1(Call& call, const Term* arguments);
Term internal_normalize_utf8_1(Call& call, const Term* arguments);
Term is_translatable_1(Call& call, const Term* arguments);
Term native_name_encoding_0(Call& call, const Term* arguments);

// console.cc
Term dflag_unicode_io_1(Call& call, const Term* arguments);
Term debug_display_1(Call& call, const Term* arguments);
Term display_1(Call& call, const Term* arguments);
Term display_nl_0(Call& call, const Term* arguments);
Term display_string_1(Call& call, const Term* arguments);
Term display_string_2(Call& call, const Term* arguments);
Term term_to_string_2(Call& call, const Term* arguments);
Term be_server_0(Call& call, const Term* arguments);
Term is_device_1(Call& call, const Term* arguments);
Term assigns_in_comprehensions_0(Call& call, const Term* arguments);
Term reserves_maybe_0(Call& call, const Term* arguments);
Term is_watched_device_1(Call& call, const Term* arguments);
Term own_leader_1(Call& call, const Term* arguments);
Term printable_range_0(Call& call, const Term* arguments);
Term put_chars_2(Call& call, const Term* arguments);
Term tells_what_was_printed_0(Call& call, const Term* arguments);
Term warning_map_0(Call& call, const Term* arguments);

// A list of the characters of a text in ASCII.
Term make_string(Heap& heap, std::string_view text);

}  // namespace ravel::erlang
