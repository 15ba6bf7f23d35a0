/* Read the stack lines of `perf script`, and make the names of their frames. */
#include "perf/stack.h"

#include "base/num.h"
#include "profile/packages.h"
#include "perf/line.h"
#include "profile/symbol.h"

/* --- Stack lines ---------------------------------------------------------------------------- */

static struct str perf_stack_without(struct str text, struct str tail) {
	return str_ends(text, tail) ? str_to(text, text.n - tail.n) : text;
}

static bool perf_stack_is_kernel_module(struct str module) {
	if (str_eq(module, STR("[unknown]"))) {
		return false;
	}
	if (str_starts(module, STR("[")) || str_ends(module, STR(".ko"))) {
		return true;
	}
	size_t at = str_find_last_str(module, STR("vmlinux"));
	for (size_t i = at == STR_NONE ? 0 : at + 7; at != STR_NONE && i <= module.n; i++) {
		if (i == module.n) {
			return true;
		}
		char c = module.p[i];
		if (!is_alpha(c) && !is_digit(c) && c != '-' && c != '.' && c != '_') {
			break;
		}
	}
	return false;
}

void perf_frame_set_module(struct perf_frame *frame, struct str module) {
	frame->module = module;
	frame->inlined = str_eq(frame->module, STR("inlined"));
	frame->kernel = perf_stack_is_kernel_module(frame->module);
}

bool perf_stack_split(struct str line, struct perf_frame *parts) {
	struct str rest = str_trim_start(line);
	if (str_find(rest, ' ') == STR_NONE || !str_ends(rest, STR(")"))) {
		return false;
	}
	parts->address = str_cut(&rest, ' ');
	if (parts->address.n > PERF_ADDRESS_COLUMNS && str_all_hex(parts->address)) {
		return false;
	}
	size_t open = str_find_opening(rest);
	if (open == STR_NONE || open == 0 || rest.p[open - 1] != ' ') {
		open = str_find_last(rest, ' ') + 1; // the module is a path with parentheses: take
						     // the last word
		if (open == 0 || str_find(str_from(rest, open), '/') == STR_NONE) {
			return false;
		}
	}
	if (rest.p[open] != '(') {
		return false;
	}
	perf_frame_set_module(parts,
			      perf_stack_without((struct str){rest.p + open + 1, rest.n - open - 2},
						 STR(" (deleted)")));
	parts->function = str_trim(str_to(rest, open - 1));
	if (parts->function.n == 0) {
		parts->function = STR(" ");
	}
	return true;
}

bool perf_stack_split_part(struct str line, bool after_event, struct perf_frame *parts) {
	struct str rest = str_trim(line);
	parts->address = str_cut(&rest, ' ');
	parts->function = STR("");
	perf_frame_set_module(parts, STR(""));
	bool plain = rest.n > 0 ? perf_has_plain_address(line)
				: line.n == PERF_AFTER_ADDRESS - 1 && line.p[0] == '\t';
	if (!(plain || after_event) || !perf_is_address(parts->address)) {
		return false;
	}
	if (str_ends(rest, STR(")")) && str_find_opening(rest) == 0) {
		perf_frame_set_module(parts, (struct str){rest.p + 1, rest.n - 2});
	} else {
		parts->function = str_trim(rest);
	}
	return true;
}

struct str perf_without_offset(struct str text, struct buf *scratch) {
	size_t open = str_find_last(text, '(');
	bool plain = open != STR_NONE && open > 1 && text.p[open - 1] == ' ' &&
		     text.p[text.n - 1] == ')' && text.p[text.n - 2] != ')';
	size_t at = plain ? open - 1 : 0; // index at which the offset begins
	while (at > 0 && is_hex(text.p[at - 1])) {
		at--;
	}
	if (at < 4 || at + 1 == open || memcmp(text.p + at - 3, "+0x", 3) != 0) {
		return STR("");
	}
	buf_clear(scratch);
	buf_add(scratch, text.p, at - 3);
	buf_add_str(scratch, str_from(text, open - 1));
	return buf_str(scratch);
}

/** Return a stack line without the columns that come after it. */
static struct str perf_stack_without_columns(struct str text) {
	size_t insn = str_find_last_str(text, STR(" insn: "));
	text = insn == STR_NONE ? text : str_trim_end(str_to(text, insn));
	size_t end = str_find_last(text, ')') + 1;
	bool columns = end > 0 && perf_other_of(str_from(text, end)) == PERF_COLUMNS;
	return columns ? str_to(text, end) : text;
}

