import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Vps } from '#test/fleet/vps.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { siteNetwork } from './network.ts'

const OWN = 'a-b'
/** Its database is the one that a careless grant on wp_a_b would open too. */
const OTHER = 'axb'
/** Where a panel on this machine would listen. */
const PANEL_PORT = 8090

/** Says yes to anyone who comes: on a port of the server, and on addresses beyond it that stand for a cloud and the internet. */
const WORLD = `set -e
listen='use Socket; socket(S, PF_INET, SOCK_STREAM, 0); setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
  bind(S, sockaddr_in(shift, INADDR_ANY)) or die; listen(S, 9); print "x"; close STDOUT; close STDERR; while (accept(C, S)) { close C }'
ip netns add world
ip link add world0 type veth peer name eth0 netns world
ip address add 192.0.2.1/30 dev world0
ip link set world0 up
ip -n world address add 192.0.2.2/30 dev eth0
ip -n world link set lo up
ip -n world link set eth0 up
ip -n world route add default via 192.0.2.1
for address in 169.254.169.254 192.168.50.1 203.0.113.80; do
  ip -n world address add $address/32 dev lo
  ip route add $address via 192.0.2.2
done
ip netns exec world setsid perl -e "$listen" 80 < /dev/null > /dev/null 2>&1 &
setsid perl -e "$listen" ${PANEL_PORT} < /dev/null > /dev/null 2>&1 &
sleep 1`

const CONNECTS = `foreach (array_slice($argv, 1) as $target) {
  [$host, $port] = explode(' ', $target);
  $socket = @fsockopen($host, (int) $port, $code, $reason, 3);
  echo $target, ' ', $socket ? 'open' : 'closed', "\\n";
}`

const DATABASE = `preg_match_all("/define\\('(DB_\\w+)', '(.*)'\\)/", file_get_contents('wp-config.php'), $found);
$own = array_combine($found[1], $found[2]);
mysqli_report(MYSQLI_REPORT_ERROR);
$log_in = fn ($user, $password) => @mysqli_connect('localhost', $user, $password, null, null, '/run/mysqld/mysqld.sock');
$db = $log_in($own['DB_USER'], $own['DB_PASSWORD']);
$ask = function ($sql) use ($db) { $answer = @$db->query($sql); return $answer instanceof mysqli_result ? array_column($answer->fetch_all(), 0) : (bool) $answer; };
$answers = ['names' => $ask('SHOW DATABASES'), 'posts' => $ask("SELECT count(*) > 0 FROM wp_a_b.wp_posts"), 'file' => $ask("SELECT LOAD_FILE('/etc/passwd')")];
foreach (array_slice($argv, 1) as $sql) $answers['refused'][$sql] = $ask($sql);
foreach (['root', 'mysql', 'mariadb.sys', 'fleetpress', 'wp_axb'] as $user) $answers['login'][$user] = (bool) $log_in($user, '');
echo json_encode($answers);`

