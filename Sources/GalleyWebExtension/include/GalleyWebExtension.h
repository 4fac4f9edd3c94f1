#pragma once
// The web process loads this library by its file name; nothing links against it.
