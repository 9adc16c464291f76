#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2header.h>
#include <taglib/mpegfile.h>
#include <taglib/tbytevectorstream.h>

#include "ctaglib.h"
#include "id3.hpp"

using namespace TagLib;

namespace {

ByteVector vector(const char *bytes, size_t length) {
  return ByteVector(bytes, static_cast<unsigned int>(length));
}

}  // namespace

int ctag_read_id3(const char *bytes, size_t length, ctag_list *out, int *version) {
  *version = 0;
  try {
    ByteVectorStream stream(vector(bytes, length));
    MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
    if (!file.hasID3v2Tag()) return CTAG_OK;
    *version = static_cast<int>(file.ID3v2Tag()->header()->majorVersion());
    read_id3(file.ID3v2Tag(), *out);
    return CTAG_OK;
  } catch (...) {
    return CTAG_EXCEPTION;
  }
}

int ctag_render_id3(
    const char *bytes, size_t length, int version, const ctag_list *removed,
    const ctag_list *added, ctag_list *out, size_t *failed) {
  *failed = SIZE_MAX;
  try {
    ByteVectorStream stream(vector(bytes, length));
    MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
    ID3v2::Tag *tag = file.ID3v2Tag(true);
    const int status = change_id3(tag, version, *removed, *added, failed);
    if (status != CTAG_OK) return status;
    ctag_entry entry;
    if (!tag->frameList().isEmpty()) {
      const ByteVector rendered = tag->render(version == 3 ? ID3v2::v3 : ID3v2::v4);
      entry.texts[CTAG_DATA].assign(rendered.data(), rendered.size());
    }
    out->entries.push_back(std::move(entry));
    return CTAG_OK;
  } catch (...) {
    return CTAG_EXCEPTION;
  }
}
