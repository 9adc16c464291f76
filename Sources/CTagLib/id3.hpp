#pragma once
#include <taglib/id3v2tag.h>

#include "list.hpp"

void read_id3(const TagLib::ID3v2::Tag *tag, ctag_list &out);

// CTAG_OK or CTAG_BAD_KEY; the tag is changed only in memory.
int change_id3(
    TagLib::ID3v2::Tag *tag, int version, const ctag_list &removed, const ctag_list &added,
    size_t *failed);
