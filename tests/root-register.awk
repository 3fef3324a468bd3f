# Reads 'objdump -d' of a PowerPC kernel and prints each place that writes r13 where it may not.
#
# r13 has the address of the root domain wherever interrupts may come in. So it is written
# - by lis and addi, one after the other, at an entry: no call since the symbol, for until then
#   the hardware flag is off;
# - by a load on the way out: from there to the return from interrupt, branches followed, nothing
#   is called and the flag stays off.
# The last line says how many writes of each kind there were.

/^[0-9a-f]+ <.*>:$/ {
	sym = $2
	gsub(/[<>:]/, "", sym)
	called = 0
	next
}

/^[0-9a-f]+:\t/ {
	at = $1
	sub(/:$/, "", at)
	split($0, part, "\t")
	op = part[3]
	sub(/ .*/, "", op)
	args = part[3]
	sub(/^[^ ]* */, "", args)
	n++
	code[n] = op
	arg[n] = args
	where[n] = sym " (" at ")"
	line[at] = n
	if (op == "bl" || op == "bctrl" || op == "blrl")
		called = 1
	if (args ~ /^r13(,|$)/ && op !~ /^(st|cmp|tw|td|mt|dcb|icb)/) {
		write[++writes] = n
		after_call[n] = called
		symbol[n] = sym
	}
}

# From instruction i on: do all ways lead to the return from interrupt, and to nothing else?
function way_out(i, steps,    target)
{
	for (; steps < 200; steps++) {
		i++
		if (code[i] ~ /^rf[cdm]?i$/)
			return 1
		if (code[i] ~ /^(bl|bctrl|blrl|blr|bctr|wrtee|wrteei)$/ || !(i in code))
			return 0
		if (code[i] ~ /^b(eq|ne|lt|gt|le|ge)?[-+]?$/) {
			target = arg[i]
			sub(/ .*/, "", target)
			sub(/^.*,/, "", target)
			if (!(target in line))
				return 0
			if (code[i] == "b")
				i = line[target] - 1
			else if (!way_out(line[target] - 1, steps + 1))
				return 0
		}
	}
	return 0
}

END {
	for (w = 1; w <= writes; w++) {
		i = write[w]
		if (code[i] == "lis") {
			if (after_call[i])
				print where[i] ": lis r13 after a call"
			else if (symbol[i] !~ /_virt$|^transfer_to_syscall$|^start_here$/)
				print where[i] ": lis r13, but this is no entry"
			else if (code[i + 1] != "addi" || arg[i + 1] !~ /^r13,r13,/)
				print where[i] ": lis r13 without addi"
			else
				entries++
		} else if (code[i] == "addi" && code[i - 1] == "lis" && arg[i - 1] ~ /^r13,/) {
			continue
		} else if (code[i] == "lwz" && arg[i] !~ /\(r13\)/) {
			if (way_out(i, 0))
				exits++
			else
				print where[i] ": lwz r13 that is not on the way out"
		} else if (symbol[i] == "abort") {
			# resets the machine with the next instruction
			continue
		} else {
			print where[i] ": " code[i] " " arg[i]
		}
	}
	print "entries " entries + 0 " exits " exits + 0
}
