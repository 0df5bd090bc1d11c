#pragma once

#include <QWidget>

#include <functional>

namespace tests {

/// Takes pictures of source texts and of the gauge, in a window of its own.
void takeSourcePictures(const std::function<void(QWidget& window, const char* name)>& picture);

} // namespace tests
