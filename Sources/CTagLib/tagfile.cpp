#include "ctaglib.h"
