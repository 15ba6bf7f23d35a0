/* Names of events. Each name must give the kernel the same numbers as in perf. Units and
 * tracepoints are read from folders that imitate sysfs and tracefs. */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "record/event_names.h"
#include "record/events.h"

static char folder[] = "/tmp/inferno-events-XXXXXX";

static void test_events_write_file(const char *path, const char *text) {
	struct buf whole = {0};
	buf_printf(&whole, "%s/%s", folder, path);
	char *at = whole.p + strlen(folder);
	buf_text(&whole);
	while ((at = strchr(at + 1, '/')) != NULL) {
		*at = '\0';
		(void)mkdir(whole.p, 0777);
		*at = '/';
	}
	FILE *file = fopen(whole.p, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	buf_release(&whole);
}

static int test_events_make_folders(void **state) {
	(void)state;
	assert_non_null(mkdtemp(folder));
	test_events_write_file("devices/cpu/type", "4\n");
	test_events_write_file("devices/cpu/format/event", "config:0-7,32-35\n");
	test_events_write_file("devices/cpu/format/umask", "config:8-15\n");
	test_events_write_file("devices/cpu/format/ldlat", "config1:0-15\n");
	test_events_write_file("devices/cpu/format/any", "config:21\n");
	test_events_write_file("devices/cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	test_events_write_file("devices/cpu/events/mem-loads.unit", "x\n");
	test_events_write_file("devices/uncore_imc_0/type", "12\n");
	test_events_write_file("devices/uncore_imc_0/cpumask", "0,8\n");
	test_events_write_file("devices/uncore_imc_0/format/event", "config:0-7\n");
	test_events_write_file("events/enable", "0\n");
	test_events_write_file("events/sched/sched_switch/id", "372\n");
	test_events_write_file("events/sched/sched_waking/id", "375\n");
	test_events_write_file("events/sched/filter", "\n");
	test_events_write_file("events/block/block_rq_issue/id", "900\n");
	test_events_write_file("events/probe_libc/malloc/id", "2000\n");
	return 0;
}

static int test_events_remove_folders(void **state) {
	(void)state;
	char command[64];
	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	return system(command); // NOLINT
}

/** Add the fields that differ from a zeroed attribute. */
static void test_events_word_event(const struct record_event *event, struct buf *out) {
	const struct perf_event_attr *attr = &event->attr;
	const struct {
		const char *name;
		unsigned long long value;
	} fields[] = {{"1=", attr->config1},
		      {"2=", attr->config2},
		      {"bp=", attr->bp_type},
		      {"period=", attr->freq ? 0 : attr->sample_period},
		      {"freq=", attr->freq ? attr->sample_freq : 0},
		      {"p", attr->precise_ip},
		      {"!user", attr->exclude_user},
		      {"!kernel", attr->exclude_kernel},
		      {"!hv", attr->exclude_hv},
		      {"!host", attr->exclude_host},
		      {"!guest", attr->exclude_guest},
		      {"!idle", attr->exclude_idle},
		      {"pinned", attr->pinned},
		      {"exclusive", attr->exclusive}};
	buf_printf(out, "%s%s %u:%llx", out->n > 0 ? ", " : "", event->name, attr->type,
		   (unsigned long long)attr->config);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (fields[i].value != 0) {
			buf_printf(out, " %s", fields[i].name);
		}
		if (fields[i].value > 1 || (fields[i].value == 1 && strchr(fields[i].name, '='))) {
			buf_printf(out, "%llx", fields[i].value);
		}
	}
	buf_add_text(out, event->only_on != NULL ? " on " : "");
	buf_add_text(out, event->only_on != NULL ? event->only_on : "");
}

/** Check the events that a list of names gives, or the error. */
static void test_events_check(const char *list, const char *wanted) {
	char devices[64], tracing[64];
	snprintf(devices, sizeof(devices), "%s/devices", folder);
	snprintf(tracing, sizeof(tracing), "%s/events", folder);
	const struct event_places places = {.devices = devices, .tracing = tracing};
	struct record_events events = {0};
	struct diag diag = {0};
	struct buf found = {0};
	if (record_events_add(&events, list, &places, &diag) != 0) {
		buf_add_text(&found, buf_text(&diag.error));
		assert_has(buf_text(&found), wanted);
	} else {
		for (size_t i = 0; i < events.n; i++) {
			test_events_word_event(&events.items[i], &found);
		}
		assert_string_equal(buf_text(&found), wanted);
	}
	buf_release(&found);
	record_events_release(&events);
	diag_release(&diag);
}

static void test_events_names(void **state) {
	(void)state;
	test_events_check("cycles", "cycles 0:0");
	test_events_check("cpu-cycles", "cpu-cycles 0:0");
	test_events_check("branch-instructions,branches", "branch-instructions 0:4, branches 0:4");
	test_events_check("stalled-cycles-backend", "stalled-cycles-backend 0:8");
	test_events_check("ref-cycles", "ref-cycles 0:9");
	test_events_check("faults", "faults 1:2");
	test_events_check("cs", "cs 1:3");
	test_events_check("migrations", "migrations 1:4");
	test_events_check("cgroup-switches", "cgroup-switches 1:b");
	test_events_check("bpf-output", "bpf-output 1:a");
	test_events_check("L1-dcache-load-misses", "L1-dcache-load-misses 3:10000");
	test_events_check("LLC-loads", "LLC-loads 3:2");
	test_events_check("dTLB-load-misses", "dTLB-load-misses 3:10003");
	test_events_check("node-prefetches", "node-prefetches 3:206");
	test_events_check("branch-load-misses", "branch-load-misses 3:10005");
	test_events_check("iTLB-store-misses", "there is no event 'iTLB-store-misses'");
	test_events_check("r1a8", "r1a8 4:1a8");
	test_events_check("rffffffffffffffff", "rffffffffffffffff 4:ffffffffffffffff");
	test_events_check("rfffffffffffffffff", "there is no event");
}

static void test_events_all_names(void *context, struct str name) {
	struct perf_event_attr attr = {.type = UINT32_MAX};
	assert_true(event_by_name(name, &attr));
	assert_true(attr.type != UINT32_MAX);
	++*(size_t *)context;
}

static void test_events_every_name_is_known(void **state) {
	(void)state;
	size_t n = 0;
	event_each_name(test_events_all_names, &n);
	assert_true(n > 50);
}

static void test_events_modifiers(void **state) {
	(void)state;
	test_events_check("cycles:u", "cycles:u 0:0 !kernel !hv");
	test_events_check("page-faults:k", "page-faults:k 1:2 !user !hv");
	test_events_check("cpu-clock:uk", "cpu-clock:uk 1:0 !hv");
	test_events_check("bpu-loads:h", "bpu-loads:h 3:5 !user !kernel");
	test_events_check("cycles:ppp", "cycles:ppp 0:0 p3");
	test_events_check("cs:P", "cs:P 1:3 p3");
	test_events_check("cycles:G", "cycles:G 0:0 !host");
	test_events_check("cycles:GH", "cycles:GH 0:0");
	test_events_check("cycles:D", "cycles:D 0:0 pinned");
	test_events_check("cycles:Ie", "cycles:Ie 0:0 !idle exclusive");
	test_events_check("{cycles,faults}:u,cs",
			  "cycles 0:0 !kernel !hv, faults 1:2 !kernel !hv, cs 1:3");
	test_events_check("{cycles:u,faults}:k", "cycles:u 0:0 !hv, faults 1:2 !user !hv");
	test_events_check("cycles:pppp", "'pppp' are not modifiers");
	test_events_check("cycles:z", "'z' are not modifiers; those are u, k, h");
	test_events_check("{cycles", "a brace is missing");
	test_events_check("cycles,,cs", "a name is missing");
	test_events_check("", "a name is missing");
}

static void test_events_breakpoints(void **state) {
	(void)state;
	test_events_check("mem:0x1000", "mem:0x1000 5:0 1=1000 2=4 bp=3");
	test_events_check("mem:0x1000/8:w", "mem:0x1000/8:w 5:0 1=1000 2=8 bp=2");
	test_events_check("mem:4096:x:u", sizeof(long) == 8
						  ? "mem:4096:x:u 5:0 1=1000 2=8 bp=4 !kernel !hv"
						  : "mem:4096:x:u 5:0 1=1000 2=4 bp=4 !kernel !hv");
	test_events_check("mem:0x1000:u", "mem:0x1000:u 5:0 1=1000 2=4 bp=3 !kernel !hv");
	test_events_check("mem:0x1000:rwz", "expected mem:ADDRESS");
	test_events_check("mem:", "expected mem:ADDRESS");
}

static void test_events_units(void **state) {
	(void)state;
	test_events_check("cpu/event=0x3c,umask=0x1/", "cpu/event=0x3c,umask=0x1/ 4:13c");
	test_events_check("cpu/event=0xf3c/u", "cpu/event=0xf3c/u 4:f0000003c !kernel !hv");
	test_events_check("cpu/mem-loads,ldlat=30/", "cpu/mem-loads,ldlat=30/ 4:1cd 1=1e");
	test_events_check("cpu/r1a8,any/", "cpu/r1a8,any/ 4:2001a8");
	test_events_check("cpu/config=1,config1=0x2,config2=3/",
			  "cpu/config=1,config1=0x2,config2=3/ 4:1 1=2 2=3");
	test_events_check("mem-loads:pp", "mem-loads:pp 4:1cd 1=3 p2");
	test_events_check("cycles/period=1000/", "cycles 0:0 period=3e8");
	test_events_check("cycles/freq=100,name=foo/u,cs", "foo 0:0 freq=64 !kernel !hv, cs 1:3");
	test_events_check("uncore_imc_0/event=4/", "uncore_imc_0/event=4/ 12:4 on 0,8");
	test_events_check("cpu/event=0x13c0/",
			  "event cannot be '0x13c0'; it is the bits config:0-7,32-35");
	test_events_check("cpu/evnt=1/",
			  "has no term 'evnt'; its terms are any, event, ldlat, umask, config");
	test_events_check("cycles/event=1/",
			  "has no term 'event'; its terms are period, freq and name");
	test_events_check("cycles/period=0/", "expected a number after period=");
	test_events_check("cycles/period=1,freq=2/", "exclude each other");
	test_events_check("gpu/event=1/", "has no unit 'gpu' that counts");
	test_events_check("../cpu/event=1/", "has no unit '..' that counts");
	test_events_check("cpu/event=1", "a slash is missing");
	test_events_check("cpu/../type/", "has no term '../type'");
}

static void test_events_tracepoints(void **state) {
	(void)state;
	test_events_check("sched:sched_switch", "sched:sched_switch 2:174");
	test_events_check("sched:sched_switch:u", "sched:sched_switch 2:174 !kernel !hv");
	test_events_check(
		"sched:*,probe_libc:malloc",
		"sched:sched_switch 2:174, sched:sched_waking 2:177, probe_libc:malloc 2:7d0");
	test_events_check("*:*_switch", "sched:sched_switch 2:174");
	test_events_check("sched:nothing*", "there is no event 'sched:nothing*'");
	test_events_check("sched:../block/block_rq_issue", "there is no event");
}

static void test_events_near_names(void **state) {
	(void)state;
	test_events_check("cyclse", "there is no event 'cyclse'; near names: cycles");
	test_events_check("sched_switch", "near names: sched:sched_switch");
	test_events_check("sched:sched_swich", "near names: sched:sched_switch");
	test_events_check("cpu/mem-lods/", "has no term 'mem-lods'");
	test_events_check("mem-lods", "near names: cpu/mem-loads/");
	test_events_check("inst_retired.any", "'perf list --details'");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_names),
		cmocka_unit_test(test_events_every_name_is_known),
		cmocka_unit_test(test_events_modifiers),
		cmocka_unit_test(test_events_breakpoints),
		cmocka_unit_test(test_events_units),
		cmocka_unit_test(test_events_tracepoints),
		cmocka_unit_test(test_events_near_names),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, test_events_make_folders, test_events_remove_folders);
}
