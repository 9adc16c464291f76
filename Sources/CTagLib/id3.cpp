#include "id3.hpp"

#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/commentsframe.h>
#include <taglib/id3v1genres.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2header.h>
#include <taglib/podcastframe.h>
#include <taglib/privateframe.h>
#include <taglib/tableofcontentsframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/uniquefileidentifierframe.h>
#include <taglib/unsynchronizedlyricsframe.h>
#include <taglib/urllinkframe.h>

using namespace TagLib;

namespace {

std::string utf8(const String &text) { return text.to8Bit(true); }

std::string raw(const ByteVector &bytes) { return std::string(bytes.data(), bytes.size()); }

String text(const std::string &utf8) { return String(utf8, String::UTF8); }

ByteVector bytes(const std::string &raw) {
  return ByteVector(raw.data(), static_cast<unsigned int>(raw.size()));
}

// Genres are stored as numbers of ID3v1 by old writers.
std::string genre(const String &value) {
  bool isNumber = false;
  const int number = value.toInt(&isNumber);
  if (isNumber && number >= 0 && number <= 255) {
    const String name = ID3v1::genre(number);
    if (!name.isEmpty()) return utf8(name);
  }
  return utf8(value);
}

void read_chapter(const ID3v2::ChapterFrame *chapter, ctag_entry &entry) {
  entry.numbers[CTAG_START] = chapter->startTime();
  entry.numbers[CTAG_END] = chapter->endTime();
  const ID3v2::FrameList &titles = chapter->embeddedFrameList("TIT2");
  entry.values.push_back(titles.isEmpty() ? std::string() : utf8(titles.front()->toString()));
}

void read_frame(ID3v2::Frame *frame, ctag_entry &entry) {
  if (auto *f = dynamic_cast<ID3v2::ChapterFrame *>(frame)) {
    read_chapter(f, entry);
  } else if (auto *f = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame)) {
    entry.texts[CTAG_QUALIFIER] = utf8(f->description());
    const StringList fields = f->fieldList();
    for (auto it = fields.begin(); it != fields.end(); ++it) {
      if (it != fields.begin()) entry.values.push_back(utf8(*it));
    }
  } else if (auto *f = dynamic_cast<ID3v2::TextIdentificationFrame *>(frame)) {
    for (const auto &value : f->fieldList()) {
      entry.values.push_back(entry.key() == "TCON" ? genre(value) : utf8(value));
    }
  } else if (auto *f = dynamic_cast<ID3v2::CommentsFrame *>(frame)) {
    entry.texts[CTAG_QUALIFIER] = utf8(f->description());
    entry.texts[CTAG_LANGUAGE] = raw(f->language());
    entry.values.push_back(utf8(f->text()));
  } else if (auto *f = dynamic_cast<ID3v2::UnsynchronizedLyricsFrame *>(frame)) {
    entry.texts[CTAG_QUALIFIER] = utf8(f->description());
    entry.texts[CTAG_LANGUAGE] = raw(f->language());
    entry.values.push_back(utf8(f->text()));
  } else if (auto *f = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame)) {
    entry.texts[CTAG_QUALIFIER] = utf8(f->description());
    entry.texts[CTAG_MEDIA_TYPE] = utf8(f->mimeType());
    // The byte of a damaged file may be no type at all.
    entry.numbers[CTAG_PICTURE_TYPE] = static_cast<uint32_t>(f->type()) & 0xFF;
    entry.texts[CTAG_DATA] = raw(f->picture());
  } else if (auto *f = dynamic_cast<ID3v2::UserUrlLinkFrame *>(frame)) {
    entry.texts[CTAG_QUALIFIER] = utf8(f->description());
    entry.values.push_back(utf8(f->url()));
  } else if (auto *f = dynamic_cast<ID3v2::UrlLinkFrame *>(frame)) {
    entry.values.push_back(utf8(f->url()));
  } else if (auto *f = dynamic_cast<ID3v2::UniqueFileIdentifierFrame *>(frame)) {
    entry.texts[CTAG_QUALIFIER] = utf8(f->owner());
    entry.texts[CTAG_DATA] = raw(f->identifier());
  } else if (auto *f = dynamic_cast<ID3v2::PrivateFrame *>(frame)) {
    entry.texts[CTAG_QUALIFIER] = utf8(f->owner());
    entry.texts[CTAG_DATA] = raw(f->data());
  } else if (dynamic_cast<ID3v2::PodcastFrame *>(frame)) {
    // The frame says yes by being there.
    entry.values.push_back("1");
  } else {
    const ByteVector rendered = frame->render();
    const unsigned int size = frame->size();
    const unsigned int start = size <= rendered.size() ? rendered.size() - size : 0;
    entry.texts[CTAG_DATA] = raw(rendered.mid(start));
  }
}

