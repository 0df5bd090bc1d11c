#pragma once

// The Vulkan API through volk: no prototypes, function pointers loaded at run time, so that the
// program starts on a machine without a Vulkan loader.
#include <volk.h>
