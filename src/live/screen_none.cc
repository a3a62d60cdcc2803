#include "live/screen.h"

namespace forge::live {

Result<std::unique_ptr<Screen>> OpenScreen(const ScreenOptions& /*options*/) {
  return ExecutionFailed("this program was built without live: the terminal library (ncurses) was missing");
}

}  // namespace forge::live
