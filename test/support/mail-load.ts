import assert from 'node:assert/strict'
import type { Vps } from '#test/fleet/vps.ts'

const RELAY = 'fleetpress-relay'
export const RELAY_ADDRESS = '10.213.255.249'
/** Where a sink inside the relay's container listens. */
const SINK = '127.0.0.1:2525'
const LIMIT_MS = 10 * 60_000
/** Fewer than the relay allows: one that has ended counts for a moment longer. */
const SESSIONS = 16

/** What a message that is sent in a row says. */
export interface KnownMessage {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
}

/** What the relay said to it, and when. */
export interface Reply {
  readonly text: string
  readonly at: number
}

/**
 * Reads messages as JSON, one a line, and gives each to the relay over a connection that it opens again when it is cut.
 * Waits as many milliseconds between them as it is told, and tries none twice.
 */
const SENDER = `
$relay = null;
$hear = function () use (&$relay) {
  do { $line = $relay ? @fgets($relay, 4096) : false; } while ($line !== false && ($line[3] ?? "") === "-");
  return $line === false ? "closed" : rtrim($line);
};
$say = function ($line) use (&$relay, $hear) {
  if (!$relay || @fwrite($relay, $line . "\\r\\n") === false) return "closed";
  return $hear();
};
$open = function () use (&$relay, $hear, $say) {
  $relay = @stream_socket_client("tcp://${RELAY_ADDRESS}:25", $code, $why, 2);
  if (!$relay) return false;
  stream_set_timeout($relay, 20);
  return $hear()[0] === "2" && $say("EHLO site.test")[0] === "2";
};
while (($line = fgets(STDIN)) !== false) {
  $message = json_decode($line, true);
  if (!$relay || feof($relay)) $open();
  $said = $say("MAIL FROM:<" . $message["from"] . ">");
  foreach ($message["to"] as $to) if ($said[0] === "2") $said = $say("RCPT TO:<" . $to . ">");
  if ($said[0] === "2") $said = $say("DATA");
  if ($said[0] === "3") $said = $say("From: " . $message["from"] . "\\r\\nSubject: " . $message["subject"] . "\\r\\n\\r\\nHello\\r\\n.");
  echo json_encode(["text" => $said, "at" => (int) (microtime(true) * 1000)]), "\\n";
  if ($said[0] !== "2") { if ($relay) @fclose($relay); $relay = null; }
  usleep(1000 * (int) $argv[1]);
}`

/** Sends from inside a site, as its own code would. One reply for each message, in their order. */
export const sendFrom = async (
  server: Vps,
  slug: string,
  messages: readonly KnownMessage[],
  pauseMs = 0,
): Promise<Reply[]> => {
  const command = ['docker', 'exec', '-i', `fleetpress-site-${slug}`, 'php', '-r', SENDER, '--', String(pauseMs)]
  const input = messages.map(message => JSON.stringify(message)).join('\n')
  const { stdout, stderr } = await server.exec(command, { input: `${input}\n`, timeoutMs: LIMIT_MS })
  const replies = stdout.split('\n').filter(line => line !== '')
  assert.equal(replies.length, messages.length, stderr)
  return replies.map(line => JSON.parse(line) as Reply)
}

const inRelay = async (server: Vps, script: string): Promise<string> => {
  const command = ['docker', 'exec', RELAY, 'bash', '-euc', script]
  const { stdout, stderr, exitCode } = await server.exec(command, { timeoutMs: LIMIT_MS })
  assert.equal(exitCode, 0, stderr)
  return stdout
}

/** All that is sent to anyone ends in a sink next to the relay, the lightest one there is. */
export const sinkInRelay = async (server: Vps): Promise<{ host: string; port: number }> => {
  await server.exec(['docker', 'exec', '-d', RELAY, 'smtp-sink', '-u', 'postfix', SINK, '200'])
  const [host = '', port] = SINK.split(':')
  return { host, port: Number(port) }
}

