# Finds volk's two files (Debian: libvulkan-volk-dev, else the LunarG SDK through VULKAN_SDK) and
# compiles them as the target `volk`, apart from our own warning flags.

find_path(VOLK_INCLUDE_DIR volk.h
    HINTS ENV VULKAN_SDK
    PATH_SUFFIXES include/volk include/Volk Include/Volk include volk)
find_file(VOLK_SOURCE volk.c HINTS "${VOLK_INCLUDE_DIR}" NO_DEFAULT_PATH)
find_path(VOLK_VULKAN_INCLUDE_DIR vulkan/vulkan.h HINTS ENV VULKAN_SDK PATH_SUFFIXES include Include)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Volk
    REQUIRED_VARS VOLK_INCLUDE_DIR VOLK_SOURCE VOLK_VULKAN_INCLUDE_DIR
    REASON_FAILURE_MESSAGE "install libvulkan-volk-dev and libvulkan-dev, or set VULKAN_SDK")

if(Volk_FOUND AND NOT TARGET volk)
    add_library(volk STATIC "${VOLK_SOURCE}")
    target_include_directories(volk SYSTEM PUBLIC "${VOLK_INCLUDE_DIR}" "${VOLK_VULKAN_INCLUDE_DIR}")
    target_link_libraries(volk PUBLIC ${CMAKE_DL_LIBS})
endif()
mark_as_advanced(VOLK_INCLUDE_DIR VOLK_SOURCE VOLK_VULKAN_INCLUDE_DIR)
