#include "engine/vulkan/instance.h"

#include "engine/vulkan/capabilities.h"
#include "engine/vulkan/vk_result.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>

namespace engine::vk {

namespace {
    constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

    Error noLoader()
    {
        return Error::noDevice("Vulkan is not installed on this computer: install a graphics "
                               "driver with Vulkan 1.2 or "
                               "newer (Debian: libvulkan1 and mesa-vulkan-drivers)");
    }

    Error noDriver(VkResult result)
    {
        return Error::noDevice("no Vulkan driver was found: install one for this graphics card, or "
                               "the software device "
                               "(Debian: mesa-vulkan-drivers) ("
            + resultName(result) + ")");
    }

    bool validationWanted(const InstanceOptions& options)
    {
        const char* wish = std::getenv("TOKENGLASS_VALIDATION");
        return options.validation || (wish && std::strcmp(wish, "1") == 0);
    }

    bool layerIsInstalled()
    {
        uint32_t count = 0;
        vkEnumerateInstanceLayerProperties(&count, nullptr);
        std::vector<VkLayerProperties> layers(count);
        vkEnumerateInstanceLayerProperties(&count, layers.data());
        return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
            return std::strcmp(layer.layerName, kValidationLayer) == 0;
        });
    }

    /// Where Vulkan is a layer over another interface (MoltenVK), devices are listed only on
    /// request.
    bool offersPortability()
    {
        uint32_t count = 0;
        vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr);
        std::vector<VkExtensionProperties> extensions(count);
        vkEnumerateInstanceExtensionProperties(nullptr, &count, extensions.data());
        return std::any_of(
            extensions.begin(), extensions.end(), [](const VkExtensionProperties& e) {
                return std::strcmp(e.extensionName, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)
                    == 0;
            });
    }

    VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
        VkDebugUtilsMessageTypeFlagsEXT, const VkDebugUtilsMessengerCallbackDataEXT* message,
        void* user)
    {
        if (ValidationLog* log = static_cast<ValidationLog*>(user))
            log->add(message->pMessage);
        else
            std::cerr << "validation: " << message->pMessage << "\n";
        return VK_FALSE;
    }

    VkDebugUtilsMessengerCreateInfoEXT messengerInfo(ValidationLog* log)
    {
        VkDebugUtilsMessengerCreateInfoEXT info {
            VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT
        };
        info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
            | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        // Not GENERAL: the loader reports there, which says nothing about our own use of Vulkan.
        info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
        info.pfnUserCallback = onMessage;
        info.pUserData = log;
        return info;
    }
}

struct Instance::State {
    VkInstance instance = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    std::atomic<bool> abandoned = false;

    ~State()
    {
        if (!instance || abandoned)
            return;
        if (messenger)
            vkDestroyDebugUtilsMessengerEXT(instance, messenger, nullptr);
        vkDestroyInstance(instance, nullptr);
    }
};

Instance::Instance(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}
Instance::Instance(Instance&&) noexcept = default;
Instance& Instance::operator=(Instance&&) noexcept = default;
Instance::~Instance() = default;

Result<Instance> Instance::create(const InstanceOptions& options)
{
    if (volkInitialize() != VK_SUCCESS)
        return noLoader();
    const uint32_t loaderVersion = volkGetInstanceVersion();
    if (loaderVersion < VK_API_VERSION_1_2)
        return Error::noDevice("the Vulkan loader is too old: version 1.2 or newer is needed");

    const bool validation = validationWanted(options);
    if (validation && !layerIsInstalled())
        return Error::unsupported(
            "the Vulkan validation layers are not installed (Debian: vulkan-validationlayers)");

    VkApplicationInfo application { VK_STRUCTURE_TYPE_APPLICATION_INFO };
    application.pApplicationName = "tokenglass";
    application.pEngineName = "tokenglass";
    application.apiVersion = std::min(loaderVersion, uint32_t(VK_API_VERSION_1_3));

    const VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(options.log);
    const VkValidationFeatureEnableEXT enabled[]
        = { VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT };
    VkValidationFeaturesEXT features { VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT };
    features.pNext = &messenger;
    features.enabledValidationFeatureCount = 1;
    features.pEnabledValidationFeatures = enabled;
    VkInstanceCreateInfo info { VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO };
    info.pApplicationInfo = &application;
    std::vector<const char*> extensions;
    if (offersPortability()) {
        extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
        info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }
    if (validation) {
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
        extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
        info.pNext = &features;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &kValidationLayer;
    }
    info.enabledExtensionCount = uint32_t(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();

    auto state = std::make_unique<State>();
    const VkResult created = vkCreateInstance(&info, nullptr, &state->instance);
    if (created == VK_ERROR_INCOMPATIBLE_DRIVER || created == VK_ERROR_INITIALIZATION_FAILED)
        return noDriver(created);
    if (created != VK_SUCCESS)
        return errorFrom(created, "start Vulkan");
    volkLoadInstanceOnly(state->instance);

    if (validation) {
        const VkResult made = vkCreateDebugUtilsMessengerEXT(
            state->instance, &messenger, nullptr, &state->messenger);
        if (made != VK_SUCCESS)
            return errorFrom(made, "start the validation messages");
    }
    return Instance(std::move(state));
}

Result<FoundDevices> Instance::devices() const
{
    FoundDevices found;
    VkResult result = VK_INCOMPLETE;
    while (result == VK_INCOMPLETE) { // a device may appear between the two calls
        uint32_t count = 0;
        result = vkEnumeratePhysicalDevices(m_state->instance, &count, nullptr);
        if (result != VK_SUCCESS)
            break;
        found.handles.resize(count);
        result = vkEnumeratePhysicalDevices(m_state->instance, &count, found.handles.data());
        found.handles.resize(count);
    }
    if (result == VK_ERROR_INITIALIZATION_FAILED)
        return noDriver(result);
    if (result != VK_SUCCESS)
        return errorFrom(result, "list its devices");
    for (VkPhysicalDevice device : found.handles)
        found.descriptions.push_back(describeDevice(device));
    return found;
}

bool Instance::validates() const { return m_state->messenger != VK_NULL_HANDLE; }
std::atomic<bool>& Instance::abandonedFlag() const { return m_state->abandoned; }

} // namespace engine::vk
