/* Split names of functions that contain a path. */
#include "profile/packages.h"

#include "profile/symbol.h"

/** Return whether a `/` at `at` separates two words. */
static bool packages_separates(struct str name, size_t at) {
	if (at == 0 || at + 1 == name.n || str_ends(str_to(name, at), STR("operator"))) {
		return false;
	}
	// Do not split before a number: in Java, a slash and a number follow the name of a hidden
	// class, as in Main$$Lambda/0x7f01.
	char next = name.p[at + 1];
	return next != '/' && name.p[at - 1] != '/' &&
	       !str_starts(str_from(name, at + 1), STR("0x"));
}

bool packages_take(struct str *name, struct str *package) {
	int depth = 0;
	for (size_t i = 0; i < name->n; i += symbol_step(*name, i, &depth)) {
		if (name->p[i] == '/' && depth <= 0 && packages_separates(*name, i)) {
			*package = str_to(*name, i);
			*name = str_from(*name, i + 1);
			return true;
		}
	}
	return false;
}

bool packages_is_idle(struct str function) {
	static const struct str names[] = {
		STR_INIT("xen_hypercall_sched_op"),
		STR_INIT("native_safe_halt"),
		STR_INIT("cpu_idle"),
		STR_INIT("default_idle"),
		STR_INIT("mwait_idle"),
		STR_INIT("poll_idle"),
		STR_INIT("intel_idle"),
		STR_INIT("acpi_idle"),
		STR_INIT("acpi_safe_halt"),
		STR_INIT("cpuidle_enter"),
		STR_INIT("pv_native_safe_halt"),
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (str_has(function, names[i])) {
			return true;
		}
	}
	return false;
}
