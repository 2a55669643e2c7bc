import type { RuleProof } from '../rule.ts'

const manifest = (...uses: string[]) =>
  `export const feature = { uses: [${uses.map(name => `'${name}'`).join(', ')}] }\n`

export const boundariesProof: RuleProof = {
  clean: {
    'src/app/run.ts': "import '#features/sites/feature.ts'\nimport '#features/backups/feature.ts'\n",
    'src/app/contract.ts': "import '#features/sites/contract.ts'\nimport '#platform/contract/endpoint.ts'\n",
    'src/features/sites/feature.ts': manifest(),
    'src/features/sites/index.ts': "import './store.ts'\n",
    'src/features/sites/store.ts': '',
    'src/features/sites/contract.ts': "import { z } from 'zod'\nimport '#platform/contract/endpoint.ts'\n",
    'src/features/backups/feature.ts': "export const feature = define({ uses: ['sites'] as const })\n",
    'src/features/backups/contract.ts': "import '#features/sites/contract.ts'\n",
    'src/features/backups/jobs/run.ts': "import '#features/sites/index.ts'\nimport '../store.ts'\n",
    'src/features/backups/jobs/run.test.ts': "import '#features/sites/store.ts'\nimport '../feature.ts'\n",
    'src/features/sites/web/SitePage.tsx':
      "import '#features/backups/web/index.ts'\nimport '#features/backups/contract.ts'\n",
    'src/drivers/docker/run.ts': "import './socket.ts'\n",
  },
  planted: [
    {
      title: 'a driver that imports another driver',
      files: { 'src/drivers/wp-cli/run.ts': "\nimport type { Exec } from '#drivers/docker/exec.ts'\n" },
      reports: ['src/drivers/wp-cli/run.ts:2 imports src/drivers/docker/exec.ts'],
    },
    {
      title: 'a way into a feature that is not a door, or not in the manifest',
      files: {
        'src/features/sites/feature.ts': manifest(),
        'src/features/backups/feature.ts': manifest('sites'),
        'src/features/backups/routes.ts': "import '#features/sites/store.ts'\nimport '../sites/index.ts'\n",
        'src/features/sites/routes.ts': "import '#features/backups/index.ts'\n",
        'src/features/mail/contract.ts': "import type { Site } from '../sites/contract.ts'\n",
      },
      reports: [
        'src/features/backups/routes.ts:1 imports src/features/sites/store.ts',
        "src/features/sites/routes.ts:1 imports src/features/backups/index.ts, but src/features/sites/feature.ts does not use it; add 'backups'",
        "src/features/mail/contract.ts:1 imports src/features/sites/contract.ts, but src/features/mail/feature.ts does not use it; add 'sites'",
      ],
    },
    {
      title: 'a manifest imported outside the app',
      files: {
        'src/main.ts': "import '#features/sites/feature.ts'\n",
        'src/features/sites/routes.ts': "import { sites } from './feature.ts'\n",
        'src/features/backups/routes.ts': "import '#features/sites/feature.ts'\n",
      },
      reports: [
        'src/main.ts:1 imports src/features/sites/feature.ts',
        'src/features/sites/routes.ts:1 imports src/features/sites/feature.ts',
        'src/features/backups/routes.ts:1 imports src/features/sites/feature.ts',
      ],
    },
    {
      title: 'a contract that imports more than contracts',
      files: {
        'src/features/sites/contract.ts': "import './store.ts'\nimport 'fastify'\nimport '#platform/http/scope.ts'\n",
        'src/app/contract.ts': "import '#features/sites/index.ts'\n",
      },
      reports: [
        'src/app/contract.ts:1 imports src/features/sites/index.ts',
        'src/features/sites/contract.ts:1 imports src/features/sites/store.ts',
        'src/features/sites/contract.ts:2 imports fastify',
        'src/features/sites/contract.ts:3 imports src/platform/http/scope.ts',
      ],
    },
    {
      title: 'manifests in a circle, with unknown or computed uses',
      files: {
        'src/features/a/feature.ts': manifest('b'),
        'src/features/b/feature.ts': manifest('c'),
        'src/features/c/feature.ts': manifest('a', 'unknown'),
        'src/features/d/feature.ts': 'export const feature = { uses: [...others] }\n',
        'src/features/registry.ts': '',
      },
      reports: [
        'uses form a circle, a -> b -> c -> a',
        "src/features/c/feature.ts:1 uses 'unknown'",
        'src/features/d/feature.ts:1 computes its uses',
        'src/features/registry.ts:1 is not in a folder',
      ],
    },
  ],
}
