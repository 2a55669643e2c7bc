import type { RuleProof, SourceFiles } from '../rule.ts'
import type { AllowedMention } from '../rules/mentions.ts'

// Put together from pieces, so that this file does not name what it plants.
const npmHost = ['registry.', 'npmjs.org'].join('')
const debianHost = ['deb.', 'debian.org'].join('')
const workFolder = ['', 'work', 'main'].join('/')
const homeOfRoot = ['', 'root', '.ssh'].join('/')

const listName = 'planted-mentions.json'

/** A planted set brings its own list of allowed mentions along as a file. */
export const plantedMentions = (files: SourceFiles): AllowedMention[] => {
  const parsed: AllowedMention[] = JSON.parse(files.get(listName) ?? '[]')
  return parsed
}

export const mentionsProof: RuleProof = {
  clean: {
    'src/app/app.ts': `const folder = '/srv/fleetpress${workFolder}'\nconst other = \`\${root}${workFolder}\`\n`,
    'docs/sites.md': `See https://example.test${workFolder} and the root user, /network/x and /roots/.\n`,
    'test/payloads/paths.ts': `export const paths = ['${homeOfRoot}/authorized_keys']\n`,
    'images/site/Dockerfile': `RUN fetch ${debianHost}\n`,
    'docs/logo.png': `\0${npmHost}`,
    [listName]: JSON.stringify([
      { file: 'images/site/Dockerfile', pattern: 'package registry', reason: 'the archive key is fetched from there' },
    ]),
  },
  planted: [
    {
      title: 'registry hosts and absolute paths',
      files: {
        'package-lock.json': `{\n  "resolved": "https://${npmHost}/zod"\n}\n`,
        'images/site/Dockerfile': `RUN echo ${debianHost}\n`,
        'test/fleet/fleet.ts': `const root = '${workFolder}'\nconst key = \`${homeOfRoot}/id\`\n`,
        'src/features/servers/payload.ts': `const key = '${homeOfRoot}'\n`,
      },
      reports: [
        'package-lock.json:2 names a package registry',
        'images/site/Dockerfile:1 names a package registry',
        'test/fleet/fleet.ts:1 names a work folder',
        'test/fleet/fleet.ts:2 names a home of root',
        'src/features/servers/payload.ts:1 names a home of root',
      ],
    },
    {
      title: 'a permission without a reason, for another pattern, or without need',
      files: {
        'a.md': npmHost,
        'b.md': npmHost,
        [listName]: JSON.stringify([
          { file: 'a.md', pattern: 'package registry', reason: ' ' },
          { file: 'b.md', pattern: 'work folder', reason: 'wrong pattern' },
        ]),
      },
      reports: [
        'a.md:1 names a package registry',
        'b.md:1 names a package registry',
        'lets a.md name a package registry without need',
        'lets b.md name a work folder without need',
      ],
    },
  ],
}
