import type { RuleProof } from '../rule.ts'

export const screensProof: RuleProof = {
  clean: {
    'src/web/main.tsx': "import './app/screens.ts'\nimport './kit/theme.css'\n",
    'src/web/app/screens.ts': "import '#features/sites/web/index.ts'\nimport '#web/client/registry.ts'\n",
    'src/web/client/registry.ts':
      "import '#web/kit/Page.tsx'\nimport type { Site } from '#features/sites/contract.ts'\n",
    'src/web/kit/Page.tsx': "import './Card.tsx'\nimport '#platform/contract/problem.ts'\nimport 'react'\n",
    'src/web/kit/Card.tsx': 'export const Card = (jobless: boolean) => jobless\n',
    'src/web/kit/theme.css': '',
    'src/features/sites/contract.ts': '',
    'src/features/sites/web/index.ts': "export * from './screens.ts'\n",
    'src/features/sites/web/screens.ts': "const load = () => import('./SitesPage.tsx')\n",
    'src/features/sites/web/SitesPage.tsx':
      "import '#features/jobs/web/index.ts'\nimport '#web/client/registry.ts'\nimport '#web/kit/Card.tsx'\nimport '../contract.ts'\n",
    'src/features/jobs/web/index.ts': "import type { Site } from '#features/sites/contract.ts'\n",
  },
  planted: [
    {
      title: 'a way past the door of a web folder',
      files: {
        'src/features/sites/web/index.ts': '',
        'src/features/sites/web/SitesPage.tsx': "import '#features/jobs/web/JobsTable.tsx'\n",
        'src/features/sites/web/tabs/Jobs.tsx': "\nconst load = () => import('../../../jobs/web/JobsTable.tsx')\n",
        'src/features/jobs/web/JobsTable.tsx': '',
        'src/web/app/routes.tsx': "import type { P } from '#features/jobs/web/JobsTable.tsx'\n",
      },
      reports: [
        'src/features/sites/web/SitesPage.tsx:1 imports src/features/jobs/web/JobsTable.tsx: reach the screens',
        'src/features/sites/web/tabs/Jobs.tsx:2 imports src/features/jobs/web/JobsTable.tsx: reach the screens',
        'src/web/app/routes.tsx:1 imports src/features/jobs/web/JobsTable.tsx: reach the screens',
      ],
    },
    {
      title: 'screens that know each other in a circle, by types alone',
      files: {
        'src/features/a/web/index.ts': "import '#features/b/web/index.ts'\n",
        'src/features/b/web/B.tsx': "import type { C } from '#features/c/web/index.ts'\n",
        'src/features/b/web/index.ts': '',
        'src/features/c/web/index.ts': "import type { A } from '#features/a/web/index.ts'\n",
        'src/features/d/web/index.ts': "import '#features/a/web/index.ts'\n",
      },
      reports: ['src/features/a/web:1 screens know each other in a circle, a -> b -> c -> a'],
    },
    {
      title: 'an import that runs upwards',
      files: {
        'src/features/sites/web/index.ts': "import '#web/app/routes.tsx'\n",
        'src/web/app/routes.tsx': '',
        'src/web/client/api.ts': "import '#features/sites/web/index.ts'\nimport '../app/routes.tsx'\n",
        'src/web/kit/When.tsx':
          "import '#web/client/api.ts'\nimport '#features/sites/contract.ts'\nimport '#features/sites/web/index.ts'\nimport '../main.tsx'\n",
        'src/web/main.tsx': '',
        'src/features/sites/contract.ts': '',
      },
      reports: [
        'src/features/sites/web/index.ts:1 imports src/web/app/routes.tsx: screens may not import app',
        'src/web/client/api.ts:1 imports src/features/sites/web/index.ts: client may not import screens',
        'src/web/client/api.ts:2 imports src/web/app/routes.tsx: client may not import app',
        'src/web/kit/When.tsx:1 imports src/web/client/api.ts: kit may not import client',
        'src/web/kit/When.tsx:2 imports src/features/sites/contract.ts: the kit knows nothing',
        "src/web/kit/When.tsx:2 says 'sites'",
        'src/web/kit/When.tsx:3 imports src/features/sites/web/index.ts: kit may not import screens',
        "src/web/kit/When.tsx:3 says 'sites'",
        'src/web/kit/When.tsx:4 imports src/web/main.tsx: kit may not import app',
      ],
    },
    {
      title: 'a word of the product in the kit',
      files: {
        'src/web/kit/Table.tsx': '/** Rows. */\nexport const label = (name: string) => `Server ${name}`\n',
        'src/web/kit/Table.module.css': '.job {\n}\n',
      },
      reports: ["src/web/kit/Table.tsx:2 says 'Server'", "src/web/kit/Table.module.css:1 says 'job'"],
    },
  ],
}
