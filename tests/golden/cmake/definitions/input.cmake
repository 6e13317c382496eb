# Adds a test.
function(add_case name)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

macro(twice what)
  message(${what})
endmacro()

option(WITH_TLS "Encrypted" ON)
set(SOURCES main.c)
add_executable(shop ${SOURCES})
