"""What no schedule controls ends the search at once, with exit status 4 and one line: where, what the user called, why, what next."""

import pathlib
import subprocess
import unittest

from support import RAVEL, CommandTest

# The call, and what its message begins with after the place.
CALLS = [
    ('os:cmd("ls")', "os:cmd/"),
    ('open_port({spawn, "cat"}, [])', "erlang:open_port/"),
    ("socket:open(inet, stream)", "socket:open/"),
    ('erlang:load_nif("x", 0)', "erlang:load_nif/2 loads native code"),
    ('erl_ddll:load("x", "y")', "erl_ddll:"),
    ('spawn(\'a@b\', fun() -> ok end)', "erlang:spawn/"),
    ("monitor_node('a@b', true)", "erlang:monitor_node/2 leads to another node"),
    ("{name, 'a@b'} ! hello", "a message to another node leaves the program"),
    ("erlang:trace(all, true, [call])", "erlang:trace/"),
    ("erlang:trace_pattern({a, b, 1}, true)", "erlang:trace_pattern/"),
    ("seq_trace:set_token(label, 1)", "seq_trace:set_token/"),
    ("erlang:system_monitor(self(), [busy_port])", "erlang:system_monitor/2"),
    ("erlang:suspend_process(spawn(fun() -> receive a -> ok end end))", "erlang:suspend_process/"),
    ("erlang:resume_process(self())", "erlang:resume_process/1 takes scheduling into its own hands"),
    ("os:set_signal(sighup, ignore)", "os:set_signal/2 changes what the host's signals do"),
    ('os:find_executable("ls")', "os:find_executable/1 looks for a program of the host"),
    ('file:change_owner(".", 1)', "file:change_owner/2: prim_file:set_owner_nif/3 changes the owner of a file"),
    ('begin ok = file:write_file("g", []), file:change_mode("g", 0) end', "file:change_mode/2: prim_file:set_permissions_nif/2 takes away the right"),
    ("erlang:nif_error(why)", "this function needs native code (a NIF) of the module outside,"),
    ("erlang:nif_error(why, [])", "this function needs native code (a NIF) of the module outside,"),
    ("erts_internal:ets_super_user(true)", "erts_internal:ets_super_user/1 belongs to the inside of the emulator"),
    ("erts_internal:ets_raw_first(x)", "erts_internal:ets_raw_first/1 belongs to the inside of the emulator"),
    ("erts_internal:ets_raw_next(x, 1)", "erts_internal:ets_raw_next/2 belongs to the inside of the emulator"),
    ("erts_internal:ets_lookup_binary_info(x, 1)", "erts_internal:ets_lookup_binary_info/2 belongs to the inside"),
    ("erts_internal:spawn_system_process(m, f, [])", "erts_internal:spawn_system_process/3 belongs to the inside"),
    ('gen_tcp:connect("localhost", 80, [])', "gen_tcp:connect/3: the network leads outside"),
    ("gen_udp:open(0, [binary])", "gen_udp:open/2: the network leads outside"),
    ('inet:gethostbyname("localhost")', "inet:gethostbyname/1: the network leads outside"),
    ("net_adm:ping('a@b')", "net_adm:ping/1: the process net_kernel of Erlang/OTP's own system does not run here"),
    ("rpc:call('a@b', a, b, [])", "rpc:call/4: erts_internal:dist_spawn_request/4 leads to another node"),
    ("init:restart()", "init:restart/0 starts the whole system again"),
    ("init:restart([{mode, embedded}])", "init:restart/1 starts the whole system again"),
    ("init:reboot()", "init:reboot/0 starts the whole system again"),
    ('file:open("/dev/null", [raw])', "file:open/2: prim_file:open_nif/2 opens a device"),
    ('file:open("x", [ram])', "file:open/2: erts_internal:open_port/2 leads to a port"),
    ("crypto:generate_key(ecdh, secp256r1)", "crypto:generate_key/2: this function needs native code (a NIF) of the module crypto,"),
    ('erl_ddll:load_driver("a", "b")', "erl_ddll:load_driver/2: erl_ddll:try_load/3 loads native code"),
]


