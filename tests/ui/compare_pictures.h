#pragma once

#include <QWidget>

#include <functional>

namespace tests {

/// Takes pictures of runs side by side, in a window of their own.
void takeComparePictures(const std::function<void(QWidget& window, const char* name)>& picture);

} // namespace tests
