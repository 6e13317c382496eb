#!/usr/bin/env bats
load helpers

setup() {
  prepare
}

@test "adds two" {
  run add 1 2
  [ "$output" = 3 ]
}

function helper::one() { two; }
function two { :; }
three () ( four )
