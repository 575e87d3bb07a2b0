// SPDX-License-Identifier: GPL-2.0
/* frames.c - what devices saw, for a capture file */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

/* Where things stand in the file; 0 for nowhere. */
struct place {
	long frame, comment;
};

struct frames {
	FILE *file;
	struct place *places;
	size_t n, room;
	bool failed;
};

struct frames *frames_new(struct err *err)
{
	struct frames *frames = calloc(1, sizeof(*frames));

	if (!frames) {
		err_set(err, "out of memory");
		return NULL;
	}
	frames->file = tmpfile();
	/* So that nothing stands at 0. */
	if (!frames->file || fputc(0, frames->file) == EOF) {
		err_set(err, "cannot write a temporary file: %s", strerror(errno));
		frames_free(frames);
		return NULL;
	}
	return frames;
}

void frames_free(struct frames *frames)
{
	if (!frames)
		return;
	if (frames->file)
		fclose(frames->file);
	free(frames->places);
	free(frames);
}

size_t frames_reserve(struct frames *frames)
{
	size_t room = frames->room ? frames->room * 2 : 1024;
	struct place *places;

	if (frames->n == frames->room) {
		places = realloc(frames->places, room * sizeof(*places));
		if (!places) {
			frames->failed = true;
			errno = ENOMEM;
			return NO_FRAME;
		}
		frames->places = places;
		frames->room = room;
	}
	frames->places[frames->n] = (struct place){ 0 };
	return frames->n++;
}

static long append(struct frames *frames, const void *data, size_t len)
{
	long at = ftell(frames->file);

	if (at < 0 || fwrite(data, len, 1, frames->file) != 1) {
		frames->failed = true;
		return 0;
	}
	return at;
}

void frames_put(struct frames *frames, size_t place, const struct frame *frame)
{
	if (place != NO_FRAME)
		frames->places[place].frame =
			append(frames, frame, offsetof(struct frame, data) + frame->caplen);
}

void frames_remark(struct frames *frames, const size_t *places, unsigned int n, const char *comment)
{
	long at = n ? append(frames, comment, strlen(comment) + 1) : 0;

	for (unsigned int i = 0; i < n; i++) {
		if (places[i] != NO_FRAME)
			frames->places[places[i]].comment = at;
	}
}

/* As much as there is, at most @len. */
static bool get(struct frames *frames, long at, void *data, size_t len)
{
	return !fseek(frames->file, at, SEEK_SET) && fread(data, 1, len, frames->file) > 0;
}

int frames_each(struct frames *frames, frame_sink *each, void *data, struct err *err)
{
	char comment[FRAME_COMMENT + 1];
	struct frame frame;

	if (frames->failed || fflush(frames->file))
		return err_set(err, "cannot keep the frames: %s", strerror(errno));
	for (size_t i = 0; i < frames->n; i++) {
		const struct place *place = &frames->places[i];

		memset(comment, 0, sizeof(comment));
		/* A packet that is not shown has no comment. */
		if (!place->frame || !place->comment ||
		    !get(frames, place->frame, &frame, sizeof(frame)) ||
		    !get(frames, place->comment, comment, FRAME_COMMENT))
			continue;
		each(data, &frame, comment);
	}
	return 0;
}