class Refusals(CommandTest):
    def test_a_call_that_is_the_last_of_a_fun_is_named_too(self):
        self.write("outside.erl", "-module(outside).\n-export([t/0]).\nt() -> r(fun() -> init:restart() end).\nr(F) -> [F()].\n")
        run = self.expect(4, "check", "outside.erl", "-t", "outside:t", "-q")
        self.assertTrue(run.stderr.startswith("ravel: outside.erl:3: init:restart/0 starts the whole system again"), run.stderr)

    def test_native_code_in_a_process_of_a_library_is_named(self):
        self.write("outside.erl", '-module(outside).\n-export([t/0]).\nt() -> rpc:yield(rpc:async_call(node(), crypto, generate_key, [ecdh, secp256r1])), ok.\n')
        run = self.expect(4, "check", "outside.erl", "-t", "outside:t", "-q")
        self.assertRegex(run.stderr, "crypto:[a-z_A-Z]+/[0-9].* needs native code")

    def test_each_says_where_what_was_called_why_and_what_to_do(self):
        source = "-module(outside).\n-compile([export_all, nowarn_export_all]).\nid(X) -> X.\n"
        for i, (call, _) in enumerate(CALLS):
            source += f"f{i}() -> id({call}), ok.\n"
        self.write("outside.erl", source)
        for i, (call, says) in enumerate(CALLS):
            with self.subTest(call=call):
                run = self.expect(4, "check", "outside.erl", "-t", f"outside:f{i}", "-q")
                self.assertTrue(run.stderr.startswith(f"ravel: outside.erl:{i + 4}: {says}"), run.stderr)
                self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
                self.assertRegex(run.stderr, "--stub [a-zA-Z]+=OTHER|replace|leave it out|regular file")
                self.assertEqual(self.tickets(), [])

    def is_since(self, release):
        question = f'halt(case erlang:system_info(otp_release) >= "{release}" of true -> 0; false -> 1 end).'
        return subprocess.run(["erl", "-noshell", "-eval", question]).returncode == 0

    def test_priority_messages_are_refused_by_the_language_before_otp_28(self):
        calls = ["alias([priority])", "monitor(process, self(), [priority])", "erlang:send(self(), a, [priority])",
                 "spawn_opt(fun() -> ok end, [{monitor, [priority]}])",
                 "spawn_opt(fun() -> ok end, [{link, [priority]}])"]
        functions = "".join(f"f{i}() -> {call}, ok.\n" for i, call in enumerate(calls))
        self.write("outside.erl", "-module(outside).\n-compile([export_all, nowarn_export_all]).\n" + functions)
        for i in range(len(calls)):
            run = self.ravel("check", "outside.erl", "-t", f"outside:f{i}", "-q")
            self.assertEqual(run.returncode, 0 if self.is_since(28) else 1, run.stderr)
            if not self.is_since(28):
                self.assertIn("badarg", run.stdout)

    def test_priority_messages_are_told_as_such(self):
        if not self.is_since(28):
            self.skipTest("needs Erlang/OTP 28")
        self.write("urgent.erl", "-module(urgent).\n-export([f/0]).\n"
                   "f() ->\n    Self = self(),\n    Alias = alias([priority]),\n"
                   "    spawn(fun() -> Self ! one, erlang:send(Alias, two, [priority]) end),\n"
                   "    receive M -> one = M end.\n")
        run = self.expect(1, "check", "urgent.erl", "-t", "urgent:f")
        self.assertIn("sends one to P", run.stdout)
        self.assertIn("sends the priority message two to P", run.stdout)

    def test_a_call_that_comes_last_is_named_by_where_it_ends_up_and_how_the_process_began(self):
        self.write("last.erl", '-module(last).\n-export([f/0]).\nf() -> os:cmd("ls").\n')
        run = self.expect(4, "check", "last.erl", "-t", "last:f", "-q")
        self.assertIn(" os:cmd/1 in a process that began with last:f/0: ", run.stderr)

    def test_a_library_that_is_not_erlang_s_own_is_named(self):
        self.write("caller.erl", "-module(caller).\n-export([f/0]).\nf() -> lib_server:start().\n")
        self.write(
            "src/lib_server.erl",
            "-module(lib_server).\n-export([start/0, init/1]).\n"
            "start() -> proc_lib:spawn_link(?MODULE, init, [x]), receive never -> ok end.\n"
            'init(_) -> os:cmd("ls"), ok.\n',
        )
        subprocess.run(["erlc", "src/lib_server.erl"], cwd=self.folder, check=True)
        (self.folder / "ebin").mkdir()
        (self.folder / "lib_server.beam").rename(self.folder / "ebin/lib_server.beam")
        run = self.expect(4, "check", "caller.erl", "--pa", self.folder / "ebin", "-t", "caller:f", "-q")
        self.assertIn("lib_server.erl:4: os:cmd/1 in lib_server:init/1: ", run.stderr)

    def test_a_function_of_the_users_own_is_not_what_is_refused(self):
        self.write(
            "own.erl",
            '-module(own).\n-export([f/0, g/0]).\nf() -> ok = g().\ng() -> X = helper:h(), X.\n',
        )
        self.write("helper.erl", '-module(helper).\n-export([h/0]).\nh() -> os:cmd("ls").\n')
        run = self.expect(4, "check", "own.erl", "helper.erl", "-t", "own:f", "-q")
        self.assertIn(" os:cmd/", run.stderr)
        self.assertNotIn("helper:h", run.stderr)

    def test_the_first_execution_that_meets_it_ends_the_search(self):
        self.write(
            "late.erl",
            "-module(late).\n-export([f/0]).\n"
            "f() -> S = self(), [spawn(fun() -> S ! X end) || X <- [a, b]],\n"
            "  receive a -> ok; b -> erlang:trace(all, true, [call]) end.\n",
        )
        for strategy in ["dfs", "preemption", "random"]:
            self.expect(4, "check", "late.erl", "-t", "late:f", "-k", "--strategy", strategy)

    def test_a_program_that_is_refused_is_not_run_for_its_races_first(self):
        self.write("forks.cc", """\
#include <cstdio>
#include <thread>
#include <unistd.h>
int main() {
  std::FILE* const log = std::fopen("log", "a");
  std::fputs("once\\n", log);
  std::fclose(log);
  std::thread thread([] {});
  thread.join();
  fork();
}
""")
        subprocess.run([pathlib.Path(RAVEL).parent / "ravel-c++", "forks.cc", "-o", "forks"], cwd=self.folder, check=True)
        run = self.expect(4, "check", "./forks", "--host-files")
        self.assertIn("forks.cc:10: fork: ", run.stderr)
        # A random execution, and the first of the search.
        self.assertEqual((self.folder / "log").read_text(), "once\n" * 2)


if __name__ == "__main__":
    unittest.main()
