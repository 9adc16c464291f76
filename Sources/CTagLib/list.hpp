#pragma once
#include <string>
#include <vector>

#include "ctaglib.h"

// One tag in a form that all containers share.
struct ctag_entry {
  std::string texts[5];
  uint32_t numbers[5] = {0, 0, 0, 0, 0};
  std::vector<std::string> values;

  const std::string &key() const { return texts[CTAG_KEY]; }
  const std::string &qualifier() const { return texts[CTAG_QUALIFIER]; }
};

struct ctag_list {
  std::vector<ctag_entry> entries;
};
