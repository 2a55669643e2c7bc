import { setTimeout as sleep } from 'node:timers/promises'
import { databaseNameOf } from '#features/sites/index.ts'
import type { Vps } from '#test/fleet/vps.ts'

/** Signs in as the site does, with every limit set aside that a session may choose. */
const SIGN_IN = `preg_match_all("/define\\('(DB_\\w+)', '(.*)'\\)/", file_get_contents('wp-config.php'), $found);
$own = array_combine($found[1], $found[2]);
mysqli_report(MYSQLI_REPORT_OFF);
$sign_in = function () use ($own) {
  $db = mysqli_connect('localhost', $own['DB_USER'], $own['DB_PASSWORD'], $own['DB_NAME'], null, '/run/mysqld/mysqld.sock');
  foreach (['max_statement_time', 'max_tmp_session_space_usage'] as $limit) $db && $db->query("SET SESSION $limit = 0");
  return $db;
};`

/** Opens connections without a word, again and again, and says how many were ever greeted at once. */
const HOLD_CONNECTIONS = `$most = 0;
while (microtime(true) < $until) {
  $held = [];
  for ($i = 0; $i < 520; $i++) if ($socket = @stream_socket_client('unix:///run/mysqld/mysqld.sock', $code, $reason, 0.01)) $held[] = $socket;
  foreach ($held as $socket) stream_set_blocking($socket, false);
  usleep(500000);
  $most = max($most, count(array_filter($held, fn ($socket) => strlen((string) fread($socket, 64)) > 0)));
}
echo $most;`

/** Connects and leaves as fast as it can. */
const RECONNECT = `while (microtime(true) < $until) { $socket = @stream_socket_client('unix:///run/mysqld/mysqld.sock', $code, $reason, 1); if ($socket) fclose($socket); }`

const repeat = (sql: string) => `${SIGN_IN}
while (microtime(true) < $until) { $db = $sign_in(); if ($db) { @$db->query(${sql}); $db->close(); } }`

const GREEDY = `'SELECT ' . implode(', ', array_map(fn ($at) => "LENGTH(REPEAT('$at', 6000000))", range(10, 99)))`
const HEAP = `'CREATE TEMPORARY TABLE t ENGINE=MEMORY SELECT seq, REPEAT(1, 900) AS v FROM seq_1_to_2000000'`
const SORT = `"SELECT COUNT(*) FROM (SELECT DISTINCT seq, REPEAT('x', 1000) FROM seq_1_to_3000000) AS t"`
const COUNT = `"SELECT BENCHMARK(1000000000, SHA1('x'))"`

const PAUSE_MS = 500

interface Attack {
  readonly code: string
  /** As many at the same time. */
  readonly programs: number
}

/** What a site that was taken over does to the database of its server. */
export const DATABASE_ATTACKS = {
  'connections that never sign in': { code: HOLD_CONNECTIONS, programs: 1 },
  'connections that come and go': { code: RECONNECT, programs: 4 },
  'statements that want all memory': { code: repeat(GREEDY), programs: 8 },
  'tables in memory': { code: repeat(HEAP), programs: 4 },
  'large temporary files': { code: repeat(SORT), programs: 4 },
  'endless computations': { code: repeat(COUNT), programs: 16 },
} satisfies Record<string, Attack>

/**
 * Runs in the container of the site, as the site, for so long. Resolves to what each program said. A statement that was
 * begun would keep the processors for minutes after that, so it is ended with its session.
 */
export const attackDatabase = async (
  server: Vps,
  slug: string,
  { code, programs }: Attack,
  seconds: number,
): Promise<string[]> => {
  const inside = ['docker', 'exec', '-w', '/var/www/html', `fleetpress-site-${slug}`]
  const program = `$until = microtime(true) + ${seconds}; ${code}`
  const runs = Array.from({ length: programs }, () =>
    server.exec([...inside, 'timeout', String(seconds + 10), 'php', '-r', program]),
  )
  const said = Promise.all(runs)
  const isOver = said.then(() => true)
  await Promise.race([isOver, sleep(seconds * 1000)])
  const endSessions = `docker exec --user root fleetpress-database mariadb -e 'kill user ${databaseNameOf(slug)}'`
  do await server.exec(['sh', '-c', endSessions])
  while (!(await Promise.race([isOver, sleep(PAUSE_MS, false)])))
  return (await said).map(({ stdout }) => stdout)
}
