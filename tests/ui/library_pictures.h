#pragma once

#include <QWidget>

#include <functional>

namespace tests {

/// Pictures of the run library and of worksheets.
void takeLibraryPictures(const std::function<void(QWidget& window, const char* name)>& picture);

} // namespace tests
