#pragma once

#include "app/storage/run_list.h"

#include <QWidget>

class QComboBox;
class QDateEdit;
class QLineEdit;

namespace ui {

/// The conditions above the table of runs: model, verdict, stop reason, days, title.
class RunFilterRow : public QWidget {
    Q_OBJECT
public:
    explicit RunFilterRow(QWidget* parent = nullptr);

    app::RunFilter filter() const;
    /// What may be chosen; a choice stays when it is still there.
    void setCheckpointFiles(const QStringList& files);
    void clear();

signals:
    void filterChanged();

private:
    void placeDays();

    QLineEdit* m_title;
    QComboBox* m_model;
    QComboBox* m_verdict;
    QComboBox* m_reason;
    QComboBox* m_days;
    QDateEdit* m_from;
    QDateEdit* m_to;
};

} // namespace ui
