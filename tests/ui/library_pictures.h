#pragma once

#include <QWidget>

#include <functional>

namespace tests {

/// Pictures of the run library, of worksheets and of a chat that asks for something.
void takeLibraryPictures(const std::function<void(QWidget& window, const char* name)>& picture);

} // namespace tests
