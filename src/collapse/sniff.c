/* Recognise the format of an input. */
#include "collapse/sniff.h"

#include "base/utf8.h"
#include "collapse/collapse.h"

enum { WINDOW_FIRST = 64 << 10, WINDOW_LAST = 4 << 20 };

void sniff_compare(struct sniffed *best, const struct collapser *format, int evidence) {
	if (evidence > best->evidence) {
		*best = (struct sniffed){.nearest = format, .evidence = evidence};
	} else if (evidence > 0 && evidence == best->evidence) {
		best->rival = format;
	}
}

/** Examine the first bytes of an input, or all bytes if `whole` is set. Set `*more` if further
 * bytes may change the answer. */
static struct sniffed sniff_bytes(struct str bytes, bool whole, bool *more) {
	struct sniffed best = {0};
	*more = false;
	for (size_t i = 0; collapse_formats[i] != NULL; i++) {
		const struct collapser *format = collapse_formats[i];
		int evidence = (format->flags & FORMAT_NAMED_ONLY) != 0
				       ? SNIFF_NO
				       : collapser_sniff(format, bytes, whole);
		if (evidence == SNIFF_MORE) {
			*more = true;
		} else {
			sniff_compare(&best, format, evidence);
		}
	}
	bool sure = best.evidence >= SNIFF_LIKELY && best.rival == NULL;
	best.format = sure ? best.nearest : NULL;
	return best;
}

// Skip at most SKIPPED_MOST lines, and examine at most AHEAD bytes after each of them. Examining 64
// KB after each of 300 lines would take half a second.
enum { SKIPPED_MOST = 300, AHEAD = 16 << 10 };

/** Go to the next line at which a profile may begin: skip a line, and the blank lines after it. The
 * formats need not be asked at blank lines. Return false at the end of the text. The line found may
 * end after the text: a profile may be one long line. */
static bool sniff_next_start(struct lines *lines, bool whole) {
	struct str line;
	while (lines_next_whole(lines, whole, &line)) {
		struct lines next = *lines;
		if (lines_next(&next, &line) && str_trim(line).n > 0) {
			return true;
		}
	}
	return false;
}

/** Return whether a format finds no evidence in the bytes that start at any of the first `n`
 * lines. */
static bool sniff_is_foreign(const struct collapser *format, struct str bytes, bool whole,
			     uint64_t n) {
	struct lines lines = {.rest = bytes};
	while (lines.number < n && collapser_sniff(format, lines.rest, whole) == SNIFF_NO) {
		sniff_next_start(&lines, whole);
	}
	return lines.number == n;
}

/** Look for the first line after which the evidence for a format is clear. If the format finds no
 * evidence before, set `*sniffed` to the format and the lines to skip. */
static void sniff_skip_lines(struct str bytes, bool whole, struct sniffed *sniffed) {
	enum { CLEAR = 2 * SNIFF_SHAPE };
	struct lines lines = {.rest = bytes};
	while (lines.number < SKIPPED_MOST && sniff_next_start(&lines, whole)) {
		bool more;
		struct str ahead = str_to(lines.rest, lines.rest.n < AHEAD ? lines.rest.n : AHEAD);
		struct sniffed after = sniff_bytes(ahead, whole && ahead.n == lines.rest.n, &more);
		if (after.format == NULL || after.evidence < CLEAR) {
			continue;
		}
		if (sniff_is_foreign(after.format, bytes, whole, lines.number)) {
			*sniffed = after;
			sniffed->skip = bytes.n - lines.rest.n;
			sniffed->skip_lines = lines.number;
		}
		return;
	}
}

/** Bytes with which only files of one kind start. */
struct magic {
	struct str bytes;
	const char *what;
};

static const struct magic magics[] = {
#ifdef HAVE_PERF_DATA
	{STR_INIT("PERFILE2"), "a recording of perf; try: inferno collapse perf FILE"},
	{STR_INIT("2ELIFREP"), "a recording of perf; try: inferno collapse perf FILE"},
#else
	{STR_INIT("PERFILE2"),
	 "a recording, not text; print it first: perf script -i FILE | inferno ..."},
#endif
	{STR_INIT("\xff\xfe"), "UTF-16 text; try: iconv -f UTF-16 -t UTF-8 FILE | inferno ..."},
	{STR_INIT("\xfe\xff"), "UTF-16 text; try: iconv -f UTF-16 -t UTF-8 FILE | inferno ..."},
	{STR_INIT("\xfd"
		  "7zXZ"),
	 "xz data; try: xz -dc FILE | inferno ..."},
	{STR_INIT("BZh91AY&SY"), "bzip2 data; try: bzip2 -dc FILE | inferno ..."},
	{STR_INIT("\x04\x22\x4d\x18"), "lz4 data; try: lz4 -dc FILE | inferno ..."},
	{STR_INIT("PK\x03\x04"), "a zip archive; try: unzip -p FILE | inferno ..."},
	{STR_INIT("\x7f"
		  "ELF"),
	 "a program or a library (ELF), not a profile; to sample a program: inferno record FILE"},
	{STR_INIT("JAVA PROFILE 1.0"), "a heap dump of Java, not a profile of stacks"},
	{STR_INIT("SQLite format 3"),
	 "a database (SQLite), not a profile; export stacks from the program that wrote it"},
	{STR_INIT("MZ\x90\0"), "a program of Windows, not a profile"},
	{STR_INIT("\xcf\xfa\xed\xfe"), "a program of macOS, not a profile"},
	{STR_INIT("\x28\xb5\x2f\xfd"), "zstd data; try: zstd -dc FILE | inferno ..."},
	{STR_INIT("\x1f\x8b"), "gzip data; try: gzip -dc FILE | inferno ..."},
	{STR_INIT("\x89PNG\r\n"), "a picture (PNG), not a profile"},
	{STR_INIT("\xff\xd8\xff"), "a picture (JPEG), not a profile"},
	{STR_INIT("GIF8"), "a picture (GIF), not a profile"},
	{STR_INIT("%PDF-"), "a document (PDF), not a profile"},
	{STR_INIT("<!DOCTYPE html"), "a web page (HTML), not a profile"},
	{STR_INIT("<html"), "a web page (HTML), not a profile"},
	{STR_INIT("{\n  \"version\": 1,\n  \"unit\""),
	 "a report of inferno (JSON), not a profile; name the profile that it is about"},
};

