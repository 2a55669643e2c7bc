import type { RuleProof } from '../rule.ts'

export const reachabilityProof: RuleProof = {
  clean: {
    'src/main.ts': "import '#app/app.ts'\nnew Worker(new URL('./app/worker.ts', import.meta.url))\n",
    'src/app/app.ts': "import type { Row } from './row.ts'\n",
    'src/app/row.ts': '',
    'src/app/worker.ts': '',
    'src/cli/main.ts': '',
    'src/web/main.tsx': "import './main.css'\nconst Page = lazy(() => import('#features/sites/web/SitesPage.tsx'))\n",
    'src/web/main.css': '',
    'src/web/tsconfig.json': '{}',
    'src/features/sites/web/SitesPage.tsx': '',
    'src/features/sites/tables.ts': "import './columns.ts'\n",
    'src/features/sites/columns.ts': '',
    'src/features/sites/hooks.ts': '',
    'src/features/sites/feature.ts': "import './routes.ts'\n",
    'src/features/sites/routes.ts': '',
    'src/migrations/0001-start.ts': '',
    'src/platform/jobs/kit.ts': '',
    'test/jobs.test.ts': "import '#platform/jobs/kit.ts'\n",
  },
  planted: [
    {
      title: 'files that nothing reaches, even when they reach each other',
      files: {
        'src/main.ts': "import './app/app.ts'\n",
        'src/app/app.ts': '',
        'src/app/old.ts': "import './older.ts'\n",
        'src/app/older.ts': "import './old.ts'\nimport './app.ts'\n",
        'src/web/old.css': '',
      },
      reports: [
        'src/app/old.ts:1 is reached by no entry point',
        'src/app/older.ts:1 is reached by no entry point',
        'src/web/old.css:1 is reached by no entry point',
      ],
    },
  ],
}
