#pragma once
// The engine's processes are started with this library ahead of the C library; nothing links against it.
