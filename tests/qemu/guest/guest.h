/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the guest programs share: KTAP output, the timebase, reading of small
 * text files, the statistics of the in-kernel latency client, the load.
 *
 * No floating point anywhere: the cores under test have none, each instruction
 * of it traps, and the traps would be measured too.
 */
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint64_t u64;
typedef uint32_t u32;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define KLATENCY	"/proc/ipipe/klatency"
#define KEVENTS		"/proc/ipipe/kevents"
#define KEVENTS_CALL	5000	/* the system call that it has */
#define TSC_FILE	"/proc/ipipe/tsc"
#define TICK_PROBE	"/proc/tick_probe"

/* ktap.c: results in the manner of kselftest */
void ktap_start(unsigned int plan);
bool ktap_ok(bool ok, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void ktap_skip(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void ktap_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int ktap_finish(void);

/* tb.c: the timebase, and arithmetic that does not overflow */
u64 tb_hz(void);
u64 tb_to_ns(u64 ticks);
u64 ns_to_tb(u64 ns);
u64 mul_div(u64 a, u64 b, u64 c);
u64 isqrt(u64 x);
void sleep_ns(u64 ns);

#ifdef __powerpc__
static inline u64 tb_read(void)
{
	u32 hi, lo, again;

	do {
		__asm__ volatile("mftbu %0\n\tmftb %1\n\tmftbu %2"
				 : "=r"(hi), "=r"(lo), "=r"(again));
	} while (hi != again);

	return (u64)hi << 32 | lo;
}

static inline bool tb_counter(void)
{
	return true;
}

static inline void tb_plain(void) { }
#else
u64 tb_read(void);
/* Is there a counter that is no clock of the kernel's? */
bool tb_counter(void);
/* Make no use of it, so that all kernels measure by the same clock. */
void tb_plain(void);
#endif

/* file.c: small text files */
ssize_t file_read(const char *path, char *buf, size_t size);
int file_write(const char *path, const char *text);
bool file_exists(const char *path);
char *cmdline_value(const char *key, char *buf, size_t size);
u64 parse_u64(const char *what, const char *text);
void die(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* klatency.c: what the latency client, or the tick probe, has measured */
#define HIST_MAX	4096

struct klat_bin {
	u64 low_ns, high_ns, count;
};

struct klat {
	char state[32], max_at[64];
	u64 period_ns, shots, overruns, early, irqsoff_shots;
	u64 min_ns, avg_ns, max_ns, stddev_ns;
	u64 min_ticks, avg_ticks_x1000, max_ticks, stddev_ticks_x1000, tick_hz;
	unsigned int nr_bins;
	struct klat_bin bin[HIST_MAX];
};

int klat_read(const char *path, struct klat *k);
void klat_start(u64 period_ns);
void klat_pause(void);
void klat_stop(void);
u64 klat_hist_sum(const struct klat *k);
u64 klat_shots(void);
void klat_show(const struct klat *k);

/* fault.c: instructions that end in a signal */
#ifdef __arm__
#define illegal()	__asm__ volatile(".word 0xe7f000f0")
#define breakpoint()	__asm__ volatile(".word 0xe7f001f0")
#else
#define illegal()	__asm__ volatile(".long 0")
#define breakpoint()	__asm__ volatile("trap")
#endif

/* The last of the signals of fault_skip() */
extern volatile int fault_signal;
/* From now on @sig does nothing but skip the instruction. */
void fault_skip(int sig);

/* procipipe.c: /proc/ipipe/version and /proc/ipipe/DOMAIN */
#define DOMAINS_MAX	16

struct proc_version {
	char version[32];
	int timer_irq;
	u64 timer_hz;
	unsigned int nr_domains;
	char domain[DOMAINS_MAX][32];	/* from the head down */
};

struct proc_irq {
	unsigned int number, pending;
	unsigned long long hits;
	char modes[96];
};

struct proc_domain {
	char name[32];
	unsigned int id;
	int priority;
	bool head, stalled;
	unsigned int nr_irqs, room;
	struct proc_irq *irq;		/* room for so many; kept from one reading to the next */
};

bool proc_version(struct proc_version *v);
bool proc_domain(const char *name, struct proc_domain *d);
const struct proc_irq *proc_irq(const struct proc_domain *d, int number);
u64 proc_head_timer_hits(void);

/* load.c: /bin/dohell in the background; be_urgent() gets past it */
pid_t load_start(void);
void load_stop(pid_t pid);
void be_urgent(void);

/* stats.c: samples in ticks, printed in ns */
struct stats {
	unsigned int n, size;
	u64 *ticks;
};

void stats_init(struct stats *s, unsigned int size);
void stats_done(struct stats *s);
void stats_add(struct stats *s, u64 ticks);
void stats_row(const char *metric, const struct stats *s, unsigned int batch);
void klat_row(const char *metric, const struct klat *k);

#endif /* GUEST_H */
