#pragma once

#include <ass/ass.h>
#include <fontconfig/fontconfig.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/crc.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <libswscale/swscale.h>
#include <stdio.h>

// Macros, bit-fields and variadic functions that Swift does not import.

static const int32_t CLIBAV_EOF = AVERROR_EOF;
static const int32_t CLIBAV_EAGAIN = AVERROR(EAGAIN);
static const int32_t CLIBAV_EINVAL = AVERROR(EINVAL);
static const int32_t CLIBAV_ENOMEM = AVERROR(ENOMEM);
static const int32_t CLIBAV_EIO = AVERROR(EIO);
static const int32_t CLIBAV_ERANGE = AVERROR(ERANGE);
static const int32_t CLIBAV_ENOENT = AVERROR(ENOENT);
static const int32_t CLIBAV_EXIT = AVERROR_EXIT;
static const int32_t CLIBAV_BUG = AVERROR_BUG;
static const int32_t CLIBAV_UNKNOWN = AVERROR_UNKNOWN;
static const int32_t CLIBAV_INVALIDDATA = AVERROR_INVALIDDATA;
static const int32_t CLIBAV_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int32_t CLIBAV_OPTION_NOT_FOUND = AVERROR_OPTION_NOT_FOUND;
static const int32_t CLIBAV_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int32_t CLIBAV_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;
static const int32_t CLIBAV_FILTER_NOT_FOUND = AVERROR_FILTER_NOT_FOUND;
static const int32_t CLIBAV_MUXER_NOT_FOUND = AVERROR_MUXER_NOT_FOUND;
static const int32_t CLIBAV_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;

static const int64_t CLIBAV_NOPTS = AV_NOPTS_VALUE;
static const int32_t CLIBAV_BUFFERSRC_KEEP_REF = AV_BUFFERSRC_FLAG_KEEP_REF;
static const int32_t CLIBAV_INPUT_PADDING = AV_INPUT_BUFFER_PADDING_SIZE;
static const int32_t CLIBAV_SEEK_SIZE = AVSEEK_SIZE;
static const int32_t CLIBAV_SEEK_FORCE = AVSEEK_FORCE;

// A file without a name, in memory.
static inline int clibav_memory_file(const char *name) {
  return (int)syscall(SYS_memfd_create, name, 1);
}

static inline int clibav_index_flags(const AVIndexEntry *entry) { return entry->flags; }
static inline int clibav_index_size(const AVIndexEntry *entry) { return entry->size; }

// The name of a channel layout in `buffer`; `size` bytes at most, always terminated.
static inline void clibav_describe_layout(const AVChannelLayout *layout, char *buffer, size_t size) {
  buffer[0] = 0;
  if (layout->nb_channels > 0 && av_channel_layout_describe(layout, buffer, size) < 0) buffer[0] = 0;
}

static inline int32_t clibav_read_matrix(const uint8_t *bytes, int index) {
  return (int32_t)AV_RN32A(bytes + 4 * index);
}

// `av_packet_new_side_data` has no opposite for one type.
static inline void clibav_remove_side_data(AVPacket *packet, enum AVPacketSideDataType type) {
  for (int i = packet->side_data_elems - 1; i >= 0; i--) {
    if (packet->side_data[i].type != type) continue;
    av_freep(&packet->side_data[i].data);
    packet->side_data_elems--;
    for (int j = i; j < packet->side_data_elems; j++) packet->side_data[j] = packet->side_data[j + 1];
    if (!packet->side_data_elems) av_freep(&packet->side_data);
  }
}

// Adds a chapter, which `context` owns; a negative status where memory ran out.
static inline int clibav_add_chapter(
    AVFormatContext *context, int64_t start, int64_t end, AVRational timeBase, const char *title) {
  AVChapter **list =
      av_realloc_array(context->chapters, context->nb_chapters + 1, sizeof(*context->chapters));
  if (!list) return AVERROR(ENOMEM);
  context->chapters = list;
  AVChapter *chapter = av_mallocz(sizeof(*chapter));
  if (!chapter) return AVERROR(ENOMEM);
  chapter->id = context->nb_chapters;
  chapter->start = start;
  chapter->end = end;
  chapter->time_base = timeBase;
  list[context->nb_chapters++] = chapter;
  return title ? av_dict_set(&chapter->metadata, "title", title, 0) : 0;
}

// The default of a numeric option.
static inline int64_t clibav_option_integer(const AVOption *option) { return option->default_val.i64; }
static inline double clibav_option_double(const AVOption *option) { return option->default_val.dbl; }
static inline const char *clibav_option_string(const AVOption *option) { return option->default_val.str; }

// Frees an output of our own with its buffer, which libav may have replaced meanwhile.
static inline void clibav_free_output(AVIOContext **output) {
  if (*output) av_freep(&(*output)->buffer);
  avio_context_free(output);
}

// Blocks from that size on are given back to the system when they are freed; of smaller ones, that
// many bytes are kept for the next, where the usual 128 KiB are asked for again and again.
static inline void clibav_map_large_blocks(int size, int kept) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, size);
  mallopt(M_TRIM_THRESHOLD, kept);
#endif
}

// Sets a picture's planes and row lengths within its first buffer.
static inline int clibav_frame_fill_arrays(AVFrame *frame, int align) {
  return av_image_fill_arrays(frame->data, frame->linesize, frame->buf[0]->data,
                              (enum AVPixelFormat)frame->format, frame->width, frame->height, align);
}

// Renames in one step; flags 1: never replace, 2: exchange. 0, or -1 with errno.
static inline int clibav_rename(const char *from, const char *to, unsigned flags) {
  return (int)syscall(SYS_renameat2, -100 /* AT_FDCWD */, from, -100, to, flags);
}

// Begins to bring a range of a file to the device, without waiting; 0 or -1.
static inline int clibav_begin_writeback(int descriptor, int64_t offset, int64_t count) {
#ifdef SYS_sync_file_range
  return (int)syscall(SYS_sync_file_range, descriptor, offset, count, 2 /* SYNC_FILE_RANGE_WRITE */);
#else
  return 0;
#endif
}

// Calls of Linux without a declaration that Swift imports.

// Makes `to` share the blocks of `from`; fails where the file system cannot.
static inline int clibav_clone(int to, int from) { return ioctl(to, _IOW(0x94, 9, int), from); }

// Copies within the system; returns the bytes copied, 0 at the end, or -1.
static inline int64_t clibav_copy_range(
    int from, int64_t from_offset, int to, int64_t to_offset, size_t count) {
  return syscall(SYS_copy_file_range, from, &from_offset, to, &to_offset, count, 0);
}

// Begins to write a range to the device without waiting.
static inline int clibav_begin_writing(int file, int64_t offset, int64_t count) {
  return (int)syscall(SYS_sync_file_range, file, offset, count, 2);
}

// Makes room for a file of this size without changing what it holds.
static inline int clibav_reserve(int file, int64_t size) {
  return (int)syscall(SYS_fallocate, file, 1, (int64_t)0, size);
}