/** Return the name of a kind of SVG picture, or NULL for other bytes. */
static const char *sniff_name_svg(struct str bytes) {
	struct str text = str_trim_start(bytes);
	bool xml = str_starts(text, STR("<?xml")) || str_starts(text, STR("<!DOCTYPE svg"));
	if (!str_starts(text, STR("<svg")) && !(xml && str_has(text, STR("<svg")))) {
		return NULL;
	}
	bool flames = str_has(text, STR("lame graph")) || str_has(text, STR("lame Graph"));
	return flames ? "a flame graph (SVG); try: inferno collapse svg FILE"
		      : "a picture (SVG), not a profile";
}

/** Return whether a control character may occur in text: white space, a backspace, or the escape
 * that starts a colour. */
static bool sniff_is_control_of_text(unsigned char c) {
	return (c >= '\b' && c <= '\r') || c == '\033';
}

/** Return whether bytes are not text. Text may have some control characters, and some ill-formed
 * UTF-8 if its encoding is not UTF-8. Random bytes have many of both: a tenth of the bytes are
 * control characters, and a third are ill-formed UTF-8. */
static bool sniff_is_binary(struct str bytes) {
	enum { FEW = 8, TOO_MANY = 8, MANY = 32 }; // TOO_MANY: one byte in 8; MANY: one byte in 32
	size_t controls = 0, ill_formed = 0;
	for (struct str rest = bytes; rest.n > 0;) {
		// nearly all bytes of most texts need no further check
		if (is_graphic(rest.p[0]) || rest.p[0] == ' ') {
			rest = str_from(rest, 1);
			continue;
		}
		size_t bad = 0, len = utf8_next(rest, &bad);
		unsigned char c = (unsigned char)rest.p[0];
		controls += c < 0x20 && !sniff_is_control_of_text(c);
		ill_formed += bad * (len == 0);
		rest = str_from(rest, len == 0 ? bad : len);
	}
	return controls > FEW && (controls * TOO_MANY > bytes.n ||
				  (controls * MANY > bytes.n && ill_formed * TOO_MANY > bytes.n));
}

/** Return whether bytes are the start of a tar archive. */
static bool sniff_is_tar(struct str bytes) {
	enum { MAGIC_AT = 257 };
	return bytes.n > MAGIC_AT && str_starts(str_from(bytes, MAGIC_AT), STR("ustar"));
}

const char *sniff_binary(struct str bytes) {
	bytes = str_to(bytes, bytes.n < SNIFF_BINARY ? bytes.n : SNIFF_BINARY);
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if (str_starts(bytes, magics[i].bytes)) {
			return magics[i].what;
		}
	}
	if (sniff_is_tar(bytes)) {
		return "an archive (tar); try: tar -xOf FILE | inferno ...";
	}
	return sniff_is_binary(bytes)
		       ? "binary data, not a text profile; 'inferno formats' lists the formats "
			 "that can be read, and 'file FILE' prints the type of this file"
		       : sniff_name_svg(bytes);
}

int sniff_input(struct input *input, const struct collapser *named, struct sniffed *sniffed) {
	bool whole = false, more = true;
	for (size_t window = WINDOW_FIRST; more && !whole; window *= 2) {
		struct str bytes;
		if (input_peek(input, window, &bytes, &whole) != 0) {
			return -1;
		}
		int evidence = named == NULL ? SNIFF_NO : collapser_sniff(named, bytes, whole);
		if (evidence >= SNIFF_LIKELY) {
			*sniffed = (struct sniffed){.format = named};
			return 0;
		}
		*sniffed = sniff_bytes(bytes, whole, &more);
		if (window == WINDOW_FIRST && sniffed->evidence < SNIFF_LIKELY) {
			size_t n = bytes.n < WINDOW_FIRST ? bytes.n : WINDOW_FIRST;
			sniff_skip_lines(str_to(bytes, n), whole && n == bytes.n, sniffed);
		}
		sniffed->named = evidence;
		sniffed->whole = whole;
		// Further bytes may change a weak answer, but not a strong one. If the user named a
		// format, always wait for as many bytes as this format needs.
		bool sure = sniffed->evidence >= SNIFF_MAGIC && evidence != SNIFF_MORE;
		if (window >= WINDOW_LAST || sure) {
			break;
		}
	}
	return 0;
}
