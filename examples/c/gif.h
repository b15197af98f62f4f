/* A small encoder of animated GIFs: one palette of 255 colours for all frames, found by median cut
 * (Heckbert 1982) in a sample frame; pixels that did not change are left transparent; LZW. */
#ifndef GIF_H
#define GIF_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GIF_BINS = 1 << 18, GIF_CODES = 4096 }; /* colours are counted with 6 bits a channel */

typedef struct Gif {
    FILE *file;
    int width, height, delay;        /* delay in hundredths of a second */
    uint8_t palette[256][3];         /* 0 is the transparent one */
    uint8_t nearest[GIF_BINS];       /* palette index of each bin, 0 if not yet looked up */
    uint8_t *shown, *indices;        /* the frame before, and the present one */
    uint16_t next[GIF_CODES][256];   /* the code of a code followed by a pixel, 0 if none */
    uint32_t bits, bit_count;        /* bits not yet written */
    uint8_t block[255];
    uint32_t block_size;
} Gif;

static uint32_t gif_counts[GIF_BINS];
static int gif_channel;

static int gif_part(uint32_t bin, int channel) { return (int)(bin >> (12 - 6 * channel) & 63); }

static int gif_compare(const void *a, const void *b) {
    return gif_part(*(const uint32_t *)a, gif_channel) - gif_part(*(const uint32_t *)b, gif_channel);
}

/* Mean of a run of bins, and in which channel they differ most. Returns the spread there. */
static double gif_measure(const uint32_t *bins, uint32_t count, uint8_t *mean, int *channel) {
    double widest = -1.0;
    for (int c = 0; c < 3; c++) {
        double n = 0.0, sum = 0.0, squares = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            double value = gif_part(bins[i], c), weight = gif_counts[bins[i]];
            n += weight, sum += weight * value, squares += weight * value * value;
        }
        double spread = squares - sum * sum / n;
        mean[c] = (uint8_t)(sum / n * 4.0 + 2.0);
        if (spread > widest) widest = spread, *channel = c;
    }
    return widest;
}

/* Chooses the palette: the run of bins that differs most is cut in two, again and again. */
static void gif_choose(Gif *gif, const uint8_t *sample, size_t pixels) {
    static uint32_t bins[GIF_BINS];
    uint32_t start[257] = {0}, parts = 1, count = 0;
    double spread[256];
    int channel[256];
    memset(gif_counts, 0, sizeof gif_counts);
    for (const uint8_t *p = sample; p < sample + 3 * pixels; p += 3)
        gif_counts[(p[0] >> 2) << 12 | (p[1] >> 2) << 6 | p[2] >> 2]++;
    for (uint32_t bin = 0; bin < GIF_BINS; bin++)
        if (gif_counts[bin]) bins[count++] = bin;
    start[1] = count;
    spread[0] = gif_measure(bins, count, gif->palette[1], &channel[0]);
    while (parts < 255) {
        uint32_t widest = 0;
        for (uint32_t i = 1; i < parts; i++)
            if (spread[i] > spread[widest]) widest = i;
        uint32_t low = start[widest], high = start[widest + 1], middle = low;
        if (spread[widest] <= 0.0) break;
        gif_channel = channel[widest];
        qsort(bins + low, high - low, sizeof *bins, gif_compare);
        double all = 0.0, before = 0.0;
        for (uint32_t i = low; i < high; i++) all += gif_counts[bins[i]];
        while (middle < high - 1 && (middle == low || before < all / 2)) before += gif_counts[bins[middle++]];
        memmove(start + widest + 2, start + widest + 1, (parts - widest) * sizeof *start);
        memmove(spread + widest + 1, spread + widest, (parts - widest) * sizeof *spread);
        memmove(channel + widest + 1, channel + widest, (parts - widest) * sizeof *channel);
        memmove(gif->palette[widest + 2], gif->palette[widest + 1], (parts - widest) * 3);
        start[widest + 1] = middle;
        for (uint32_t i = widest; i < widest + 2; i++)
            spread[i] = gif_measure(bins + start[i], start[i + 1] - start[i], gif->palette[i + 1], &channel[i]);
        parts++;
    }
}

static uint8_t gif_nearest(Gif *gif, uint32_t bin) {
    if (gif->nearest[bin]) return gif->nearest[bin];
    int least = 1 << 30;
    for (int i = 1; i < 256; i++) {
        int off = 0;
        for (int c = 0; c < 3; c++) {
            int d = gif_part(bin, c) * 4 + 2 - gif->palette[i][c];
            off += d * d;
        }
        if (off < least) least = off, gif->nearest[bin] = (uint8_t)i;
    }
    return gif->nearest[bin];
}

