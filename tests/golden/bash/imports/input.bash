source lib.sh
. ./a/b.sh
. "$(dirname "$0")/c.sh"
source "${HERE}/lib/d.sh"
source $ROOT/e.sh
source "f.sh" arg
. /etc/profile
source "$file"
[ -f g.sh ] && . g.sh
