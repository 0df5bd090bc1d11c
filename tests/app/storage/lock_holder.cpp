// A program that takes the folder of its first argument and holds it, for tst_instance_lock.
// It prints a line when it has it ("held") or not ("refused"), and one for each raise ("raise").

#include "app/storage/instance_lock.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const auto say = [](const char* word) {
        std::puts(word);
        std::fflush(stdout);
    };
    if (argc < 2)
        return 2;
    const app::InstanceStart start = app::InstanceLock::take(QString::fromLocal8Bit(argv[1]));
    if (!start.lock) {
        say(start.wasOtherRaised ? "refused, raised" : "refused");
        return 1;
    }
    QObject::connect(
        start.lock.get(), &app::InstanceLock::raiseRequested, [&say] { say("raise"); });
    say("held");
    return QCoreApplication::exec();
}
