#pragma once

#include <QWidget>

#include <functional>

namespace tests {

/// Takes pictures of searching, finding and folders, in a window on a store of its own.
void takeFindPictures(const std::function<void(QWidget& window, const char* name)>& picture);

} // namespace tests