/** The relay's own address may send as this domain, for programs of its container. */
export const allowOwnAddress = async (server: Vps, domain: string): Promise<void> => {
  const file = `/srv/fleetpress/mail/settings/senders/${RELAY_ADDRESS}`
  await server.exec(['bash', '-euc', `printf 'load\\n%s\\n' "$1" > ${file}`, 'allow', domain])
  // Docker gives what leaves a network the address of the server, even on its way to the relay next to it.
  const own = ['-s', RELAY_ADDRESS, '-d', RELAY_ADDRESS]
  await server.exec(['iptables', '-t', 'nat', '-I', 'POSTROUTING', ...own, '-j', 'ACCEPT'])
}

/** How long it takes until so many messages have been accepted, and until all of them are delivered, in milliseconds. */
export const pushThrough = async (server: Vps, count: number, domain: string) => {
  const script = `
now() { date +%s%3N; }
began=$(now)
smtp-source -s ${SESSIONS} -m ${count} -f wordpress@${domain} -t known@sink.test -S 'A message as any other' -l 2000 ${RELAY_ADDRESS}:25
accepted=$(now)
while [[ -n $(find /var/spool/postfix/{incoming,active,deferred,maildrop} -type f -print -quit) ]]; do
  [[ -z $(find /var/spool/postfix/deferred -type f -print -quit) ]] || postqueue -f
  sleep 0.05
done
echo $began $accepted $(now)`
  const [began = 0, accepted = 0, delivered = 0] = (await inRelay(server, script)).trim().split(' ').map(Number)
  return { acceptedMs: accepted - began, deliveredMs: delivered - began }
}

/** With or without the program that decides and signs; everything else stays as it is. */
export const signing = async (server: Vps, isOn: boolean): Promise<void> => {
  const off =
    "sed -i '/^\\(non_\\)\\?smtpd_milters/d' /run/postfix/main.cf; touch -d '10 seconds ago' /run/postfix/main.cf; postfix reload"
  await inRelay(server, isOn ? 'configure-mail reload' : off)
}

/** Whether a message of a domain leaves with a signature: seen in the queue, while the sink takes none. */
export const isSigned = async (server: Vps, domain: string): Promise<boolean> => {
  const script = `
tell() { for task in /proc/[0-9]*; do [[ $(cat $task/comm 2> /dev/null) != smtp-sink ]] || kill -$1 \${task#/proc/}; done; }
tell STOP
trap 'tell CONT' EXIT
smtp-source -m 1 -f wordpress@${domain} -t known@sink.test ${RELAY_ADDRESS}:25
postcat $(find /var/spool/postfix/{incoming,active,deferred} -type f -print -quit) | grep -c '^DKIM-Signature:' || true`
  return (await inRelay(server, script)).trim() === '1'
}

/** What the processes of the relay hold in memory, each shared page counted by its share. */
export const pssOfRelay = async (server: Vps): Promise<number> => {
  const script = `total=0
for pid in $(docker top ${RELAY} -o pid | tail -n +2); do
  [[ $(cat /proc/$pid/comm 2> /dev/null) == smtp-s* ]] && continue
  pss=$(awk '/^Pss:/ { print $2 }' "/proc/$pid/smaps_rollup" 2> /dev/null) || continue
  total=$((total + \${pss:-0}))
done
echo $total`
  return Number((await server.exec(['bash', '-c', script])).stdout.trim()) * 1024
}

/** Ends a process of the relay, or with `init` all of it, without a word. When that was. */
export const killInRelay = async (server: Vps, name: 'init' | 'master' | 'opendkim' | 'qmgr'): Promise<number> => {
  const script =
    name === 'init'
      ? `kill -9 $(docker inspect -f '{{.State.Pid}}' ${RELAY})`
      : `docker top ${RELAY} -o pid,comm | awk '$2 == "${name}" { print $1 }' | xargs -r kill -9`
  const at = Date.now()
  const { exitCode, stderr } = await server.exec(['bash', '-c', script])
  assert.equal(exitCode, 0, stderr)
  return at
}

/** Puts the log aside as the relay does when it has grown. */
export const rotateLog = (server: Vps): Promise<string> =>
  inRelay(
    server,
    `cd /var/log/fleetpress; mv -f mail.log.2 mail.log.3 || true; mv -f mail.log.1 mail.log.2 || true; mv mail.log mail.log.1; postfix reload`,
  )
