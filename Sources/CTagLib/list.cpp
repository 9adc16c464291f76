#include "list.hpp"

#include <new>

ctag_list *ctag_list_new(void) { return new (std::nothrow) ctag_list; }

void ctag_list_free(ctag_list *list) { delete list; }

size_t ctag_count(const ctag_list *list) { return list->entries.size(); }

int ctag_append(ctag_list *list) {
  try {
    list->entries.emplace_back();
    return CTAG_OK;
  } catch (...) {
    return CTAG_EXCEPTION;
  }
}

int ctag_set_text(ctag_list *list, int field, const char *bytes, size_t length) {
  if (list->entries.empty() || field < 0 || field > CTAG_DATA) return CTAG_BAD_KEY;
  try {
    list->entries.back().texts[field].assign(bytes, length);
    return CTAG_OK;
  } catch (...) {
    return CTAG_EXCEPTION;
  }
}

int ctag_set_number(ctag_list *list, int field, uint32_t number) {
  if (list->entries.empty() || field < 0 || field > CTAG_END) return CTAG_BAD_KEY;
  list->entries.back().numbers[field] = number;
  return CTAG_OK;
}

int ctag_add_value(ctag_list *list, const char *bytes, size_t length) {
  if (list->entries.empty()) return CTAG_BAD_KEY;
  try {
    list->entries.back().values.emplace_back(bytes, length);
    return CTAG_OK;
  } catch (...) {
    return CTAG_EXCEPTION;
  }
}

const char *ctag_text(const ctag_list *list, size_t index, int field, size_t *length) {
  *length = 0;
  if (index >= list->entries.size() || field < 0 || field > CTAG_DATA) return nullptr;
  const std::string &text = list->entries[index].texts[field];
  *length = text.size();
  return text.data();
}

uint32_t ctag_number(const ctag_list *list, size_t index, int field) {
  if (index >= list->entries.size() || field < 0 || field > CTAG_END) return 0;
  return list->entries[index].numbers[field];
}

size_t ctag_value_count(const ctag_list *list, size_t index) {
  return index < list->entries.size() ? list->entries[index].values.size() : 0;
}

const char *ctag_value(const ctag_list *list, size_t index, size_t value, size_t *length) {
  *length = 0;
  if (value >= ctag_value_count(list, index)) return nullptr;
  const std::string &text = list->entries[index].values[value];
  *length = text.size();
  return text.data();
}
