#pragma once

// The C library's own functions, declared again because ours stand in their place in every program that has this target:
// what they make isn't handed on to programs that are started.
#include <sys/socket.h>