// How a text is stored: version 2.3 knows no UTF-8.
String::Type encoding(int version, const ctag_entry &entry) {
  if (version == 4) return String::UTF8;
  auto isASCII = [](const std::string &text) {
    for (unsigned char c : text)
      if (c >= 0x80) return false;
    return true;
  };
  bool plain = isASCII(entry.qualifier());
  for (const auto &value : entry.values) plain = plain && isASCII(value);
  return plain ? String::Latin1 : String::UTF16;
}

ByteVector language(const ctag_entry &entry) {
  const std::string &code = entry.texts[CTAG_LANGUAGE];
  return code.size() == 3 ? bytes(code) : ByteVector("eng");
}

StringList strings(const ctag_entry &entry) {
  StringList list;
  for (const auto &value : entry.values) list.append(text(value));
  return list;
}

String first(const ctag_entry &entry) {
  return entry.values.empty() ? String() : text(entry.values.front());
}

ID3v2::Frame *picture(const ctag_entry &entry, String::Type type) {
  auto *f = new ID3v2::AttachedPictureFrame;
  f->setTextEncoding(type);
  f->setMimeType(text(entry.texts[CTAG_MEDIA_TYPE]));
  f->setType(
      static_cast<ID3v2::AttachedPictureFrame::Type>(entry.numbers[CTAG_PICTURE_TYPE] % 21));
  f->setDescription(text(entry.qualifier()));
  f->setPicture(bytes(entry.texts[CTAG_DATA]));
  return f;
}

ID3v2::Frame *described(const ctag_entry &entry, String::Type type) {
  const std::string &key = entry.key();
  if (key == "TXXX") {
    auto *f = new ID3v2::UserTextIdentificationFrame(type);
    f->setDescription(text(entry.qualifier()));
    f->setText(strings(entry));
    return f;
  }
  if (key == "COMM") {
    auto *f = new ID3v2::CommentsFrame(type);
    f->setLanguage(language(entry));
    f->setDescription(text(entry.qualifier()));
    f->setText(first(entry));
    return f;
  }
  if (key == "USLT") {
    auto *f = new ID3v2::UnsynchronizedLyricsFrame(type);
    f->setLanguage(language(entry));
    f->setDescription(text(entry.qualifier()));
    f->setText(first(entry));
    return f;
  }
  if (key == "WXXX") {
    auto *f = new ID3v2::UserUrlLinkFrame(type);
    f->setDescription(text(entry.qualifier()));
    f->setUrl(first(entry));
    return f;
  }
  return nullptr;
}

// A frame of another kind from its content, as it was read.
ID3v2::Frame *other(const ctag_entry &entry) {
  const std::string &data = entry.texts[CTAG_DATA];
  if (data.empty() || data.size() >= 1u << 28) return nullptr;
  ByteVector rendered = bytes(entry.key());
  const unsigned int size = static_cast<unsigned int>(data.size());
  for (int shift = 21; shift >= 0; shift -= 7)
    rendered.append(static_cast<char>(size >> shift & 0x7F));
  rendered.append(ByteVector(2, 0));
  rendered.append(bytes(data));
  const ID3v2::Header header;
  return ID3v2::FrameFactory::instance()->createFrame(rendered, &header);
}

// NULL for a key that is not written.
ID3v2::Frame *frame(const ctag_entry &entry, int version) {
  const std::string &key = entry.key();
  if (key.size() != 4) return nullptr;
  const String::Type type = encoding(version, entry);
  if (key == "APIC") return picture(entry, type);
  if (ID3v2::Frame *f = described(entry, type)) return f;
  if (key == "UFID") {
    return new ID3v2::UniqueFileIdentifierFrame(
        text(entry.qualifier()), bytes(entry.texts[CTAG_DATA]));
  }
  if (key == "PRIV") {
    auto *f = new ID3v2::PrivateFrame;
    f->setOwner(text(entry.qualifier()));
    f->setData(bytes(entry.texts[CTAG_DATA]));
    return f;
  }
  if (key == "PCST") return new ID3v2::PodcastFrame;
  const bool isText =
      key[0] == 'T' || key == "WFED" || key == "GRP1" || key == "MVNM" || key == "MVIN";
  if (isText) {
    // iTunes writes the feed as a text in Latin-1.
    auto *f = new ID3v2::TextIdentificationFrame(
        bytes(key), key == "WFED" ? String::Latin1 : type);
    f->setText(strings(entry));
    return f;
  }
  if (key[0] == 'W') {
    auto *f = new ID3v2::UrlLinkFrame(bytes(key));
    f->setUrl(first(entry));
    return f;
  }
  return other(entry);
}

