#!/bin/bash
# The coordinator or a shard is killed at some instant of a job: no job is lost, no lock is left, every index equals a fresh build.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
. "$(dirname "$0")/../job_kills.sh"
job_kills "${KILLS:-$([ "$slow" -gt 1 ] && echo 3 || echo 6)}"
ok "jobs survive the death of either side"
