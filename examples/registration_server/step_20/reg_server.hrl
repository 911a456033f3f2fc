%% How many processes can be attached at a time. The thesis counts executions for 1 to 4:
%% compile with -D MAX_ATTACHED_PROC=N to try them.
-ifndef(MAX_ATTACHED_PROC).
-define(MAX_ATTACHED_PROC, 2).
-endif.
