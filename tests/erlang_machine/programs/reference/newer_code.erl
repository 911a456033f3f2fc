%% What the functions of newer_code.S do, as any compiler can write it.
-module(newer_code).
-export([header/1, signed/1, exactly/1, shared/1, rest/1, unit/1, longest/1, update/2, same/1, limits/2, between/3,
         is_between/3, record_kind/1, field/1, field_or/1, accessible/1, elements/1]).

header(<<5:3, _:5, A:16/little, B:2/binary, C/binary>>) -> {A, B, C};
header(_) -> no.

signed(<<A:7/signed, B:32/signed-little, C:40>>) -> {A, B, C};
signed(_) -> no.

exactly(<<2147483647:31, 0:4>>) -> yes;
exactly(_) -> no.

shared(<<A, 1>>) -> {one, A};
shared(<<A, B>>) -> {other, A, B};
shared(_) -> no.

rest(<<_, Rest/bitstring>>) -> {Rest, Rest};
rest(_) -> no.

unit(<<_:4, Rest/bitstring>>) when bit_size(Rest) rem 3 =:= 0 -> Rest;
unit(_) -> no.

longest(<<9223372036854775807:63, Rest/bitstring>>) -> Rest;
longest(_) -> no.

update(T, X) -> setelement(4, setelement(2, T, X), last).

same(T) -> setelement(3, T, 7).

limits(A, B) -> {min(A, B), max(A, B)}.

between(A, Low, High) when is_integer(Low), is_integer(High) -> is_integer(A) andalso A >= Low andalso A =< High;
between(_, _, _) -> fails.

is_between(A, Low, High) ->
    case between(A, Low, High) of
        fails -> error(badarg);
        Result -> Result
    end.

record_kind(_) -> none.
field(X) -> error({badrecord, X}).
field_or(_) -> none.
accessible(_) -> hidden.
elements(_) -> none.
