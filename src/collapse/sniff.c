/* Which format is it? */
#include "collapse/sniff.h"

#include "collapse/collapse.h"

enum { WINDOW_FIRST = 64 << 10, WINDOW_LAST = 4 << 20 };

struct sniffed sniff_bytes(struct str bytes, bool whole, bool *more) {
	struct sniffed best = {0};
	*more = false;
	for (size_t i = 0; collapse_formats[i] != NULL; i++) {
		const struct collapser *format = collapse_formats[i];
		int evidence = format->sniff == NULL ? SNIFF_NO : format->sniff(bytes, whole);
		if (evidence == SNIFF_MORE) {
			*more = true;
		} else if (evidence > best.evidence) {
			best = (struct sniffed){.nearest = format, .evidence = evidence};
		} else if (evidence > 0 && evidence == best.evidence) {
			best.rival = format;
		}
	}
	bool sure = best.evidence >= SNIFF_LIKELY && best.rival == NULL;
	best.format = sure ? best.nearest : NULL;
	return best;
}

int sniff_input(struct input *input, struct sniffed *sniffed) {
	bool whole = false, more = true;
	for (size_t window = WINDOW_FIRST; more && !whole; window *= 2) {
		struct str bytes;
		if (input_peek(input, window, &bytes, &whole) != 0) {
			return -1;
		}
		*sniffed = sniff_bytes(bytes, whole, &more);
		// A weak bid may be topped by a format that wants to see more; a strong one may
		// not.
		if (window >= WINDOW_LAST || sniffed->evidence >= SNIFF_MAGIC) {
			break;
		}
	}
	return 0;
}
