#pragma once
// A small C interface over TagLib 1.13.
//
// Texts are UTF-8 with their length and may contain NUL. A list owns everything that is read
// from it: pointers are valid until the list is changed or freed. Lists made by `ctag_list_new`
// are freed by the caller with `ctag_list_free`. No function throws. TagLib has global state, so
// callers make one call at a time.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctag_list ctag_list;

enum {
  CTAG_MPEG = 1,
  CTAG_FLAC = 2,
  CTAG_OGG = 3,          // Vorbis or FLAC in Ogg
  CTAG_OPUS = 4,
};

enum {
  CTAG_OK = 0,
  CTAG_NOT_OPENED = 1,   // not a file of this kind, or not readable
  CTAG_NOT_SAVED = 2,    // TagLib reported that saving failed
  CTAG_BAD_KEY = 3,      // a key that cannot be written
  CTAG_EXCEPTION = 4,    // out of memory, or another exception
};

// The texts of an entry.
enum {
  CTAG_KEY = 0,          // frame id or field name
  CTAG_QUALIFIER = 1,    // description or owner
  CTAG_LANGUAGE = 2,     // three letters
  CTAG_MEDIA_TYPE = 3,   // of a picture
  CTAG_DATA = 4,         // bytes of a picture, or of a value that is no text
};

// The numbers of an entry.
enum {
  CTAG_PICTURE_TYPE = 0,
  CTAG_WIDTH = 1,
  CTAG_HEIGHT = 2,
  CTAG_START = 3,        // of a chapter, in milliseconds
  CTAG_END = 4,
};

ctag_list *ctag_list_new(void);        // NULL when out of memory
void ctag_list_free(ctag_list *list);  // NULL is allowed
size_t ctag_count(const ctag_list *list);

// Appends an entry; 0 or CTAG_EXCEPTION. The following calls change the last entry.
int ctag_append(ctag_list *list);
int ctag_set_text(ctag_list *list, int field, const char *bytes, size_t length);
int ctag_set_number(ctag_list *list, int field, uint32_t number);
int ctag_add_value(ctag_list *list, const char *bytes, size_t length);

// NULL with a length of 0 when there is no such entry.
const char *ctag_text(const ctag_list *list, size_t index, int field, size_t *length);
uint32_t ctag_number(const ctag_list *list, size_t index, int field);
size_t ctag_value_count(const ctag_list *list, size_t index);
const char *ctag_value(const ctag_list *list, size_t index, size_t value, size_t *length);

// Appends all tags of the file to `out`. Chapters are entries with the key CHAP.
// `version` becomes the major version of an ID3v2 tag (2, 3 or 4), 0 if there is none.
int ctag_read(const char *path, int kind, ctag_list *out, int *version);

// Removes, then adds, in place. An entry of `removed` names a key and a qualifier; the key `*`
// is everything but chapters, CHAP is all chapters. `version` is 3 or 4 for ID3v2. An ID3v1 tag
// of an MP3 file follows; with `adds_id3v1` there is one in any case.
// After CTAG_BAD_KEY `failed` is the index in `added`; else it is SIZE_MAX.
int ctag_write(
    const char *path, int kind, int version, int adds_id3v1, const ctag_list *removed,
    const ctag_list *added, size_t *failed);

// As `ctag_read`, for an ID3v2 tag in memory; no bytes are no tag.
int ctag_read_id3(const char *bytes, size_t length, ctag_list *out, int *version);

// As `ctag_write`, for an ID3v2 tag in memory: appends one entry to `out` whose CTAG_DATA is the
// new tag, or nothing where no frame is left.
int ctag_render_id3(
    const char *bytes, size_t length, int version, const ctag_list *removed,
    const ctag_list *added, ctag_list *out, size_t *failed);

#ifdef __cplusplus
}
#endif
