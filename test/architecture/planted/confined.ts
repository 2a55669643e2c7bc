import type { RuleProof } from '../rule.ts'

export const confinedProof: RuleProof = {
  clean: {
    'src/platform/host/local.ts': "import { spawn } from 'node:child_process'\nimport { Client } from 'ssh2'\n",
    'src/platform/db/connect.ts': "import Database from 'better-sqlite3'\nimport pg from 'pg'\n",
    'src/cli/main.ts': "import 'node:child_process'\nconsole.log(process.env.HOME)\n",
    'src/platform/config/config.ts': 'export const port = process.env.PORT\n',
    'src/main.ts': 'const { env } = process\n',
    'src/web/main.tsx': 'const key = Math.random()\nconst mode = import.meta.env.MODE\n',
    'src/features/sites/web/Page.tsx': 'const key = Math.random()\n',
    'src/features/sites/slug.ts':
      "const a = new RegExp('^a$', 'u')\nconst b = new RegExp(/a/, 'u')\nprocess.exit(Math.max(1))\n",
    'src/features/sites/slug.test.ts':
      "import 'node:child_process'\nconsole.log(process.env, Math.random(), new RegExp(x))\n",
    'test/fleet/fleet.ts': "import 'node:child_process'\nconsole.log(process.env.HOME)\n",
  },
  planted: [
    {
      title: 'modules outside their folders',
      files: {
        'src/drivers/docker/run.ts':
          "import { spawn } from 'node:child_process'\nimport 'child_process'\nimport 'ssh2'\nimport 'node:vm'\n",
        'src/features/sites/routes.ts':
          "await import('node:child_process')\nrequire('child_process')\nprocess.getBuiltinModule('node:child_process')\n",
        'src/platform/hosting/run.ts': "export * from 'node:child_process'\n",
        'src/features/sites/store.ts': "import Database from 'better-sqlite3'\n",
      },
      reports: [
        'src/drivers/docker/run.ts:1 imports node:child_process, which only src/platform/host and src/cli may',
        'src/drivers/docker/run.ts:2 imports child_process',
        'src/drivers/docker/run.ts:3 imports ssh2',
        'src/drivers/docker/run.ts:4 imports node:vm, which no file may',
        'src/features/sites/routes.ts:1 imports node:child_process',
        'src/features/sites/routes.ts:2 imports child_process',
        'src/features/sites/routes.ts:3 imports node:child_process',
        'src/platform/hosting/run.ts:1 imports node:child_process',
        'src/features/sites/store.ts:1 imports better-sqlite3',
      ],
    },
    {
      title: 'the environment and the console outside their folders',
      files: {
        'src/app/app.ts':
          "import { env as surroundings } from 'node:process'\nprocess.env.A\nprocess['env']\nconst { env } = process\n",
        'src/features/sites/routes.ts': 'console.log(1)\nglobalThis.console.error(2)\nconst { warn } = console\n',
        'src/web/main.tsx': "console.log('ready')\n",
      },
      reports: [
        'src/app/app.ts:1 reads process.env',
        'src/app/app.ts:2 reads process.env',
        'src/app/app.ts:3 reads process.env',
        'src/app/app.ts:4 reads process.env',
        'src/features/sites/routes.ts:1 uses console',
        'src/features/sites/routes.ts:2 uses console',
        'src/features/sites/routes.ts:3 uses console',
        'src/web/main.tsx:1 uses console',
      ],
    },
    {
      title: 'chance that can be guessed and computed patterns',
      files: {
        'src/platform/secrets/token.ts': 'const a = Math.random()\nconst { random } = Math\n',
        'src/features/waf/match.ts': 'new RegExp(rule.pattern)\nRegExp(`^${name}$`)\nnew globalThis.RegExp(a + b)\n',
        'src/features/waf/web/Page.tsx': 'new RegExp(filter)\n',
      },
      reports: [
        'src/platform/secrets/token.ts:1 uses Math.random',
        'src/platform/secrets/token.ts:2 uses Math.random',
        'src/features/waf/match.ts:1 compiles a computed pattern',
        'src/features/waf/match.ts:2 compiles a computed pattern',
        'src/features/waf/match.ts:3 compiles a computed pattern',
        'src/features/waf/web/Page.tsx:1 compiles a computed pattern',
      ],
    },
  ],
}
