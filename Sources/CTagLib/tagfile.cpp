#include <taglib/apetag.h>
#include <taglib/flacfile.h>
#include <taglib/flacpicture.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2header.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/tpropertymap.h>
#include <taglib/vorbisfile.h>
#include <taglib/xiphcomment.h>

#include "ctaglib.h"
#include "id3.hpp"

using namespace TagLib;

namespace {

const char *const pictureKey = "METADATA_BLOCK_PICTURE";

std::string utf8(const String &text) { return text.to8Bit(true); }

String text(const std::string &utf8) { return String(utf8, String::UTF8); }

void read_picture(const FLAC::Picture *picture, ctag_list &out) {
  ctag_entry entry;
  entry.texts[CTAG_KEY] = pictureKey;
  entry.texts[CTAG_QUALIFIER] = utf8(picture->description());
  entry.texts[CTAG_MEDIA_TYPE] = utf8(picture->mimeType());
  const ByteVector data = picture->data();
  entry.texts[CTAG_DATA] = std::string(data.data(), data.size());
  entry.numbers[CTAG_PICTURE_TYPE] = static_cast<uint32_t>(picture->type()) & 0xFF;
  entry.numbers[CTAG_WIDTH] = static_cast<uint32_t>(picture->width());
  entry.numbers[CTAG_HEIGHT] = static_cast<uint32_t>(picture->height());
  out.entries.push_back(std::move(entry));
}

void read_fields(const Ogg::XiphComment *comment, ctag_list &out) {
  for (const auto &[name, values] : comment->fieldListMap()) {
    ctag_entry entry;
    entry.texts[CTAG_KEY] = utf8(name);
    for (const String &value : values) entry.values.push_back(utf8(value));
    out.entries.push_back(std::move(entry));
  }
}

FLAC::Picture *new_picture(const ctag_entry &entry) {
  auto *picture = new FLAC::Picture;
  picture->setType(static_cast<FLAC::Picture::Type>(entry.numbers[CTAG_PICTURE_TYPE] % 21));
  picture->setMimeType(text(entry.texts[CTAG_MEDIA_TYPE]));
  picture->setDescription(text(entry.qualifier()));
  picture->setWidth(static_cast<int>(entry.numbers[CTAG_WIDTH]));
  picture->setHeight(static_cast<int>(entry.numbers[CTAG_HEIGHT]));
  picture->setColorDepth(entry.numbers[CTAG_WIDTH] > 0 ? 24 : 0);
  const std::string &data = entry.texts[CTAG_DATA];
  picture->setData(ByteVector(data.data(), static_cast<unsigned int>(data.size())));
  return picture;
}

// `Pictures` is the file for FLAC and the comment for Ogg.
template <typename RemoveAll, typename Add>
int change_fields(
    Ogg::XiphComment *comment, RemoveAll removePictures, Add addPicture, const ctag_list &removed,
    const ctag_list &added, size_t *failed) {
  for (const ctag_entry &wanted : removed.entries) {
    if (wanted.key() == "*") {
      comment->removeAllFields();
      removePictures();
    } else if (wanted.key() == pictureKey) {
      removePictures();
    } else {
      comment->removeFields(text(wanted.key()));
    }
  }
  for (size_t i = 0; i < added.entries.size(); ++i) {
    const ctag_entry &entry = added.entries[i];
    if (entry.key() == pictureKey) {
      addPicture(new_picture(entry));
      continue;
    }
    if (!Ogg::XiphComment::checkKey(text(entry.key()))) {
      *failed = i;
      return CTAG_BAD_KEY;
    }
    for (const auto &value : entry.values) {
      comment->addField(text(entry.key()), text(value), false);
    }
  }
  return CTAG_OK;
}

// What an APE tag or one of ID3v1 says, for a file without ID3v2.
bool inherit_old(MPEG::File &file, ID3v2::Tag *tag) {
  if (file.hasAPETag()) {
    tag->setProperties(file.APETag()->properties());
  } else if (file.hasID3v1Tag()) {
    Tag::duplicate(file.ID3v1Tag(), tag);
  } else {
    return false;
  }
  return true;
}

int read_mpeg(const char *path, ctag_list &out, int *version) {
  MPEG::File file(path, false);
  if (!file.isValid()) return CTAG_NOT_OPENED;
  if (file.hasID3v2Tag()) {
    *version = static_cast<int>(file.ID3v2Tag()->header()->majorVersion());
    read_id3(file.ID3v2Tag(), out);
  } else if (ID3v2::Tag tag; inherit_old(file, &tag)) {
    read_id3(&tag, out);
  }
  return CTAG_OK;
}

int read_flac(const char *path, ctag_list &out) {
  FLAC::File file(path, false);
  if (!file.isValid()) return CTAG_NOT_OPENED;
  if (file.hasXiphComment()) read_fields(file.xiphComment(), out);
  for (const FLAC::Picture *picture : file.pictureList()) read_picture(picture, out);
  return CTAG_OK;
}

template <typename File>
int read_ogg(const char *path, ctag_list &out) {
  File file(path, false);
  if (!file.isValid() || !file.tag()) return CTAG_NOT_OPENED;
  read_fields(file.tag(), out);
  for (const FLAC::Picture *picture : file.tag()->pictureList()) read_picture(picture, out);
  return CTAG_OK;
}

int write_mpeg(
    const char *path, int version, bool addsID3v1, const ctag_list &removed,
    const ctag_list &added, size_t *failed) {
  MPEG::File file(path, false);
  if (!file.isValid() || file.readOnly()) return CTAG_NOT_OPENED;
  const bool isNew = !file.hasID3v2Tag();
  ID3v2::Tag *tag = file.ID3v2Tag(true);
  if (isNew) inherit_old(file, tag);
  const int status = change_id3(tag, version, removed, added, failed);
  if (status != CTAG_OK) return status;
  int kinds = MPEG::File::ID3v2;
  // An old tag would contradict the new one.
  if (addsID3v1 || file.hasID3v1Tag()) {
    Tag::duplicate(tag, file.ID3v1Tag(true));
    kinds |= MPEG::File::ID3v1;
  }
  // The short `save` would upgrade the version and add an ID3v1 tag.
  const bool isSaved = file.save(
      kinds, File::StripNone, version == 3 ? ID3v2::v3 : ID3v2::v4, File::DoNotDuplicate);
  return isSaved ? CTAG_OK : CTAG_NOT_SAVED;
}

int write_flac(const char *path, const ctag_list &removed, const ctag_list &added,
    size_t *failed) {
  FLAC::File file(path, false);
  if (!file.isValid() || file.readOnly()) return CTAG_NOT_OPENED;
  const int status = change_fields(
      file.xiphComment(true), [&] { file.removePictures(); },
      [&](FLAC::Picture *picture) { file.addPicture(picture); }, removed, added, failed);
  if (status != CTAG_OK) return status;
  return file.save() ? CTAG_OK : CTAG_NOT_SAVED;
}

template <typename OggFile>
int write_ogg(const char *path, const ctag_list &removed, const ctag_list &added,
    size_t *failed) {
  OggFile file(path, false);
  if (!file.isValid() || file.readOnly() || !file.tag()) return CTAG_NOT_OPENED;
  Ogg::XiphComment *comment = file.tag();
  const int status = change_fields(
      comment, [&] { comment->removeAllPictures(); },
      [&](FLAC::Picture *picture) { comment->addPicture(picture); }, removed, added, failed);
  if (status != CTAG_OK) return status;
  return file.save() ? CTAG_OK : CTAG_NOT_SAVED;
}

}  // namespace

