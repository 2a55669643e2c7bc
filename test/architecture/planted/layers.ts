import type { RuleProof } from '../rule.ts'

export const layersProof: RuleProof = {
  clean: {
    'src/main.ts': "import { app } from '#app/app.ts'\n",
    'src/app/app.ts': "import { sites } from '#features/sites/feature.ts'\nimport { all } from '#migrations/all.ts'\n",
    'src/cli/main.ts': "import '../main.ts'\n",
    'src/features/sites/jobs/create.ts': "import '#drivers/docker/run.ts'\nimport '#platform/jobs/job.ts'\n",
    'src/features/sites/web/SitesPage.tsx':
      "import '#web/kit/Table.tsx'\nimport '../contract.ts'\nimport '#platform/contract/client.ts'\nimport 'react'\n",
    'src/web/main.tsx': "import '#features/sites/web/SitesPage.tsx'\nimport './main.css'\nimport '#app/contract.ts'\n",
    'src/drivers/docker/run.ts': "import '#platform/host/command.ts'\nimport 'node:path'\n",
    'src/migrations/all.ts': "import './0001-start.ts'\nimport type { Migration } from 'kysely/migration'\n",
    'src/migrations/0001-start.ts': "import { sql } from 'kysely'\n",
    'src/platform/db/migrate.ts': 'export const load = (file: string) => import(file)\n',
    'src/platform/db/migrate.test.ts': "import '#app/app.ts'\nimport '#features/sites/store.ts'\n",
  },
  planted: [
    {
      title: 'an import that runs upwards',
      files: {
        'src/platform/jobs/queue.ts': "import { x } from 'zod'\nimport { siteGet } from '#features/sites/index.ts'\n",
        'src/drivers/docker/run.ts': "export { app } from '../../app/app.ts'\n",
        'src/features/sites/routes.ts':
          "type App = import('#app/app.ts').App\nconst cli = await import('../../cli/main.ts')\n",
      },
      reports: [
        'src/platform/jobs/queue.ts:2 imports src/features/sites/index.ts',
        'src/drivers/docker/run.ts:1 imports src/app/app.ts',
        'src/features/sites/routes.ts:1 imports src/app/app.ts',
        'src/features/sites/routes.ts:2 imports src/cli/main.ts',
      ],
    },
    {
      title: 'browser code that reaches the server',
      files: {
        'src/web/main.tsx': "import type { Row } from '#features/sites/store.ts'\nimport 'node:fs'\nimport 'path'\n",
        'src/features/sites/web/Page.tsx': "import { sites } from '../index.ts'\nimport '#platform/host/command.ts'\n",
        'src/platform/contract/endpoint.ts': "import 'node:crypto'\nimport '#platform/http/scope.ts'\n",
      },
      reports: [
        'src/web/main.tsx:1 imports src/features/sites/store.ts',
        'src/web/main.tsx:2 imports node:fs',
        'src/web/main.tsx:3 imports path',
        'src/features/sites/web/Page.tsx:1 imports src/features/sites/index.ts',
        'src/features/sites/web/Page.tsx:2 imports src/platform/host/command.ts',
        'src/platform/contract/endpoint.ts:1 imports node:crypto',
        'src/platform/contract/endpoint.ts:2 imports src/platform/http/scope.ts',
      ],
    },
    {
      title: 'a server file that reaches screens, tests or migrations',
      files: {
        'src/app/app.ts': "import '#web/main.tsx'\nimport '#test/fleet/fleet.ts'\n",
        'src/features/sites/routes.ts': "import './web/Page.tsx'\nimport '#migrations/all.ts'\n",
        'src/migrations/0001-start.ts': "import '#platform/db/tables.ts'\nimport 'zod'\n",
      },
      reports: [
        'src/app/app.ts:1 imports src/web/main.tsx',
        'src/app/app.ts:2 imports test/fleet/fleet.ts',
        'src/features/sites/routes.ts:1 imports src/features/sites/web/Page.tsx',
        'src/features/sites/routes.ts:2 imports src/migrations/all.ts',
        'src/migrations/0001-start.ts:1 imports src/platform/db/tables.ts',
        'src/migrations/0001-start.ts:2 imports zod',
      ],
    },
    {
      title: 'a suite in a product folder',
      files: { 'src/platform/host/conformance.ts': "import { it } from 'node:test'\n" },
      reports: ['src/platform/host/conformance.ts:1 imports node:test: only tests use it'],
    },
    {
      title: 'a file outside every layer, a computed import and mocked modules',
      files: {
        'src/lib/anything.ts': 'export const x = 1\n',
        'src/app/load.ts': 'export const load = (file: string) => import(file)\n',
        'src/app/app.test.ts':
          "import { mock } from 'node:test'\nmock.module('#platform/db/db.ts', {})\nt.mock.module('x')\n",
        'test/whole.test.ts': "\nvi.mock('../src/main.ts')\n",
      },
      reports: [
        'src/lib/anything.ts:1 lies in no known layer',
        'src/app/load.ts:1 imports a computed path',
        'src/app/app.test.ts:2 mocks a module',
        'src/app/app.test.ts:3 mocks a module',
        'test/whole.test.ts:2 mocks a module',
      ],
    },
  ],
}