struct str perf_stack_in(struct str payload) {
	struct perf_frame parts;
	struct str text = perf_stack_without_columns(str_trim_end(payload)),
		   address = perf_last_address(text);
	if (address.n > 0) { // other columns may come before the address
		text = str_from(text, (size_t)(address.p - text.p));
		bool ok =
			perf_stack_split(text, &parts) || perf_stack_split_part(text, true, &parts);
		return ok && str_find(text, ' ') != STR_NONE && text.p[address.n + 1] != '|'
			       ? text
			       : STR("");
	}
	text = str_trim_start(text);
	bool ok = perf_stack_split(text, &parts) && perf_is_address(parts.address);
	return ok ? text : STR("");
}

/* --- Other lines ---------------------------------------------------------------------------- */

/** Return whether a line is the output of the field srcline, which comes after a frame. Examples
 * are "main.c:12", "??:0", ":0" and "libc.so.6[1a2b]". */
static bool perf_stack_is_source_line(struct str line) {
	line = perf_stack_without(str_trim_start(line), STR(" (inlined)"));
	size_t colon = str_find_last(line, ':'), bracket = str_find_last(line, '[');
	if (colon != STR_NONE && colon + 1 < line.n) {
		return str_all_digits(str_from(line, colon + 1));
	}
	return bracket != STR_NONE && bracket > 0 && str_ends(line, STR("]")) &&
	       str_find(line, ' ') == STR_NONE;
}

/** Return whether a text consists of addresses and sizes of pages, some of which may be missing. */
static bool perf_stack_is_numbers(struct str text) {
	for (size_t i = 0; i < text.n; i++) {
		if (!is_hex(text.p[i]) && str_find(STR(" N/KMG"), text.p[i]) == STR_NONE) {
			return false;
		}
	}
	return true;
}

/** Return whether a line is the output of a field that perf prints after the stack: instructions,
 * registers, branches, addresses, or a control group. */
static bool perf_stack_is_columns(struct str line) {
	static const struct str starts[] = {STR_INIT("insn:"), STR_INIT("ilen:"), STR_INIT("ABI:"),
					    STR_INIT("IPC:"),  STR_INIT("BPF "),  STR_INIT("/")};
	struct str text = str_trim_start(line);
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (str_starts(text, starts[i])) {
			return true;
		}
	}
	return perf_stack_is_numbers(text) || str_has(text, STR("/-/"));
}

enum perf_other perf_other_of(struct str line) {
	if (str_starts(line, STR("|")) || perf_stack_is_source_line(line)) {
		return PERF_SOURCE;
	}
	bool blank = str_starts(line, STR(" ")), tab = str_starts(line, STR("\t"));
	if ((blank || str_starts(line, STR("\t "))) && perf_stack_is_columns(line)) {
		return PERF_COLUMNS;
	}
	bool instruction = str_ends(line, STR(":")) || str_has(line, STR("\tinsn:"));
	return tab && instruction ? PERF_INSTRUCTION : PERF_WEIRD;
}

struct str perf_source_of(struct str line) {
	struct str source = perf_stack_without(str_trim_start(line), STR(" (inlined)"));
	size_t bracket = str_find_last(source, '[');
	if (str_ends(source, STR("]")) && bracket != STR_NONE) {
		source = str_to(source, bracket);
	}
	bool known = source.n > 0 && source.p[0] != '|' && source.p[0] != '[' &&
		     source.p[0] != ':' && !str_starts(source, STR("??"));
	return known ? source : STR("");
}

/* --- Names ---------------------------------------------------------------------------------- */

static bool perf_stack_is_jit_module(struct str module) {
	// compare the ends: nearly all modules have another end, and a search takes longer
	if (str_ends(module, STR(".map"))) {
		return str_starts(module, STR("/tmp/perf-"));
	}
	size_t slash = str_ends(module, STR(".so")) ? str_find_last(module, '/') : STR_NONE;
	return slash != STR_NONE && str_starts(str_from(module, slash), STR("/jitted-"));
}

/** Name a frame without a function after its module, and add the address unless it is empty. If the
 * line has only this frame, perf_add_address() adds the address instead. */
