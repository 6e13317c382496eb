-module(shop).
-export([add/2]).
-record(order, {id, total}).
-define(MAX, 3).
-type id() :: integer().

%% Adds.
add(A, B) ->
    A + B.

sub(A, B) ->
    A - B.
