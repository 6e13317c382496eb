CC = cc
# Where it goes.
OUT := build

# Builds everything.
all: shop

shop: main.o
	$(CC) -o $@ $^

define twice
$(1) $(1)
endef