static void perf_stack_name_unknown(struct perf_names *names, struct str module,
				    struct str address) {
	bool known = module.n > 0 && !str_eq(module, STR("[unknown]"));
	size_t slash = str_find_last(module, '/');
	struct str base = slash == STR_NONE ? module : str_from(module, slash + 1);
	buf_add_char(&names->name, '[');
	buf_add_str(&names->name, known ? base : STR("unknown"));
	if (address.n > 0) {
		buf_add_text(&names->name, " <");
		buf_add_str(&names->name, address);
		buf_add_char(&names->name, '>');
	}
	buf_add_char(&names->name, ']');
}

static void perf_stack_name_function(struct perf_names *names, struct str piece, bool java) {
	piece = symbol_cut_arguments(piece);
	if (java && str_starts(piece, STR("L")) && str_find(piece, '/') != STR_NONE) {
		piece = str_from(piece, 1);
	}
	buf_add_str(&names->name, piece);
}

/** Return the mark to add to a piece of a name, or an empty text. */
static const char *perf_stack_mark_of(const struct perf_naming *options, struct str name,
				      bool first, const struct perf_frame *frame) {
	if (!first) {
		return str_has(name, STR("_[i]")) ? "" : "_[i]";
	}
	if (options->kernel && frame->kernel) {
		return "_[k]";
	}
	if (options->jit && perf_stack_is_jit_module(frame->module)) {
		return str_has(name, STR("_[j]")) ? "" : "_[j]";
	}
	return "";
}

/** Add the id of the frame for one piece of a function's name to the open list. */
static void perf_stack_add_piece(struct perf_names *names, const struct perf_frame *frame,
				 struct str piece, bool first, bool java) {
	bool address = names->options.addrs && !str_eq(piece, symbol_cut_offset(frame->function));
	buf_clear(&names->name);
	if (str_eq(piece, STR("[unknown]"))) {
		perf_stack_name_unknown(names, frame->module, address ? frame->address : STR(""));
	} else {
		perf_stack_name_function(names, piece, java);
	}
	buf_replace(&names->name, ';', ':');
	buf_add_text(&names->name,
		     perf_stack_mark_of(&names->options, buf_str(&names->name), first, frame));
	struct str name = buf_str(&names->name), package;
	while (names->options.by_package && packages_take(&name, &package)) {
		ids_push(&names->lists, profile_frame(names->profile, package));
	}
	uint32_t id = profile_frame(names->profile, name);
	if (first && frame->kernel) {
		names_mark(&names->profile->names, id, 'k');
	} else if (first && perf_stack_is_jit_module(frame->module)) {
		names_mark(&names->profile->names, id, 'j');
	}
	ids_push(&names->lists, id);
}

/** Return the innermost function in a name that a JIT compiler made of several inlined
 * functions. */
static struct str perf_stack_innermost(struct str function) {
	struct str piece = function;
	for (bool more = true; symbol_next_inlined(&function, &more, &piece);) {
	}
	return piece;
}

static bool perf_stack_ends_stack(const struct perf_naming *options, struct str name) {
	bool ends = options->by_package;
	for (size_t i = 0; i < options->skip_after->n && !ends; i++) {
		ends = str_eq(name, str_of(options->skip_after->items[i]));
	}
	return ends;
}

struct meaning perf_name_frame(struct perf_names *names, const struct perf_frame *frame,
			       bool java) {
	const struct perf_naming *options = &names->options;
	struct str raw = symbol_repair_rust(symbol_cut_offset(frame->function), &names->scratch);
	if (options->by_package && frame->kernel && packages_is_idle(raw)) {
		return (struct meaning){.kind = MEANS_IDLE};
	}
	size_t list = frame_lists_open(&names->lists);
	bool more = true;
	struct str piece;
	for (struct str rest = options->by_package ? perf_stack_innermost(raw) : raw;
	     symbol_next_inlined(&rest, &more, &piece);) {
		perf_stack_add_piece(names, frame, piece, names->lists.n == list + 1, java);
	}
	struct meaning meaning = frame_lists_close(&names->lists, list);
	bool unknown = meaning.kind == MEANS_FRAME && str_eq(raw, STR("[unknown]"));
	meaning.mark = (options->addrs && unknown ? PERF_SHOWS_ADDRESS : 0) |
		       (perf_stack_ends_stack(options, raw) ? PERF_ENDS_STACK : 0);
	return meaning;
}

