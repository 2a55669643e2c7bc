import { setTimeout as sleep } from 'node:timers/promises'
import { currentGeneration } from '#drivers/nginx/generations.ts'
import { EDGE_FOLDER } from '#features/edge/index.ts'
import { ROOT } from '#features/servers/index.ts'
import { containerOf } from '#features/stack/index.ts'
import { exec } from '#platform/host/command.ts'
import { FileNotFound, HostError } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { SHELL } from '#platform/host/shell-text.ts'
import { SITE_PORT } from '../container.ts'
import { siteName, siteNetwork } from '../network.ts'
import type { SiteRow } from '../site-store.ts'

/** How long the old server waits for a sign of life of the panel before it serves again by itself. */
const LIMIT_SECONDS = 10
const BEAT_MS = 2_000

/** Who ended a hold: the panel, because the new server takes over, or the old server, because the panel was silent. */
type Decision = 'moved' | 'back'

/** The old server serves the site again: what was copied in the meantime may be outdated. */
class HoldLost extends HostError {
  readonly code = 'hold_lost'

  constructor(host: string) {
    super(`${host} heard nothing from the panel and serves the site again`)
  }

  override get isPassing(): boolean {
    return true
  }
}

const folderOf = (slug: string): string => `${ROOT}/run/holds/${slug}`
const decisionOf = (slug: string): string => `${folderOf(slug)}/decision`
const beatOf = (slug: string): string => `${folderOf(slug)}/beat`

/**
 * Words: the folder of the hold, the limit, the container, its address and port, the folder of the edge, the generation it
 * served before, the container of the edge, the new server. Ends with the hold. A decision is a file that is created once
 * and never replaced, so either the panel or this server decides, never both. Visitors who wait at the new server are cut
 * off from it last, and the edge leads them home. Not every server has the command line of Docker, but Debian has Perl.
 */
const WATCH = `
cd -- "$0" || exit 0
engine() {
  perl -MIO::Socket::UNIX -e '
    my $engine = IO::Socket::UNIX->new("/var/run/docker.sock") or exit 1;
    print $engine "POST /containers/$ARGV[0] HTTP/1.0\\r\\nContent-Length: 0\\r\\n\\r\\n";
    1 while <$engine>' "$1"
}
while [ -e beat ] && [ ! -e decision ]; do
  [ $(( $(date +%s) - $(stat -c %Y beat) )) -le "$1" ] || break
  sleep 1
done
[ -e beat ] || exit 0
( set -C; echo back > decision ) 2> /dev/null || exit 0
engine "$2/start"
for _ in {1..100}; do ( exec 3<> "/dev/tcp/$3/$4" ) 2> /dev/null && break; sleep 0.2; done
if [ -n "$6" ]; then ln -s "generations/$6" "$5/.current-hold" && mv -T "$5/.current-hold" "$5/current"; fi
engine "$7/kill?signal=HUP"
ss -K dst "$8"
true
`

/** What the edge serves before visitors have to wait, and goes back to. */
export const readServed = async (host: Host): Promise<string> =>
  (await currentGeneration({ host, path: EDGE_FOLDER })) ?? ''

interface Hold {
  readonly served: string
  readonly newAddress: string
}

/** Before any visitor has to wait: from here on the old server serves again by itself when the panel falls silent. */
export const beginHold = async (host: Host, site: SiteRow, { served, newAddress }: Hold): Promise<void> => {
  const { slug } = site
  await endHold(host, slug)
  await host.makeDir(folderOf(slug), { mode: 0o700 })
  await host.writeFile(beatOf(slug), '')
  const { address } = siteNetwork(slug, site.network_index)
  const words = [folderOf(slug), String(LIMIT_SECONDS), siteName(slug), address, String(SITE_PORT)]
  const edge = [EDGE_FOLDER, served, containerOf('edge'), newAddress]
  await host.run(exec('systemd-run', '--quiet', '--collect', '--', ...SHELL, WATCH, ...words, ...edge))
}

/** Tells the old server that the panel is alive while the work continues. */
export const keepHold = async <T>(host: Host, slug: string, work: () => Promise<T>): Promise<T> => {
  const stop = new AbortController()
  const beat = async () => {
    while (!stop.signal.aborted) {
      // What cannot be told is missed there, which is the point.
      await host.run(exec('touch', '-c', '--', beatOf(slug)), { timeoutMs: LIMIT_SECONDS * 1000 }).catch(() => {})
      await sleep(BEAT_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const beating = beat()
  try {
    return await work()
  } finally {
    stop.abort()
    await beating
  }
}

/** Undefined while visitors wait, or when no one holds them. */
export const readDecision = async (host: Host, slug: string): Promise<Decision | undefined> => {
  try {
    return (await host.readFile(decisionOf(slug))).toString().trim() === 'moved' ? 'moved' : 'back'
  } catch (error) {
    if (error instanceof FileNotFound) return undefined
    throw error
  }
}

const DECIDE = `( set -C; echo moved > "$0" ) 2> /dev/null; cat -- "$0"`

/** The one record of the change-over, on the old server and before the new one opens. */
export const decideMoved = async (host: Host, slug: string): Promise<void> => {
  const { stdout } = await host.run(exec(...SHELL, DECIDE, decisionOf(slug)))
  if (stdout.trim() !== 'moved') throw new HoldLost(host.name)
}

/** Harmless when there is none; what watches it ends by itself. */
export const endHold = async (host: Host, slug: string): Promise<void> => {
  await host.run(exec('rm', '-rf', '--', folderOf(slug)))
}
