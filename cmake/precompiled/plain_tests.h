// What most tests below the window include from libraries.
#include "app.h"

#include <QtTest>

#include <random>
