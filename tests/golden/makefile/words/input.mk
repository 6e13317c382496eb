BUILD_DIR ?= out
override CFLAGS_EXTRA += -g
export GOFLAGS := -mod=vendor
define recipe_text =
foo
endef
LATE_VAR != ls
ifdef X
  INNER_VAR = 3
endif
private OTHER = 1
posix::=2
