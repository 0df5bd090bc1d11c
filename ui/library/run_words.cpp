#include "ui/library/run_words.h"

namespace ui {

QString RunWords::reason(const std::optional<engine::StopReason>& reason)
{
    return reason ? tr(engine::stopReasonInfo(*reason).words) : tr("under way");
}

QString RunWords::startedBy(const QString& name)
{
    if (name == QLatin1String("person"))
        return tr("a person");
    if (name == QLatin1String("grid"))
        return tr("the run grid");
    if (name == QLatin1String("worksheet"))
        return tr("a worksheet’s plan");
    if (name == QLatin1String("command_line"))
        return tr("the command line");
    if (name == QLatin1String("import"))
        return tr("an import");
    return name;
}

QString RunWords::title(const QString& conversationTitle)
{
    return conversationTitle.isEmpty() ? tr("New chat") : conversationTitle;
}

QString RunWords::templateFamily(const QString& family)
{
    return family.isEmpty() ? tr("plain text") : family;
}

} // namespace ui
