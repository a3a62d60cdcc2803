// Draws the state of `live` as a grid of cells.
#pragma once

#include "live/grid.h"
#include "live/model.h"

namespace forge::live {

Grid Draw(const Model& model);

}  // namespace forge::live