int ctag_read(const char *path, int kind, ctag_list *out, int *version) {
  *version = 0;
  try {
    switch (kind) {
      case CTAG_MPEG: return read_mpeg(path, *out, version);
      case CTAG_FLAC: return read_flac(path, *out);
      case CTAG_OGG: {
        const int status = read_ogg<Ogg::Vorbis::File>(path, *out);
        return status == CTAG_NOT_OPENED ? read_ogg<Ogg::FLAC::File>(path, *out) : status;
      }
      case CTAG_OPUS: return read_ogg<Ogg::Opus::File>(path, *out);
      default: return CTAG_NOT_OPENED;
    }
  } catch (...) {
    return CTAG_EXCEPTION;
  }
}

int ctag_write(
    const char *path, int kind, int version, int adds_id3v1, const ctag_list *removed,
    const ctag_list *added, size_t *failed) {
  *failed = SIZE_MAX;
  try {
    switch (kind) {
      case CTAG_MPEG: return write_mpeg(path, version, adds_id3v1 != 0, *removed, *added, failed);
      case CTAG_FLAC: return write_flac(path, *removed, *added, failed);
      case CTAG_OGG: {
        const int status = write_ogg<Ogg::Vorbis::File>(path, *removed, *added, failed);
        return status == CTAG_NOT_OPENED
            ? write_ogg<Ogg::FLAC::File>(path, *removed, *added, failed) : status;
      }
      case CTAG_OPUS: return write_ogg<Ogg::Opus::File>(path, *removed, *added, failed);
      default: return CTAG_NOT_OPENED;
    }
  } catch (...) {
    return CTAG_EXCEPTION;
  }
}
