import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Vps } from '#test/fleet/vps.ts'
import { shellOn } from './fault-house.ts'
import { ask } from './move/visitors.ts'

const MEASURE_MS = 5_000
const PAUSE_MS = 60

/** System calls have other numbers on other machines. */
const CALLS = `use Config;
my $arm = $Config{archname} =~ /aarch64/;
my ($epoll_create, $epoll_ctl) = $arm ? (20, 21) : (291, 233);
my ($inotify_init, $inotify_watch) = $arm ? (26, 27) : (294, 254);
my $event = pack('L4', 1, 0, 0, 0);
$| = 1;`

/** Each does its worst, says READY once it has, and continues until it is ended. */
const PROGRAMS = {
  epoll: `${CALLS}
my @pipes; for (1..400) { pipe(my $r, my $w); push @pipes, $r, $w }
my $count = 0;
WATCHES: for (1..20000) {
  my $set = syscall($epoll_create, 0); last if $set < 0;
  for (@pipes) { last WATCHES if syscall($epoll_ctl, $set, 1, fileno($_), $event) < 0; $count++ }
}
print "READY $count $!\\n"; sleep 600`,
  inotify: `${CALLS}
my ($instances, $watches) = (0, 0); my @all;
while ((my $set = syscall($inotify_init, 0)) >= 0) { push @all, $set; $instances++ }
for my $number (1..100000) { mkdir "/tmp/w$number"; last if syscall($inotify_watch, $all[0], "/tmp/w$number", 2) < 0; $watches++ }
print "READY $instances $watches\\n"; sleep 600`,
  processes: `$| = 1; my $count = 0;
while (defined(my $pid = fork)) { if (!$pid) { sleep 600; exit } $count++ }
print "READY $count $!\\n"; while (1) { my $pid = fork; exit if defined $pid && !$pid }`,
  cpu: `$| = 1; for (1..32) { unless (fork) { 1 while 1 } } print "READY\\n"; 1 while 1`,
  'a log flood': `$| = 1; open(my $log, '>', '/proc/1/fd/2') or die "$!"; my $line = ('x' x 1000) . "\\n"; print "READY\\n";
for (1..3) { last unless fork } print $log $line while 1`,
  memory: `$| = 1; print "READY\\n"; for (1..4) { last unless fork }
while (1) { unless (fork) { my @held; push @held, 'x' x 1048576 while 1 } wait }`,
  connections: `use Socket; $| = 1; for (1..19) { last unless fork } my @held;
sub fill { while (socket(my $s, PF_INET, SOCK_STREAM, 0)) { connect($s, sockaddr_in(80, inet_aton($ENV{FLEETPRESS_GATEWAY}))) or last;
  syswrite($s, "POST / HTTP/1.1\\r\\nHost: x\\r\\n"); push @held, $s } }
fill(); print 'READY ', scalar @held, " $!\\n"; while (1) { sleep 4; @held = (); fill() }`,
  disk: `$| = 1; print "READY\\n"; my $data = 'x' x 1048576; open(my $file, '>', '/var/www/html/filler'); 1 while print $file $data; sleep 600`,
  inodes: `$| = 1; print "READY\\n"; mkdir '/var/www/html/many'; my $n = 0; 1 while $n++ < 1e7 && open(my $file, '>', "/var/www/html/many/$n"); sleep 600`,
} as const

export type Attack = keyof typeof PROGRAMS
/** What the kernel bounds at once, and what the disk watch ends after a moment. */
export const BOUNDED = [
  'epoll',
  'inotify',
  'processes',
  'cpu',
  'memory',
  'connections',
  'a log flood',
] as const satisfies Attack[]
export const ON_DISK = ['disk', 'inodes'] as const satisfies Attack[]

const containerOf = (slug: string) => `fleetpress-site-${slug}`

export interface Attacking {
  /** What it reached before it was refused. */
  readonly reached: string
  stop(): Promise<void>
}

/** Runs the program in the site, from its own folder, as anyone who has taken it over. */
export const attack = async (server: Vps, slug: string, name: Attack): Promise<Attacking> => {
  const shell = async (text: string, input = '') => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', text], { input })
    assert.equal(exitCode, 0, `${name}: ${stdout}${stderr}`)
    return stdout.trim()
  }
  const inside = `docker exec -i ${containerOf(slug)}`
  await shell(`${inside} sh -c 'cat > /var/www/html/attack.pl'`, PROGRAMS[name])
  await shell(
    `docker exec -d ${containerOf(slug)} sh -c 'perl /var/www/html/attack.pl > /var/www/html/attack.out 2>&1'`,
  )
  const reached = await shell(
    `for i in $(seq 300); do grep READY /srv/fleetpress/sites/${slug}/html/attack.out && exit; sleep 0.1; done; cat /srv/fleetpress/sites/${slug}/html/attack.out; exit 1`,
  )
  return {
    reached,
    // A site whose processes are used up cannot even start what would end them. One whose memory is used up may be in
    // the middle of a restart by Docker, which then happens a second time.
    stop: async () => {
      await shell(`docker restart -t 1 ${containerOf(slug)}`)
      await shell(`for i in $(seq 100); do ${inside} true && exit; sleep 0.2; done; exit 1`)
    },
  }
}

const EPOLL = '/proc/sys/fs/epoll/max_user_watches'
/** As many as a machine with 1 GB has; a larger one takes longer to use up. */
const EPOLL_WATCHES = 200_000

/** For the attack with epoll. Restored at the end: the kernel is shared. */
export const limitWatches = async (server: Vps): Promise<AsyncDisposable> => {
  const shell = shellOn(server)
  const before = (await shell(`cat ${EPOLL}`)).trim()
  await shell(`echo ${EPOLL_WATCHES} > ${EPOLL}`)
  return { [Symbol.asyncDispose]: async () => void (await shell(`echo ${before} > ${EPOLL}`)) }
}

export interface Measured {
  readonly answered: number
  readonly p95Ms: number
  readonly others: readonly string[]
}

/** Asks a site for its front page again and again, a new connection each time. */
export const measure = async (address: string, hostname: string): Promise<Measured> => {
  const times: number[] = []
  const others: string[] = []
  for (const until = performance.now() + MEASURE_MS; performance.now() < until; await sleep(PAUSE_MS)) {
    const began = performance.now()
    const { status, text } = await ask({ address, hostname, path: '/' }).catch((error: unknown) => ({
      status: 0,
      text: String(error),
    }))
    if (status === 200) times.push(performance.now() - began)
    else others.push(`${status} ${text.slice(0, 200)}`)
  }
  const p95Ms = Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN)
  return { answered: times.length, p95Ms, others }
}
