#pragma once
// Nobody calls it: the library takes effect when it is loaded ahead of the C library.
