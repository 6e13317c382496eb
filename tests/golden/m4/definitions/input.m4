dnl Adds two.
define(`add', `eval($1 + $2)')
define(`twice', `$1 $1')
add(1, 2)
