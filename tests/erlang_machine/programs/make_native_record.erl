-module(make_native_record).
-export([main/0]).

main() -> newer_code:make(1).
