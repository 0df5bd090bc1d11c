#pragma once

#include "app/models/model_file.h"

#include <QAbstractButton>

namespace ui {

/// A model found on this machine as a button of two lines: its name, and what it is.
class ModelRow : public QAbstractButton {
    Q_OBJECT
public:
    explicit ModelRow(const app::ModelFile& file, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString m_details;
};

} // namespace ui
