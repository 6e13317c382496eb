#!/bin/bash
MODE=fast
DEBIAN_FRONTEND=noninteractive apt-get update -qq
export LEVEL=2
GIT_DIR=/x WORK=/y git status
