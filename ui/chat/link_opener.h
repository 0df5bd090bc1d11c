#pragma once

#include <QString>

class QWidget;

namespace ui {

/// http, https and mailto are the only targets a model's text may lead to.
bool mayOpenLink(const QString& target);

/// Shows where a link leads and opens it in the person's browser when they agree. Targets of other
/// kinds (files, network shares, other programs) are shown and never opened.
void openLink(const QString& target, QWidget* parent);

} // namespace ui
