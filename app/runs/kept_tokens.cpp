#include "app/runs/kept_tokens.h"

namespace app {

const KeptTokens::Run* KeptTokens::runOf(int token) const
{
    const Run* found = nullptr;
    for (const Run& run : runs)
        if (run.firstToken <= token)
            found = &run;
    return found;
}

} // namespace app
