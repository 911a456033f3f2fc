#!/bin/sh
# The number of the Erlang/OTP whose libraries the programs run with.
"${RAVEL_OTP:+$RAVEL_OTP/bin/}erl" -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().'
