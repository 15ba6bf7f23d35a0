/* Packs the whole profile into a few bytes for each frame. */
#include "embed/pack.h"

#include <math.h>

#include "base/base64.h"
#include "base/deflate.h"
#include "base/num.h"
#include "picture/compare.h"
#include "picture/escape.h"
#include "picture/picture.h"
#include "viewer-constants.h"

enum {
	MOST_BYTES = 4 << 20
}; // most bytes of a pack with --data=auto, enough for over a million frames

/** The state of packing. */
struct packer {
	const struct picture *picture;
	struct palette *palette;
	size_t threads; // number of threads that may compress
};

/** The columns, and their compressed parts. */
struct pack_parts {
	struct columns columns;
	struct buf packed[COLUMNS_PARTS];
	bool deflated[COLUMNS_PARTS];
};

static void pack_compress_part(void *context, size_t i) {
	struct pack_parts *parts = context;
	const struct buf *part = columns_part(&parts->columns, i);
	parts->deflated[i] = part->n > 0 && deflate_add(&parts->packed[i], buf_str(part));
}

/** Join the compressed parts. If the program was built without compression, join the parts as they
 * are. */
static void pack_join_parts(struct pack *pack, struct pack_parts *parts) {
	buf_clear(&pack->bytes);
	pack->deflated = parts->deflated[COLUMNS_HEAD]; // the first part is never empty
	for (size_t i = 0; i < COLUMNS_PARTS; i++) {
		const struct buf *part =
			parts->deflated[i] ? &parts->packed[i] : columns_part(&parts->columns, i);
		buf_add_str(&pack->bytes, buf_str(part));
		buf_release(&parts->packed[i]);
	}
	columns_release(&parts->columns);
}

/** Pack the chosen frames into `pack`. */
static void pack_choice(struct pack *pack, const struct packer *packer, struct choice choice,
			const struct offer *offer) {
	enum { MANY = 1 << 16 }; // least number of frames for which a second thread saves time
	struct pack_parts parts = {0};
	size_t threads = packer->picture->tree->n < MANY || packer->threads < 2 ? 1 : 2;
	struct columns_taker taker = {pack_compress_part, &parts, threads};
	columns_write(&parts.columns, packer->picture, packer->palette, &choice, offer,
		      &pack->left_out, &taker);
	pack_join_parts(pack, &parts);
	pack->choice = choice;
}

/* --- How much goes in ----------------------------------------------------------------------- */

/** Estimate quickly whether a whole profile may fit into the file. */
static bool pack_may_fit(const struct picture *picture) {
	enum {
		FRAME = 8,
		PACKED = 4
	}; // bytes of a frame before packing; factor by which packing usually shrinks it
	size_t room = PACKED * MOST_BYTES, names = picture->profile->names.table.bytes;
	return names <= room && picture->tree->n <= (room - names) / FRAME;
}

/** Estimate the ratio of packed bytes to the cost in an offer, by packing a sample. */
static double pack_estimate_ratio(const struct packer *packer, const struct offer *offer) {
	struct buf sample = {0}, packed = {0};
	double share = columns_add_sample(&sample, packer->picture, &offer->order);
	size_t n = deflate_add(&packed, buf_str(&sample)) ? packed.n : sample.n;
	double ratio = (double)n / (share * (double)offer->cost);
	buf_release(&sample);
	buf_release(&packed);
	return ratio;
}

/** Pack everything, or as many of the frames with the highest counts as fit. */
static void pack_most(struct pack *pack, const struct packer *packer, uint64_t drawn) {
	const double aim = 0.9 * MOST_BYTES;
	enum { TRIES = 6 };
	struct offer offer;
	offer_init(&offer, packer->picture->tree, packer->picture->profile, drawn);
	double ratio = pack->bytes.n > 0 ? (double)pack->bytes.n / (double)offer.cost
					 : pack_estimate_ratio(packer, &offer);
	for (unsigned tries = TRIES; tries > 0; tries--) {
		uint64_t cost;
		double budget = tries == 1 ? 0 : fmin(aim / ratio, (double)offer.cost);
		struct choice choice = offer_choose(&offer, (uint64_t)budget, &cost);
		pack_choice(pack, packer, choice, &offer);
		if (pack->bytes.n <= MOST_BYTES || choice.least_name == UINT64_MAX) {
			break;
		}
		ratio = fmax((double)pack->bytes.n / (double)cost, 1.1 * ratio);
	}
	offer_release(&offer);
}

