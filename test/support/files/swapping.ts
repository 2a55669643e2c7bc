import type { LocalFolder } from './local-folder.ts'

/**
 * Exchanges a folder with a link that leads out, and a file with a pipe and with a link, as fast as one processor can:
 * RENAME_EXCHANGE leaves no moment in which a name is absent.
 */
const SWAPPER = `
use Config;
my $call = $Config{archname} =~ /aarch64/ ? 276 : 316;
my @pairs = (["dir", "away"], ["deep/dir", "deep/away"], ["file", "pipe"], ["dir/inner", "link"]);
while (1) { for (@pairs) { my ($a, $b) = @$_; syscall($call, -100, $a, -100, $b, 2) } }
`
const PREPARE = `mkdir -p dir/sub deep/dir out; echo inside > dir/inner; echo inside > dir/passwd; echo inside > deep/dir/passwd
echo inside > file; mkfifo pipe; ln -s /etc/passwd link; ln -s /etc away; ln -s ../../../../etc deep/away
perl -e "$(cat)" > /dev/null 2>&1 & disown`

/** The folders `dir` and `deep/dir`, the file `file` and the file `dir/inner` of a site, swapped until its container goes. */
export const startSwapping = async (site: LocalFolder): Promise<void> => {
  await site.shell(PREPARE, Buffer.from(SWAPPER))
}
