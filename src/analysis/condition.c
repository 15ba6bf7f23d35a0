/* Read and check conditions of --fail-if. */
#include "analysis/condition.h"

#include <math.h>

#include "base/buf.h"
#include "base/num.h"

static int condition_complain(const char *text, const char *why, struct diag *diag) {
	return diag_error(diag,
			  "--fail-if '%s': %s; write a condition such as 'total(parse) > +5%%' or "
			  "'self(^memcpy$) >= 1000'",
			  quote(str_of(text)).text, why);
}

/** Remove `total(` or `self(` from the start of a condition. */
static bool condition_take_measure(struct condition *condition, struct str *rest) {
	static const struct str total = STR_INIT("total("), self = STR_INIT("self(");
	condition->total = str_starts(*rest, total);
	if (!condition->total && !str_starts(*rest, self)) {
		return false;
	}
	*rest = str_from(*rest, condition->total ? total.n : self.n);
	return true;
}

/** Remove the limit, a number, from the end of a condition. */
static bool condition_take_limit(struct condition *condition, struct str *rest) {
	struct str text = str_trim(*rest);
	condition->is_percent = str_ends(text, STR("%"));
	text = condition->is_percent ? str_trim_end(str_to(text, text.n - 1)) : text;
	size_t n = text.n;
	while (n > 0 && (is_digit(text.p[n - 1]) || text.p[n - 1] == '.')) {
		n--;
	}
	bool has_sign = n > 0 && (text.p[n - 1] == '+' || text.p[n - 1] == '-');
	condition->is_change = has_sign;
	bool is_number = num_parse_real(str_from(text, n), &condition->limit);
	condition->limit = has_sign && text.p[n - 1] == '-' ? -condition->limit : condition->limit;
	*rest = str_trim_end(str_to(text, n - has_sign));
	return is_number && isfinite(condition->limit);
}

/** Remove the operator, such as `>`, from the end of a condition. */
static bool condition_take_comparison(struct condition *condition, struct str *rest) {
	condition->or_equal = str_ends(*rest, STR("="));
	*rest = condition->or_equal ? str_to(*rest, rest->n - 1) : *rest;
	condition->more = str_ends(*rest, STR(">"));
	if (!condition->more && !str_ends(*rest, STR("<"))) {
		return false;
	}
	*rest = str_trim_end(str_to(*rest, rest->n - 1));
	return true;
}

/** Compile the pattern, which is the rest of the condition up to the closing parenthesis. */
static int condition_take_pattern(struct condition *condition, struct str rest, const char *text,
				  struct diag *diag) {
	struct buf pattern = {0}, why = {0};
	buf_add_str(&pattern, str_to(rest, rest.n - 1));
	bool good = regexp_init(&condition->pattern, buf_text(&pattern), REG_NOSUB, &why);
	int result = good ? 0 : condition_complain(text, buf_text(&why), diag);
	condition->text = good ? text : NULL;
	buf_release(&pattern);
	buf_release(&why);
	return result;
}

int condition_parse(struct condition *condition, const char *text, struct diag *diag) {
	*condition = (struct condition){0};
	struct str rest = str_trim(str_of(text));
	if (!condition_take_measure(condition, &rest)) {
		return condition_complain(text, "it begins neither with total( nor with self(",
					  diag);
	}
	if (!condition_take_limit(condition, &rest)) {
		return condition_complain(text, "it does not end in a number", diag);
	}
	if (!condition_take_comparison(condition, &rest) || !str_ends(rest, STR(")"))) {
		return condition_complain(text, "no >, >=, < or <= between ')' and the number",
					  diag);
	}
	return condition_take_pattern(condition, rest, text, diag);
}

bool condition_matches(const struct condition *condition, const char *name) {
	return regexp_matches(&condition->pattern, name, 0, NULL, 0);
}

/** Return the value that is compared with the limit. If a new function is compared with a
 * percentage of growth, return a value that is larger than any percentage. */
static double condition_value_of(const struct condition *condition, struct change counts,
				 const struct scale *scale) {
	double after = (double)counts.after, before = scale->factor * (double)counts.before;
	if (!condition->is_change) {
		double all = (double)scale->totals.after;
		return !condition->is_percent ? after : all > 0 ? 100 * after / all : 0;
	}
	if (!condition->is_percent) {
		return after - before;
	}
	return before > 0 ? 100 * (after - before) / before : after > 0 ? INFINITY : 0;
}

struct verdict condition_check(const struct condition *condition, struct change counts,
			       const struct scale *scale) {
	struct verdict verdict = {.value = condition_value_of(condition, counts, scale)};
	verdict.holds = condition->more ? verdict.value > condition->limit
					: verdict.value < condition->limit;
	verdict.holds |= condition->or_equal && verdict.value == condition->limit;
	verdict.noise = verdict.holds && condition->is_change && change_is_noise(scale, counts);
	verdict.holds &= !verdict.noise;
	return verdict;
}

void condition_release(struct condition *condition) {
	if (condition->text != NULL) {
		regexp_release(&condition->pattern);
	}
}
