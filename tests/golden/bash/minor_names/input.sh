export PATH_TO_X=3
DEPLOY_ENV=${DEPLOY_ENV:-prod}
readonly MAX_TRIES=4
declare -x DECLARED_X=1
export LATER_NAME
f() { local inner_v=3; GLOB_IN_F=2; export EXP_IN_F=1; }
