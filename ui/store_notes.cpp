#include "ui/store_notes.h"

#include "app/conversation/workspace.h"
#include "ui/notice_bar.h"

#include <QFileInfo>

namespace ui {

StoreNotes::StoreNotes(app::Workspace& workspace, const app::SettingsFile& settings, const app::Storage* storage,
    NoticeBar& notice, QObject* parent)
    : QObject(parent)
    , m_storage(storage)
    , m_notice(notice)
{
    connect(&workspace, &app::Workspace::storeOpened, this, &StoreNotes::tellOpening);
    if (m_storage)
        connect(m_storage, &app::Storage::troubleChanged, this, &StoreNotes::tellTrouble);
    connect(&settings, &app::SettingsFile::writeFailed, this,
        [this](const QString& message) { m_notice.show(NoticeBar::Kind::Warning, message); });
    if (!settings.notes().isEmpty())
        m_notice.showBeneath(
            NoticeBar::Kind::Warning, settings.notes().join(QLatin1Char('\n')), settings.path());
}

void StoreNotes::tellOpening(const app::StoreOpening& opening, int interruptedCount)
{
    // Read-only for another reason: tellTrouble() shows that.
    if (opening.isOfNewerVersion)
        m_notice.show(NoticeBar::Kind::Warning,
            tr("Your conversations were written by a newer version of Tokenglass. They can be read "
               "here; what you do now is not saved."));
    else if (!opening.setAside.isEmpty())
        m_notice.show(NoticeBar::Kind::Warning,
            tr("The file with your conversations was damaged. %n conversation(s) could be saved "
               "from it; the damaged file was kept as %1.",
                nullptr, opening.salvagedConversationCount)
                .arg(QFileInfo(opening.setAside).fileName()),
            opening.setAside);
    else if (interruptedCount > 0)
        m_notice.show(NoticeBar::Kind::Note,
            interruptedCount == 1
                ? tr("An answer was being written when the program ended. What there was of it is "
                     "kept, as partial; it can be continued.")
                : tr("%1 answers were being written when the program ended. What there was of them "
                     "is kept, as partial; they can be continued.")
                      .arg(interruptedCount));
}

void StoreNotes::tellTrouble()
{
    if (const auto& trouble = m_storage->trouble())
        m_notice.show(NoticeBar::Kind::Warning,
            trouble->title + QStringLiteral(". ") + trouble->message, trouble->details);
    else
        m_notice.show(
            NoticeBar::Kind::Note, tr("Conversations are being saved again."), {}, {}, 5000);
}

} // namespace ui
