import type { ServerInfo } from '#features/servers/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status, type Tone } from '#web/kit/Status.tsx'
import classes from './StackParts.module.css'

interface Part {
  name: string
  about: string
  tone: Tone
  word: string
  version: string | null
}

const ABOUT: Record<string, string> = {
  edge: 'Routes visitors to their site',
  database: 'Stores the content of the sites',
  'database-proxy': 'Limits the database connections of each site',
  relay: 'Sends the mail of sites',
}

/** `absent` and the like, as people say it. */
const wordOf = (state: string, healthy: boolean) => {
  if (state === 'absent') return 'Missing'
  if (state === 'running') return healthy ? 'Running' : 'Unhealthy'
  return `${state.charAt(0).toUpperCase()}${state.slice(1)}`
}

/** The last part of an image's name: `1-8ec49779c5d1`. */
const versionOf = (image: string | null) => image?.split(':').at(-1) ?? null

const partsOf = ({ stack, dockerVersion, firewall }: ServerInfo): Part[] => [
  {
    name: 'Docker',
    about: 'Runs the services below',
    tone: dockerVersion === null ? 'bad' : 'good',
    word: dockerVersion === null ? 'Not responding' : 'Running',
    version: dockerVersion,
  },
  ...stack.map(({ name, state, healthy, image }) => ({
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    about: ABOUT[name] ?? '',
    tone: healthy ? ('good' as const) : ('bad' as const),
    word: wordOf(state, healthy),
    version: versionOf(image),
  })),
  {
    name: 'Firewall',
    about: 'Blocks unwanted traffic',
    tone: firewall ? 'good' : 'bad',
    word: firewall ? 'Loaded' : 'Missing',
    version: null,
  },
]

/** What the panel set up on a server, and how each part is. */
export const StackParts = ({ info }: { info: ServerInfo }) => (
  <Section title="Stack">
    <Card flush>
      <ul className={classes.list}>
        {partsOf(info).map(({ name, about, tone, word, version }) => (
          <li key={name} className={classes.part}>
            <div className={classes.name}>
              {name}
              <div className={classes.about}>{about}</div>
            </div>
            {version && <code className={classes.version}>{version}</code>}
            <span className={classes.state}>
              <Status tone={tone} word={word} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  </Section>
)
