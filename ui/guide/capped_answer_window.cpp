#include "ui/guide/capped_answer_window.h"

#include "app/compare/requirement_check.h"
#include "ui/guide/fact_table.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

namespace ui {

namespace {
    constexpr const char* kAnswer
        = "Travel from Ghent to Bruges, 4 May. The train leaves at 10:04 and";
    constexpr const char* kTimetable = "Ghent 10:04 – Bruges 10:31, change at Aalter on Sundays";
}

CappedAnswerWindow::CappedAnswerWindow(QWidget* parent)
    : QDialog(parent)
{
    const int unit = gridUnit(this);
    setWindowTitle(tr("A capped answer"));
    resize(unit * 84, unit * 52);
    auto* note = new NoteLabel(this);
    note->setNote(tr(
        "Supplied text: no model ran. It reached its length cap, so what follows is not known."));
    auto* answer = new QLabel(QString::fromLatin1(kAnswer), this);
    answer->setObjectName(QStringLiteral("answer"));
    answer->setTextFormat(Qt::PlainText);
    answer->setWordWrap(true);
    answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* sum = new QLabel(this);
    sum->setTextFormat(Qt::PlainText);
    sum->setObjectName(QStringLiteral("sum"));
    auto* table = new FactTable({ tr("Requirement"), tr("State"), tr("Found, or why not") }, this);
    table->setAccessibleName(tr("Requirements"));
    table->horizontalHeader()->setStretchLastSection(true);
    QFile file(QStringLiteral(":/requirements/rail-journey.json"));
    if (file.open(QIODevice::ReadOnly))
        if (const auto set = app::requirementSetFrom(file.readAll().toStdString())) {
            const app::RequirementCheck check = app::checkRequirements(
                *set, kAnswer, engine::Verdict::Capped, { { "timetable.txt", kTimetable } });
            sum->setText(tr("capped · %1").arg(QString::fromStdString(check.words())));
            std::vector<QStringList> rows;
            for (const app::RequirementResult& result : check.results)
                rows.push_back({ QString::fromStdString(result.name),
                    QLatin1String(app::requirementStateName(result.state)),
                    QString::fromStdString(result.why.empty() ? result.value : result.why) });
            table->setFacts(rows);
            table->resizeColumnsToContents();
        }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(note);
    column->addWidget(answer);
    column->addWidget(sum);
    column->addWidget(table, 1);
    column->addWidget(buttons);
}

} // namespace ui