static void gif_byte(Gif *gif, uint32_t byte) {
    gif->block[gif->block_size++] = (uint8_t)byte;
    if (gif->block_size == 255) {
        fputc(255, gif->file);
        fwrite(gif->block, 1, 255, gif->file);
        gif->block_size = 0;
    }
}

static void gif_code(Gif *gif, uint32_t code, uint32_t size) {
    gif->bits |= code << gif->bit_count;
    for (gif->bit_count += size; gif->bit_count >= 8; gif->bit_count -= 8, gif->bits >>= 8)
        gif_byte(gif, gif->bits & 255);
}

static void gif_compress(Gif *gif, const uint8_t *pixels, size_t count) {
    enum { CLEAR = 256, END = 257 };
    uint32_t size = 9, used = END, code = pixels[0];
    memset(gif->next, 0, sizeof gif->next);
    gif_code(gif, CLEAR, size);
    for (size_t i = 1; i < count; i++) {
        uint16_t *longer = &gif->next[code][pixels[i]];
        if (*longer) {
            code = *longer;
            continue;
        }
        gif_code(gif, code, size);
        *longer = (uint16_t)++used;
        if (used >> size) size++;
        if (used == GIF_CODES - 1) {
            gif_code(gif, CLEAR, size);
            memset(gif->next, 0, sizeof gif->next);
            size = 9, used = END;
        }
        code = pixels[i];
    }
    gif_code(gif, code, size);
    gif_code(gif, END, size);
    if (gif->bit_count) gif_byte(gif, gif->bits & 255);
    gif->bits = gif->bit_count = 0;
    if (gif->block_size) {
        fputc((int)gif->block_size, gif->file);
        fwrite(gif->block, 1, gif->block_size, gif->file);
    }
    gif->block_size = 0;
    fputc(0, gif->file);
}

static void gif_short(Gif *gif, int value) { fputc(value & 255, gif->file), fputc(value >> 8, gif->file); }

/* Opens a file; the palette is chosen from `sample`, pixels of red, green and blue. 0 on failure. */
static Gif *gif_open(const char *path, int width, int height, int delay, const uint8_t *sample, size_t pixels) {
    Gif *gif = calloc(1, sizeof *gif);
    if (!gif) return NULL;
    gif->shown = calloc((size_t)width * (size_t)height, 1);
    gif->indices = calloc((size_t)width * (size_t)height, 1);
    gif->file = fopen(path, "wb");
    gif->width = width, gif->height = height, gif->delay = delay;
    if (!gif->shown || !gif->indices || !gif->file) {
        if (gif->file) fclose(gif->file);
        free(gif->shown), free(gif->indices), free(gif);
        return NULL;
    }
    gif_choose(gif, sample, pixels);
    fputs("GIF89a", gif->file);
    gif_short(gif, width), gif_short(gif, height);
    fwrite("\xf7\0\0", 1, 3, gif->file); /* a palette of 256 for all frames */
    fwrite(gif->palette, 1, sizeof gif->palette, gif->file);
    fwrite("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0", 1, 19, gif->file); /* for ever */
    return gif;
}

/* Adds a frame of red, green and blue. A pattern of 4 by 4 hides the steps between colours. */
static void gif_frame(Gif *gif, const uint8_t *rgb) {
    static const int pattern[16] = {-2, 0, -1, 1, 1, -1, 2, 0, -1, 1, -2, 0, 2, 0, 1, -1};
    for (int y = 0, i = 0; y < gif->height; y++)
        for (int x = 0; x < gif->width; x++, i++) {
            uint32_t bin = 0;
            for (int c = 0; c < 3; c++) {
                int value = rgb[3 * i + c] + pattern[(y & 3) * 4 + (x & 3)];
                bin = bin << 6 | (uint32_t)(value < 0 ? 0 : value > 255 ? 63 : value >> 2);
            }
            uint8_t index = gif_nearest(gif, bin);
            gif->indices[i] = index == gif->shown[i] ? 0 : index;
            gif->shown[i] = index;
        }
    fwrite("\x21\xf9\x04\x05", 1, 4, gif->file); /* leave in place; 0 is transparent */
    gif_short(gif, gif->delay);
    fwrite("\0\0\x2c\0\0\0\0", 1, 7, gif->file);
    gif_short(gif, gif->width), gif_short(gif, gif->height);
    fwrite("\0\x08", 1, 2, gif->file);
    gif_compress(gif, gif->indices, (size_t)gif->width * (size_t)gif->height);
}

/* Ends the file. Returns its size in bytes, or -1 if something could not be written. */
static long gif_close(Gif *gif) {
    fputc(0x3b, gif->file);
    long size = ftell(gif->file);
    int bad = ferror(gif->file);
    bad |= fclose(gif->file);
    free(gif->shown), free(gif->indices), free(gif);
    return bad ? -1 : size;
}

#endif