/** Return the least count of a frame that is drawn. */
static uint64_t pack_least_drawn(const struct picture *picture) {
	uint64_t half_pixel = picture_whole_counts(LEAST_DRAWN * picture->layout.pixel / 100 *
						   (double)picture->total);
	return picture->lean && half_pixel > picture->least ? half_pixel : picture->least;
}

void pack_build(struct pack *pack, struct picture *picture, size_t threads) {
	unsigned data = picture->design.data;
	struct packer packer = {picture, &picture->palette, threads};
	uint64_t drawn = pack_least_drawn(picture);
	if (data != DATA_AUTO || pack_may_fit(picture)) {
		struct choice choice = {.least = data == DATA_VISIBLE ? drawn : 0};
		pack_choice(pack, &packer, choice, NULL);
	}
	if (data == DATA_AUTO && (pack->bytes.n == 0 || pack->bytes.n > MOST_BYTES)) {
		pack_most(pack, &packer, drawn);
	}
}

/* --- The element ---------------------------------------------------------------------------- */

void pack_add_note(struct buf *text, const struct pack *pack, const struct picture *picture) {
	if (pack->left_out.frames == 0) {
		return;
	}
	const double smallest = 0.0001; // smallest number with four decimals
	char least[NUM_FIXED_MAX], weight[NUM_FIXED_MAX], frames[NUM_GROUPED_MAX];
	double percent = 100 / (double)picture->total;
	buf_add_text(text, "Left out: ");
	buf_add(text, frames, num_format_grouped(frames, pack->left_out.frames));
	buf_add_text(text, pack->left_out.frames == 1 ? " frame below " : " frames below ");
	buf_add(text, least,
		num_format_fixed(least, fmax((double)pack->choice.least * percent, smallest), 4));
	buf_add_text(text, "%, together ");
	buf_add(text, weight, num_format_fixed(weight, (double)pack->left_out.weight * percent, 2));
	buf_add_text(text, "% of all");
	if (pack->left_out.names > 0) {
		char names[NUM_GROUPED_MAX];
		buf_add_text(text, ", and ");
		buf_add(text, names, num_format_grouped(names, pack->left_out.names));
		buf_add_text(text, pack->left_out.names == 1 ? " name that no search finds"
							     : " names that no search finds");
	}
	buf_add_text(text, " (--data=full keeps them)");
}

void pack_write(struct output *out, const struct pack *pack, const struct picture *picture) {
	const struct design *design = &picture->design;
	char digits[NUM_EXACT_MAX];
	output_add_text(out, "<metadata id=\"profile\" data-coding=\"");
	output_add_text(out, pack->deflated ? "deflate" : "none");
	output_add_text(out, "\" data-countname=\"");
	escape_xml(out, picture->countname);
	output_add_text(out, "\" data-factor=\"");
	output_add(out, digits, num_format_exact(digits, design->factor));
	output_add_text(out, design->colours.negate ? "\" data-negate=\"true" : "");
	if (picture->compared != NULL) {
		compare_write_attributes(out, picture);
	}
	output_add_text(out, design->colours.colordiffusion ? "\" data-diffusion=\"true" : "");
	// The XML parsers of browsers read CDATA twice as fast as other text.
	output_add_text(out, "\"><![CDATA[");
	base64_write(out, buf_str(&pack->bytes));
	output_add_text(out, "]]></metadata>");
}

void pack_release(struct pack *pack) {
	buf_release(&pack->bytes);
	*pack = (struct pack){0};
}
