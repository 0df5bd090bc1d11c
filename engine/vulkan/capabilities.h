#pragma once

#include "engine/vulkan/device_description.h"
#include "engine/vulkan/vulkan_api.h"

#include <array>
#include <cstdint>
#include <string>

namespace engine::vk {

/// What one device can do, each probed on its own and never assumed from a vendor. A feature that
/// is true here is switched on in the Device.
struct Capabilities {
    // Shader features
    bool shaderFloat16 = false;
    bool shaderInt8 = false;
    bool shaderInt16 = false;
    bool shaderInt64 = false;
    bool storageBuffer16Bit = false;
    bool uniformBuffer16Bit = false;
    bool storageBuffer8Bit = false;
    bool bufferDeviceAddress = false;
    bool integerDotProduct = false; ///< usable; see integerDotAccelerated
    bool integerDotAccelerated = false; ///< packed signed 4x8 bit

    // Subgroups, in compute shaders
    uint32_t subgroupSize = 0; ///< what a shader gets that asks for none
    uint32_t minSubgroupSize = 0; ///< equal to subgroupSize where the size cannot be required
    uint32_t maxSubgroupSize = 0;
    bool subgroupSizeRequirable = false; ///< PipelineOptions::requiredSubgroupSize works
    bool subgroupArithmetic = false;
    bool subgroupClustered = false;
    bool subgroupShuffle = false;
    bool subgroupBallot = false;
    bool subgroupExtendedTypes = false; ///< subgroup operations on halves and 8-bit integers

    // Rounding that a shader may ask for by an execution mode
    bool roundToEvenFloat16 = false;
    bool roundToEvenFloat32 = false;
    bool denormalsKeptFloat32 = false;

    // Limits
    uint64_t maxStorageBufferRange = 0; ///< bytes of one storage buffer binding
    uint64_t maxUniformBufferRange = 0; ///< bytes of one uniform buffer binding
    uint64_t maxTexelBufferElements = 0; ///< texels of one TexelView
    uint64_t maxAllocationBytes = 0; ///< of one Buffer
    uint64_t maxAllocationCount = 0;
    uint64_t storageOffsetAlignment = 1; ///< bytes
    uint64_t uniformOffsetAlignment = 1;
    uint64_t texelOffsetAlignment = 1; ///< enough for every format
    uint32_t maxPushConstantBytes = 0;
    uint32_t maxWorkgroupInvocations = 0;
    std::array<uint32_t, 3> maxWorkgroupSize {};
    std::array<uint32_t, 3> maxWorkgroupCount {};
    uint32_t sharedMemoryBytes = 0; ///< of one workgroup
    uint32_t maxStorageBufferBindings = 0; ///< of one pipeline
    uint32_t maxUniformBufferBindings = 0;
    uint32_t maxUniformTexelBindings = 0;
    uint32_t maxStorageTexelBindings = 0;

    // Time
    bool timestamps = false;
    double timestampPeriodNs = 0; ///< nanoseconds per tick
    uint32_t timestampValidBits = 0;

    // Memory and identity
    bool unifiedMemory = false; ///< integrated or software: device memory is host memory,
                                ///< Buffer::mapped() may be set
    bool softwareDevice = false;
    bool memoryBudget = false; ///< the driver reports how much is free
    uint32_t apiVersion = 0;
    std::string driverUuid; ///< 32 hex digits
    uint32_t vendorId = 0;
    uint32_t deviceId = 0;
    std::array<uint8_t, VK_UUID_SIZE> pipelineCacheUuid {};
    uint32_t computeQueueFamily = 0;

    bool operator==(const Capabilities&) const = default;
};

/// Asks a physical device; creates nothing.
Capabilities probeCapabilities(VkPhysicalDevice device);
DeviceDescription describeDevice(VkPhysicalDevice device);

/// Whether the device offers a device extension of this name.
bool hasExtension(VkPhysicalDevice device, const char* name);

} // namespace engine::vk
