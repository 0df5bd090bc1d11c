#include "engine/chat/jinja/clock_text.h"

#include "engine/chat/jinja/limits.h"

#include <cstdint>

namespace engine::jinja {

namespace {
    constexpr const char* kMonths[] = { "January", "February", "March", "April", "May", "June",
        "July", "August", "September", "October", "November", "December" };
    constexpr const char* kWeekdays[]
        = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };

    struct CivilTime {
        int year;
        int month; ///< 1 to 12
        int day; ///< 1 to 31
        int hour;
        int minute;
        int second;
        int weekday; ///< 0 is Sunday
        int yearDay; ///< 1 to 366
        int64_t epochSeconds;
    };

    CivilTime civilTime(std::chrono::sys_seconds now)
    {
        using namespace std::chrono;
        const auto day = floor<days>(now);
        const year_month_day date(day);
        const int64_t seconds = (now - day).count();
        return { int(date.year()), int(unsigned(date.month())), int(unsigned(date.day())),
            int(seconds / 3600), int(seconds / 60 % 60), int(seconds % 60),
            int(weekday(day).c_encoding()), int((day - sys_days(date.year() / 1 / 1)).count()) + 1,
            int64_t(now.time_since_epoch().count()) };
    }

    /// A number filled to the width, unless the directive's flag says otherwise.
    std::string filled(int value, size_t width, char fill, char flag)
    {
        std::string digits = std::to_string(value);
        if (flag == '-')
            return digits;
        if (flag == '_')
            fill = ' ';
        if (flag == '0')
            fill = '0';
        if (digits.size() < width)
            digits.insert(0, width - digits.size(), fill);
        return digits;
    }

    int hour12(const CivilTime& t) { return t.hour % 12 == 0 ? 12 : t.hour % 12; }

    /// What a directive stands for in simpler directives; null when it is simple itself.
    const char* expansion(char directive)
    {
        switch (directive) {
        case 'c':
            return "%a %b %e %H:%M:%S %Y";
        case 'x':
        case 'D':
            return "%m/%d/%y";
        case 'X':
        case 'T':
            return "%H:%M:%S";
        case 'F':
            return "%Y-%m-%d";
        case 'R':
            return "%H:%M";
        case 'r':
            return "%I:%M:%S %p";
        case 'h':
            return "%b";
        default:
            return nullptr;
        }
    }

    Result<std::string> directiveText(char directive, char flag, const CivilTime& t)
    {
        switch (directive) {
        case 'Y':
            return std::to_string(t.year);
        case 'y':
            return filled(t.year % 100, 2, '0', flag);
        case 'm':
            return filled(t.month, 2, '0', flag);
        case 'd':
            return filled(t.day, 2, '0', flag);
        case 'e':
            return filled(t.day, 2, ' ', flag);
        case 'H':
            return filled(t.hour, 2, '0', flag);
        case 'k':
            return filled(t.hour, 2, ' ', flag);
        case 'I':
            return filled(hour12(t), 2, '0', flag);
        case 'l':
            return filled(hour12(t), 2, ' ', flag);
        case 'M':
            return filled(t.minute, 2, '0', flag);
        case 'S':
            return filled(t.second, 2, '0', flag);
        case 'f':
            return std::string("000000");
        case 'j':
            return filled(t.yearDay, 3, '0', flag);
        case 'p':
            return std::string(t.hour < 12 ? "AM" : "PM");
        case 'P':
            return std::string(t.hour < 12 ? "am" : "pm");
        case 'B':
            return std::string(kMonths[t.month - 1]);
        case 'b':
            return std::string(kMonths[t.month - 1], 3);
        case 'A':
            return std::string(kWeekdays[t.weekday]);
        case 'a':
            return std::string(kWeekdays[t.weekday], 3);
        case 'u':
            return std::to_string(t.weekday == 0 ? 7 : t.weekday);
        case 'w':
            return std::to_string(t.weekday);
        case 's':
            return std::to_string(t.epochSeconds);
        case 'z':
        case 'Z':
            return std::string(); // the clock carries no time zone
        case 'n':
            return std::string("\n");
        case 't':
            return std::string("\t");
        case '%':
            return std::string("%");
        default:
            return Error::badTemplate(
                "strftime_now: unknown directive '%" + std::string(1, directive) + "'");
        }
    }
}

Result<std::string> clockText(std::string_view format, std::chrono::sys_seconds now)
{
    const CivilTime time = civilTime(now);
    std::string text;
    for (size_t i = 0; i < format.size(); ++i) {
        if (text.size() > kMaxStringBytes)
            return Error::badTemplate("a string longer than 4 MiB");
        if (format[i] != '%' || i + 1 == format.size()) {
            text += format[i];
            continue;
        }
        char flag = ' ';
        ++i;
        if ((format[i] == '-' || format[i] == '_' || format[i] == '0') && i + 1 < format.size())
            flag = format[i++];
        if (const char* simpler = expansion(format[i])) {
            TRY_ASSIGN(const std::string part, clockText(simpler, now));
            text += part;
        } else {
            TRY_ASSIGN(const std::string part, directiveText(format[i], flag, time));
            text += part;
        }
    }
    return text;
}

} // namespace engine::jinja