/** Return the length of the mark at the end of a name. */
static size_t perf_stack_mark_length(struct str name) {
	bool marked = str_ends(name, STR("_[k]")) || str_ends(name, STR("_[j]")) ||
		      str_ends(name, STR("_[i]"));
	return marked ? 4 : 0;
}

void perf_address_text(struct buf *text, struct str name, struct str address) {
	size_t tail = perf_stack_mark_length(name) + 1; // include the bracket
	buf_add_str(text, str_to(name, name.n - tail));
	buf_add_text(text, " <");
	buf_add_str(text, address);
	buf_add_char(text, '>');
	buf_add_str(text, str_from(name, name.n - tail));
}

/** Return the id of a frame with the new name in `names->name`. Keep all other details of the
 * frame. */
static uint32_t perf_stack_rename(struct perf_names *names, uint32_t frame) {
	buf_replace(&names->name, ';', ':');
	uint32_t name = profile_frame(names->profile, buf_str(&names->name));
	if ((frame & SITE_FLAG) == 0) {
		return name;
	}
	struct site site = *sites_get(names->profile->sites, frame);
	site.name = name;
	return profile_site(names->profile, &site);
}

uint32_t perf_add_address(struct perf_names *names, uint32_t frame, struct str address) {
	buf_clear(&names->name);
	perf_address_text(&names->name, profile_frame_name(names->profile, frame), address);
	return perf_stack_rename(names, frame);
}

uint32_t perf_add_source(struct perf_names *names, uint32_t frame, struct str source) {
	struct str name = profile_frame_name(names->profile, frame);
	size_t end = name.n - perf_stack_mark_length(name);
	buf_set_str(&names->name, str_to(name, end));
	buf_add_char(&names->name, ':');
	buf_add_str(&names->name, source);
	buf_add_str(&names->name, str_from(name, end));
	return perf_stack_rename(names, frame);
}

/* --- Sites ---------------------------------------------------------------------------------- */

struct site perf_site_of(struct perf_names *names, const struct perf_frame *frame,
			 struct str build_id) {
	bool known = !frame->inlined && !str_eq(frame->module, STR("[unknown]"));
	bool is_jit = perf_stack_is_jit_module(frame->module);
	return (struct site){
		.module = sites_module(names->profile->sites, known ? frame->module : STR(""),
				       build_id),
		.kind = frame->kernel ? SITE_KERNEL
			: is_jit      ? SITE_JIT
				      : SITE_USER,
		.inlined = frame->inlined,
	};
}

void perf_add_site(struct perf_names *names, struct meaning *meaning, const struct site *site) {
	struct site own = *site,
		    outer = {.module = site->module, .address = site->address, .kind = site->kind};
	if (meaning->kind == MEANS_FRAME) {
		own.name = meaning->id;
		meaning->id = profile_site(names->profile, &own);
	} else if (meaning->kind == MEANS_FRAMES) {
		uint32_t *list = names->lists.items + meaning->id;
		for (uint32_t i = 1; i <= *list; i++) {
			struct site *frame = i == *list ? &own : &outer;
			frame->name = list[i];
			own.inlined = own.inlined != 0 || i > 1;
			list[i] = profile_site(names->profile, frame);
			outer.inlined = 1;
		}
	}
}

uint32_t perf_set_source(struct perf_names *names, uint32_t frame, struct str source, bool show) {
	struct profile *profile = names->profile;
	size_t colon = str_find_last(source, ':');
	uint64_t line = 0;
	uint32_t shown = show ? perf_add_source(names, frame, source) : frame;
	if (!profile_wants_sites(profile)) {
		return shown;
	}
	struct site site = {.name = shown};
	if ((shown & SITE_FLAG) != 0) {
		site = *sites_get(profile->sites, shown);
	}
	if (colon != STR_NONE && num_parse_u64(str_from(source, colon + 1), &line) &&
	    line <= UINT32_MAX) {
		site.file = sites_text(profile->sites, str_to(source, colon));
		site.line = (uint32_t)line;
	}
	return profile_site(profile, &site);
}

void perf_names_release(struct perf_names *names) {
	buf_release(&names->name);
	buf_release(&names->scratch);
	ids_release(&names->lists);
}