std::string qualifier_of(ID3v2::Frame *frame) {
  ctag_entry entry;
  entry.texts[CTAG_KEY] = raw(frame->frameID());
  read_frame(frame, entry);
  return entry.qualifier();
}

bool is_chapter(const std::string &key) { return key == "CHAP" || key == "CTOC"; }

bool matches(ID3v2::Frame *frame, const ctag_entry &wanted) {
  const std::string key = raw(frame->frameID());
  if (wanted.key() == "*") return !is_chapter(key);
  if (wanted.key() == "CHAP") return is_chapter(key);
  if (key != wanted.key()) return false;
  // Pictures and texts of one key are replaced together.
  if (key == "APIC" || (key[0] == 'T' && key != "TXXX")) return true;
  return qualifier_of(frame) == wanted.qualifier();
}

void add_contents(ID3v2::Tag *tag, const ByteVector &id, const ByteVectorList &children, bool top) {
  auto *contents = new ID3v2::TableOfContentsFrame(id, children);
  contents->setIsTopLevel(top);
  contents->setIsOrdered(true);
  tag->addFrame(contents);
}

// A table of contents has at most 255 children, so a long one is a table of tables.
void add_chapters(ID3v2::Tag *tag, int version, const std::vector<ctag_entry> &chapters) {
  ByteVectorList ids;
  for (size_t i = 0; i < chapters.size(); ++i) {
    const ByteVector id = bytes("chp" + std::to_string(i));
    ids.append(id);
    ctag_entry title = chapters[i];
    title.texts[CTAG_KEY] = "TIT2";
    ID3v2::FrameList embedded;
    embedded.append(frame(title, version));
    tag->addFrame(new ID3v2::ChapterFrame(
        id, chapters[i].numbers[CTAG_START], chapters[i].numbers[CTAG_END], 0xFFFFFFFF, 0xFFFFFFFF,
        embedded));
  }
  if (ids.size() <= 255) {
    add_contents(tag, "toc", ids, true);
    return;
  }
  ByteVectorList tables;
  ByteVectorList part;
  auto finish = [&] {
    const ByteVector id = bytes("toc" + std::to_string(tables.size()));
    tables.append(id);
    add_contents(tag, id, part, false);
    part.clear();
  };
  for (const auto &id : ids) {
    part.append(id);
    if (part.size() == 255) finish();
  }
  if (!part.isEmpty()) finish();
  add_contents(tag, "toc", tables, true);
}

}  // namespace

void read_id3(const ID3v2::Tag *tag, ctag_list &out) {
  for (ID3v2::Frame *frame : tag->frameList()) {
    ctag_entry entry;
    entry.texts[CTAG_KEY] = raw(frame->frameID());
    read_frame(frame, entry);
    out.entries.push_back(std::move(entry));
  }
}

int change_id3(
    ID3v2::Tag *tag, int version, const ctag_list &removed, const ctag_list &added,
    size_t *failed) {
  for (const ctag_entry &wanted : removed.entries) {
    // A copy of the list would own the frames, too.
    std::vector<ID3v2::Frame *> matching;
    for (ID3v2::Frame *frame : tag->frameList()) {
      if (matches(frame, wanted)) matching.push_back(frame);
    }
    for (ID3v2::Frame *frame : matching) tag->removeFrame(frame);
  }
  std::vector<ctag_entry> chapters;
  for (size_t i = 0; i < added.entries.size(); ++i) {
    const ctag_entry &entry = added.entries[i];
    if (entry.key() == "CHAP") {
      chapters.push_back(entry);
      continue;
    }
    ID3v2::Frame *fresh = frame(entry, version);
    if (!fresh) {
      *failed = i;
      return CTAG_BAD_KEY;
    }
    tag->addFrame(fresh);
  }
  if (!chapters.empty()) add_chapters(tag, version, chapters);
  return CTAG_OK;
}