describe('a site on its server', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  const shell = async (text: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', text])
    assert.equal(exitCode, 0, `${text}\n${stdout}${stderr}`)
    return stdout
  }
  /** As anyone who has taken over the site: its own account, in its own container. */
  const php = async (code: string, ...words: string[]) => {
    const container = `fleetpress-site-${OWN}`
    const inside = ['docker', 'exec', '-w', '/var/www/html', container]
    const { stdout } = await server.exec([...inside, 'php', '-r', code, '--', ...words])
    return stdout
  }
  const inspect = async (name: string) =>
    (JSON.parse(await shell(`docker inspect ${name}`)) as [Record<string, Record<string, unknown>>])[0]
  const own = siteNetwork(OWN, 0)
  const other = siteNetwork(OTHER, 1)

  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    for (const slug of [OWN, OTHER]) await house.create(slug)
    await shell(WORLD)
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('reaches the internet and the web server that visitors reach, and nothing else of the machine or near it', async () => {
    const allowed = ['203.0.113.80 80', `${own.gateway} 80`, `${server.address} 80`]
    const refused = [
      ...[22, PANEL_PORT].flatMap(port => [own.gateway, server.address, '172.17.0.1'].map(host => `${host} ${port}`)),
      ...[8080, 9000].map(port => `${other.address} ${port}`),
      `${other.gateway} 22`,
      '169.254.169.254 80',
      '192.168.50.1 80',
    ]
    // From the server itself all of them are there, or being refused would say nothing.
    const isThere = refused.map(each => `: < /dev/tcp/${each.replace(' ', '/')}`).join(' && ')
    await shell(isThere)
    const answers = (await php(CONNECTS, ...allowed, ...refused)).trim().split('\n')
    assert.deepEqual(answers, [...allowed.map(each => `${each} open`), ...refused.map(each => `${each} closed`)])
  })

  it('asks nothing of the edge and of its own panel pool but what a visitor may', async () => {
    const ask = (url: string, host: string) =>
      php(
        `$headers = @get_headers($argv[1], false, stream_context_create(['http' => ['header' => 'Host: ' . $argv[2]]]));
        echo $headers[0] ?? 'none';`,
        url,
        host,
      )
    assert.match(await ask(`http://${own.gateway}/wp-login.php`, `${OWN}.vps1.localhost`), / 200 /)
    for (const host of ['localhost', '127.0.0.1', 'unknown.example'])
      assert.match(await ask(`http://${own.gateway}/.fleetpress/edge-health`, host), / 421 /)
    const ping = `$socket = fsockopen($argv[1], 9000, $code, $reason, 3);
      fwrite($socket, hex2bin('01010001000800000001000000000000' . '0104000100000000'));
      stream_set_timeout($socket, 3); echo strlen((string) fread($socket, 100)), feof($socket) ? ' closed' : ' open';`
    assert.equal(await php(ping, own.address), '0 closed')
  })

  it('has its own database and no other, and no way to the files of the database server', async () => {
    const refused = [
      'SELECT * FROM wp_axb.wp_users',
      'SELECT * FROM mysql.user',
      'CREATE DATABASE wp_new',
      'CREATE DATABASE wpxaxb',
      'GRANT ALL ON *.* TO wp_a_b@localhost',
      "SELECT 1 INTO OUTFILE '/tmp/out'",
      "LOAD DATA INFILE '/etc/passwd' INTO TABLE wp_options",
      'SET GLOBAL general_log = 1',
      'SHUTDOWN',
      "INSTALL SONAME 'server_audit'",
    ]
    const answers = JSON.parse(await php(DATABASE, ...refused)) as Record<string, unknown>
    assert.deepEqual(answers, {
      names: ['information_schema', 'wp_a_b'],
      posts: ['1'],
      file: [null],
      refused: Object.fromEntries(refused.map(sql => [sql, false])),
      login: { root: false, mysql: false, 'mariadb.sys': false, fleetpress: false, wp_axb: false },
    })
  })

  it('sees its own files only, and writes to its own and to what is gone with it', async () => {
    const code = `$write = fn ($path) => @file_put_contents($path, 'x') !== false && @unlink($path);
      echo json_encode([
        'sees' => array_map('file_exists', ['/srv', '/srv/fleetpress', '/var/run/docker.sock', '/run/docker.sock', '/run/mysqld/mysqld.sock']),
        'srv' => @scandir('/srv'),
        'sites' => array_values(array_diff(scandir('/var/www'), ['.', '..'])),
        'writes' => array_filter(['/etc/x', '/usr/x', '/opt/fleetpress/x', '/run/mysqld/x', '/var/www/x', '/x', '/proc/sys/kernel/x',
          '/tmp/x', '/run/x', '/var/www/html/x'], $write),
        'status' => preg_grep('/^(Uid|Gid|CapEff|CapBnd|CapPrm|NoNewPrivs)/', file('/proc/self/status', FILE_IGNORE_NEW_LINES)),
        'processes' => count(array_filter(array_map(fn ($file) => @fileowner($file), glob('/proc/[0-9]*')), fn ($uid) => $uid !== posix_getuid())),
        'root' => @file_get_contents('/etc/shadow'),
        'name' => posix_getpwuid(posix_getuid())['name'] . ':' . posix_getgrgid(posix_getgid())['name'],
        'mounts' => preg_grep('# (/var/www/html|/tmp|/run) #', file('/proc/mounts', FILE_IGNORE_NEW_LINES)),
      ]);`
    const found = JSON.parse(await php(code)) as Record<string, unknown>
    assert.deepEqual(found.sees, [true, false, false, false, true])
    assert.deepEqual([found.srv, found.sites, found.processes, found.root], [['.', '..'], ['html'], 0, false])
    assert.deepEqual(Object.values(found.writes as object), ['/tmp/x', '/run/x', '/var/www/html/x'])
    const status = Object.values(found.status as Record<string, string>).map(line => line.replace(/\s+/g, ' '))
    const none = '0'.repeat(16)
    assert.deepEqual(status, [
      'Uid: 70000 70000 70000 70000',
      'Gid: 70000 70000 70000 70000',
      `CapPrm: ${none}`,
      `CapEff: ${none}`,
      `CapBnd: ${none}`,
      'NoNewPrivs: 1',
    ])
    assert.equal(found.name, 'www-data:www-data')
    const mounts = Object.values(found.mounts as Record<string, string>)
    assert.deepEqual([mounts.length, mounts.filter(line => !/[ ,]nosuid,nodev,/.test(line))], [3, []])
    assert.match(
      await shell(`docker exec fleetpress-site-${OWN} sh -c 'cp /bin/true /tmp/x; /tmp/x 2>&1; rm /tmp/x'`),
      /denied/,
    )
  })

  it('is a container as the policy says, with nothing more, like every other of the panel', async () => {
    const { Config, HostConfig, NetworkSettings } = await inspect(own.name)
    assert.ok(Config && HostConfig && NetworkSettings)
    assert.equal(Config.User, '70000:70000')
    assert.deepEqual(Object.keys(NetworkSettings.Networks ?? {}), [own.name])
    const { Memory, MemorySwap, PidsLimit, NanoCpus, Mounts } = HostConfig
    assert.ok(Number(Memory) > 0 && Memory === MemorySwap && Number(PidsLimit) > 0 && Number(NanoCpus) > 0)
    assert.deepEqual(
      (Mounts as { Source: string; ReadOnly?: boolean }[]).map(({ Source, ReadOnly = false }) => [Source, ReadOnly]),
      [
        [`/srv/fleetpress/sites/${OWN}/html`, false],
        [`/srv/fleetpress/sites/${OWN}/hosts`, true],
        [`/srv/fleetpress/sites/${OWN}/passwd`, true],
        [`/srv/fleetpress/sites/${OWN}/group`, true],
        [`/srv/fleetpress/run/site-databases/${OWN}`, true],
        [`/srv/fleetpress/sites/${OWN}/protection`, true],
        [`/srv/fleetpress/sites/${OWN}/protection/fastcgi.conf`, true],
        ['/srv/fleetpress/mail/site', true],
      ],
    )
    const plain = (text: string) =>
      text.replaceAll(OTHER, OWN).replaceAll(other.gateway, own.gateway).replaceAll('70001', '70000')
    const others = await inspect(other.name)
    assert.deepEqual(JSON.parse(plain(JSON.stringify(others.HostConfig))), HostConfig)
    for (const name of (await shell(`docker ps --format '{{.Names}}'`)).trim().split('\n')) {
      const { HostConfig: host } = await inspect(name)
      assert.ok(host)
      const { Privileged, ReadonlyRootfs, CapDrop, SecurityOpt, PidMode, UTSMode } = host
      assert.deepEqual(
        { Privileged, ReadonlyRootfs, CapDrop, SecurityOpt, PidMode, UTSMode },
        {
          Privileged: false,
          ReadonlyRootfs: true,
          CapDrop: ['ALL'],
          SecurityOpt: ['no-new-privileges'],
          PidMode: '',
          UTSMode: '',
        },
        name,
      )
      assert.deepEqual([host.PortBindings ?? {}, host.Devices ?? []], [{}, []], name)
      if (name.startsWith('fleetpress-site-')) assert.deepEqual(host.CapAdd ?? [], [], name)
      assert.doesNotMatch(JSON.stringify(host), /docker\.sock|containerd|SYS_ADMIN|NET_ADMIN|NET_RAW|SYS_PTRACE/)
    }
  })

  it('is never what a name that belongs to no one points to', async () => {
    const names = [
      'unknown.example',
      `x.${OWN}.localhost`,
      server.address,
      OWN,
      'localhost',
      '*',
      '%0d',
      'a-b.localhost.',
    ]
    for (const name of names) {
      const status = await shell(`curl -s -o /dev/null -w '%{http_code}' -H 'Host: ${name}' http://127.0.0.1/`)
      assert.ok(['421', '400'].includes(status) || name.endsWith('.'), `${name}: ${status}`)
    }
  })

  it('stays shut in when Docker, the firewall of others or the machine itself is started again', async () => {
    const targets = [`${own.gateway} 22`, `${other.address} 8080`, '169.254.169.254 80']
    const closed = targets.map(each => `${each} closed`).join('\n')
    await shell('systemctl restart docker')
    await shell(
      `until [ "$(docker inspect -f '{{.State.Health.Status}}' fleetpress-site-${OWN})" = healthy ] || docker exec fleetpress-site-${OWN} true; do sleep 1; done`,
    )
    assert.equal((await php(CONNECTS, ...targets)).trim(), closed)
    await server.reboot()
    await shell(`for i in $(seq 60); do docker exec fleetpress-site-${OWN} true && break; sleep 1; done`)
    assert.equal((await php(CONNECTS, ...targets.slice(0, 2))).trim(), closed.split('\n').slice(0, 2).join('\n'))
    assert.match(await php("echo file_get_contents('/proc/mounts');"), / \/var\/www\/html \S+ \S*nosuid,nodev/)
  })
})
