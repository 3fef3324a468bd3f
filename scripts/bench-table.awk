# Prints build/bench/BOARD.tsv for people: each figure beside vanilla's, with the ratio.
# Called by scripts/bench.sh with the variables board, insn (ns an instruction), published and
# hist (file names).

BEGIN { FS = "\t" }

FNR == 1 {
	for (i = 1; i <= NF; i++)
		col[$i] = i
	next
}

{
	k = $col["kernel"]; l = $col["load"]; m = $col["metric"]
	if (!(k in seen_k)) { seen_k[k] = 1; kernel[++nk] = k }
	if (!(l in seen_l)) { seen_l[l] = 1; load[++nl] = l }
	if (!(m in seen_m)) { seen_m[m] = 1; metric[++nm] = m }
	n[k, l, m] = $col["samples"]
	min[k, l, m] = $col["min"]
	avg[k, l, m] = $col["avg"]
	max[k, l, m] = $col["max"]
	dev[k, l, m] = $col["stddev"]
}

function ratio(k, l, m)
{
	# a call that vanilla has not stands beside vanilla's shortest
	if (m == "head_call" && (("vanilla", l, "getppid") in avg))
		return sprintf("%.3f", avg[k, l, m] / avg["vanilla", l, "getppid"])
	if (!(("vanilla", l, m) in avg) || avg["vanilla", l, m] + 0 == 0)
		return ""
	return sprintf("%.3f", avg[k, l, m] / avg["vanilla", l, m])
}

# One line a metric: the averages of all kernels.
function services(l,    i, j, k, m)
{
	printf "\nLoad %s: what a service of the kernel takes, average in ns, and its ratio to vanilla\n\n", l
	printf "  %-14s", ""
	for (j = 1; j <= nk; j++)
		printf kernel[j] == "vanilla" ? "  %12s" : "  %12s   ratio", kernel[j]
	print ""
	for (i = 1; i <= nm; i++) {
		m = metric[i]
		if (m == "irq_timer")
			continue
		printf "  %-14s", m
		for (j = 1; j <= nk; j++) {
			k = kernel[j]
			if (!((k, l, m) in avg)) {
				printf k == "vanilla" ? "  %12s" : "  %12s        ", "-"
				continue
			}
			printf "  %12.1f", avg[k, l, m]
			if (k != "vanilla")
				printf "  %6s", ratio(k, l, m)
		}
		print ""
	}
}

function timer(    i, j, k, l)
{
	printf "\nirq_timer: from the programmed time to the handler, in instructions (%d ns each)\n\n", insn
	printf "  %-8s  %-13s  %9s  %7s  %9s  %7s  %8s  %s\n", "load", "kernel", "samples",
		"min", "avg", "max", "stddev", "vanilla's max / this"
	for (i = 1; i <= nl; i++) {
		for (j = 1; j <= nk; j++) {
			l = load[i]; k = kernel[j]
			if (!((k, l, "irq_timer") in avg))
				continue
			printf "  %-8s  %-13s  %9d  %7.0f  %9.1f  %7.0f  %8.1f", l, k,
				n[k, l, "irq_timer"], min[k, l, "irq_timer"] / insn,
				avg[k, l, "irq_timer"] / insn, max[k, l, "irq_timer"] / insn,
				dev[k, l, "irq_timer"] / insn
			if (k != "vanilla" && ("vanilla", l, "irq_timer") in max)
				printf "  %.1f", max["vanilla", l, "irq_timer"] / max[k, l, "irq_timer"]
			print ""
		}
	}
	while ((getline line < hist) > 0) {
		if (line !~ /^# /)
			continue
		split(line, w, " ")
		printf "  max of %s, %s: in %s\n", w[2], w[3], w[length(w)]
	}
	close(hist)
}

# The rows that are in LMbench's manner; getppid and gettimeofday stand alone.
function summary(    i, j, k, m, r, sum, cnt, worst, which)
{
	print ""
	for (j = 1; j <= nk; j++) {
		k = kernel[j]
		if (k == "vanilla")
			continue
		sum = cnt = worst = 0
		for (i = 1; i <= nm; i++) {
			m = metric[i]
			if (m == "irq_timer" || m == "getppid" || m == "gettimeofday" || m == "head_call")
				continue
			r = ratio(k, "plain", m)
			if (r == "")
				continue
			r = avg[k, "plain", m] / avg["vanilla", "plain", m]
			sum += r; cnt++
			if (r > worst) { worst = r; which = m }
		}
		if (cnt)
			printf "LMbench-style rows, plain, %s / vanilla: mean %.4f, worst %.4f (%s)\n",
				k, sum / cnt, worst, which
	}
	k = "ipipe-client"
	if ((k, "dohell", "irq_timer") in max && ("vanilla", "dohell", "irq_timer") in max)
		printf "irq_timer, dohell: vanilla's max / %s max = %.1f\n", k,
			max["vanilla", "dohell", "irq_timer"] / max[k, "dohell", "irq_timer"]
	printf "\nAll figures: emulated instructions times %d ns. Not hardware: no cache miss is in\n", insn
	print "them, and of the TLB only the miss handlers that run. Ratios compare code paths."
}

# What others measured, on machines of another kind.
function others(    line, f, i, h, want)
{
	want = board ~ /^ppc405/ ? "PPC405" : board ~ /855/ ? "MPC855" : ""
	if (want == "")
		return
	print "\nPublished, MEASURED ON HARDWARE by others (never to be mixed with the above):\n"
	printf "  %-4s  %-22s  %-32s  %-9s  %-38s  %10s  %10s  %s\n", "year", "system", "hardware",
		"kernel", "metric", "min", "max", "unit"
	while ((getline line < published) > 0) {
		split(line, f, "\t")
		if (f[1] == "year") {
			for (i in f)
				h[f[i]] = i
			continue
		}
		if (index(f[h["hardware"]], want) == 0)
			continue
		printf "  %-4s  %-22s  %-32s  %-9s  %-38s  %10s  %10s  %s\n", f[h["year"]],
			f[h["system"]], f[h["hardware"]], f[h["kernel"]], f[h["metric"]],
			f[h["min"]] == "" ? "-" : f[h["min"]],
			f[h["max"]] == "" ? (f[h["avg"]] == "" ? "-" : "avg " f[h["avg"]]) : f[h["max"]],
			f[h["unit"]]
	}
	close(published)
}

END {
	if (!nk) {
		print "no rows" >"/dev/stderr"
		exit 1
	}
	printf "%s\n", board
	for (i_l = 1; i_l <= nl; i_l++)
		services(load[i_l])
	timer()
	summary()
	others()
}
