# SPDX-License-Identifier: GPL-2.0
# drop-rows.pl - check the rows of frames.pl. Each packet must have been dropped for the cause in its row, as
# often as the witness counts.
#
# usage: drop-rows.pl ROWS LOG PACKETS WHY BEFORE AFTER SHOWS
#
# A row may end with ">> PATTERN". Then SHOWS gets a line "NAMESPACE<tab>PATTERN<tab>COMMAND<tab>NAME" with the command that
# --why suggests for the packet. The namespace is - if --why names none.
#
# PACKETS is the output of report-skb --json, and WHY that of report-skb --why --json. BEFORE and AFTER have
# lines "WITNESS NUMBER". The packets of a row are those that were first seen between the row's times. They
# may cause other packets.
use strict;
use warnings;

my ($rows, $log, $packets, $why, $before, $after, $shows) = @ARGV;

sub lines { open my $f, "<", $_[0] or die "$_[0]: $!"; my @l = <$f>; chomp @l; return @l }

my (%cause, %command, %namespace, %end, %flow, @packets, %was, %count, %wanted, $bad);
for (lines $why) {
	next unless /"type": *"cause"/ && /"what": *"(?:possibly )?dropped"/;
	# Answers to the host that does not exist are for another host. A cause lists only its first packets.
	next if /"end": *"[^"]*OTHERHOST/ && /"count": *\d\d/;
	my ($cause) = /"cause": *"((?:[^"\\]|\\.)*)"/;
	my ($end) = /"end": *"((?:[^"\\]|\\.)*)"/;
	my ($numbers) = /"packets": *\[([^\]]*)\]/;
	my ($command) = /"command": *"((?:[^"\\]|\\.)*)"/;
	my ($namespace) = /"netns_name": *"(\w+)"/;
	for my $n ($numbers =~ /\d+/g) {
		push @{$cause{$n}}, $cause;
		$end{$n} = $end;
		$command{"$n $cause"} = ($command // ":") =~ s/\\(.)/$1/gr;
		$namespace{"$n $cause"} = $namespace // "-";
	}
}
for (lines $packets) {
	next unless /"type": *"packet"/;
	my ($n) = /"number": *(\d+)/;
	my ($time) = /"time_ns": *(\d+)/;
	push @packets, [$n, $time];
	($flow{$n}) = /("ethertype".*)"length"/;
}
for (lines $before) { my ($w, $n) = /^(.*) (\d+)$/ or next; $was{$w} = $n }
for (lines $after) { my ($w, $n) = /^(.*) (\d+)$/ or next; $count{$w} = $n - ($was{$w} // 0) }
my %times = map { my ($name, $b, $e) = split /\t/; $name => [$b, $e] } lines $log;
my $rows_held = 0;
open my $shown, ">", $shows or die "$shows: $!";
for (lines $rows) {
	next unless /\S/;
	my ($name, undef, $witness, $says) = map { s/^\s+|\s+$//gr } split /\|/, $_, 4;
	($says, my $pattern) = split / >> /, $says;
	my ($b, $e) = @{$times{$name} // die "$name was not sent"};
	my @numbers = map { $_->[0] } grep { $_->[1] >= $b && $_->[1] <= $e } @packets;
	my @causes = map { my $n = $_; map { [$n, $_] } @{$cause{$n} // []} } @numbers;
	my @right = grep { $_->[1] =~ /$says/ } @causes;
	my @nameless = grep { $_->[1] =~ /no more than its name/ } @causes;
	$wanted{$_}++ for grep { $_ ne "-" } split /, */, $witness;
	if (@right && !@nameless) {
		print "ok: $name: $end{$right[0][0]}: $right[0][1]\n";
		$rows_held++;
		my $which = "$right[0][0] $right[0][1]";
		print $shown join("\t", $namespace{$which}, $pattern, $command{$which}, $name), "\n" if $pattern;
		next;
	}
	$bad++;
	print "WRONG: $name: wanted \"$says\"; packets: ", join("; ", map { my $n = $_;
		"#$n " . ($cause{$n} ? "$end{$n}: @{$cause{$n}}" : "not dropped: " . ($flow{$n} // "")) } @numbers), "\n";
}
# If "> " precedes a witness, it must count the packet at least once.
for (sort keys %wanted) {
	next if /^> (.*)/ ? $count{$1} : ($count{$_} // -1) == $wanted{$_};
	$bad++;
	print "WRONG: the witness $_ counts ", $count{$_} // "nothing", ", and $wanted{$_} were expected\n";
}
print "$rows_held drops have their cause\n";
exit($bad ? 1 : 0);
