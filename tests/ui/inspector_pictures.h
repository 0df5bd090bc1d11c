#pragma once

#include <QWidget>

#include <functional>

namespace tests {

/// Takes pictures of the inspector beside an answer, in a window on a store of its own.
void takeInspectorPictures(const std::function<void(QWidget& window, const char* name)>& picture);

} // namespace tests
