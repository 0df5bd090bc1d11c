// What most tests of the window include from libraries.
#include "ui.h"

#include <QListView>
#include <QMainWindow>
#include <QTableView>
#include <QTest>
#include <QtTest>
