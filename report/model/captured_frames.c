// SPDX-License-Identifier: GPL-2.0
/* captured_frames.c - store the frames of packets at each device, to write them to a capture file */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/captured_frames.h"

/* Offsets of a frame and of its comment in the temporary file. An unused offset is 0. */
struct place {
	long frame, comment;
};

struct captured_frames {
	FILE *file;
	struct place *places;
	size_t n, capacity;
	bool failed;
};

struct captured_frames *captured_frames_new(struct err *err)
{
	struct captured_frames *frames = calloc(1, sizeof(*frames));

	if (!frames) {
		err_set(err, "out of memory");
		return NULL;
	}
	frames->file = tmpfile();
	/* Write one byte, so that no frame and no comment has the offset 0. */
	if (!frames->file || fputc(0, frames->file) == EOF) {
		err_set(err, "cannot write a temporary file: %s", strerror(errno));
		captured_frames_free(frames);
		return NULL;
	}
	return frames;
}

void captured_frames_free(struct captured_frames *frames)
{
	if (!frames)
		return;
	if (frames->file)
		fclose(frames->file);
	free(frames->places);
	free(frames);
}

size_t captured_frames_reserve(struct captured_frames *frames)
{
	size_t capacity = frames->capacity ? frames->capacity * 2 : 1024;
	struct place *places;

	if (frames->n == frames->capacity) {
		places = realloc(frames->places, capacity * sizeof(*places));
		if (!places) {
			frames->failed = true;
			errno = ENOMEM;
			return NO_FRAME;
		}
		frames->places = places;
		frames->capacity = capacity;
	}
	frames->places[frames->n] = (struct place){ 0 };
	return frames->n++;
}

static long append_bytes(struct captured_frames *frames, const void *data, size_t len)
{
	long at = ftell(frames->file);

	if (at < 0 || fwrite(data, len, 1, frames->file) != 1) {
		frames->failed = true;
		return 0;
	}
	return at;
}

void captured_frames_put(struct captured_frames *frames, size_t place, const struct frame *frame)
{
	if (place != NO_FRAME)
		frames->places[place].frame =
			append_bytes(frames, frame, offsetof(struct frame, data) + frame->caplen);
}

void captured_frames_remark(struct captured_frames *frames, const size_t *places, unsigned int n,
			    const char *comment)
{
	long at = n ? append_bytes(frames, comment, strlen(comment) + 1) : 0;

	for (unsigned int i = 0; i < n; i++) {
		if (places[i] != NO_FRAME)
			frames->places[places[i]].comment = at;
	}
}

/* Read up to @len bytes. Fewer bytes are read if the file ends earlier. Return: false if nothing was read. */
static bool read_bytes(struct captured_frames *frames, long at, void *data, size_t len)
{
	return !fseek(frames->file, at, SEEK_SET) && fread(data, 1, len, frames->file) > 0;
}

int captured_frames_each(struct captured_frames *frames, frame_callback *each, void *data,
			 struct err *err)
{
	char comment[FRAME_COMMENT + 1];
	struct frame frame;

	if (frames->failed || fflush(frames->file))
		return err_set(err, "cannot store the frames for --pcap: %s", strerror(errno));
	for (size_t i = 0; i < frames->n; i++) {
		const struct place *place = &frames->places[i];

		memset(comment, 0, sizeof(comment));
		/* Leave out a frame without a comment: its packet was not selected. */
		if (!place->frame || !place->comment ||
		    !read_bytes(frames, place->frame, &frame, sizeof(frame)) ||
		    !read_bytes(frames, place->comment, comment, FRAME_COMMENT))
			continue;
		each(data, &frame, comment);
	}
	return 0;
}
