#!/bin/bash
# The coordinator or a shard dies at some instant of a job: no job is lost, none leaves a lock, every index is that of a fresh build.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
. "$(dirname "$0")/../job_kills.sh"
job_kills "${KILLS:-$([ "$slow" -gt 1 ] && echo 3 || echo 6)}"
ok "jobs get over the death of either side"
