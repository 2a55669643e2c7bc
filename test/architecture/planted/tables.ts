import type { RuleProof } from '../rule.ts'

const declareTables = (...tables: string[]) =>
  `declare module '#platform/db/tables.ts' {\n  interface Tables {\n${tables.map(table => `    ${table}: Row\n`).join('')}  }\n}\n`

export const tablesProof: RuleProof = {
  clean: {
    'src/features/sites/tables.ts': declareTables('site', "'site_label'"),
    'src/features/sites/store.ts':
      "import { sql } from 'kysely'\ndb.insertInto('site')\ndb.updateTable('site as s')\ndb.deleteFrom('site_label')\n" +
      'sql`insert into site (id) values (${id}) on conflict do update set id = 1`\n',
    'src/features/sites/stores/labels.ts': "db.replaceInto('site_label')\n",
    'src/features/backups/usage-store.ts': "db.selectFrom('site')\n",
    'src/platform/jobs/tables.ts': declareTables('job'),
    'src/platform/jobs/lane-store.ts': "db.updateTable('job')\n",
    'src/platform/db/copy.ts': 'db.insertInto(table)\nsql.raw(text)\n',
    'src/migrations/0001-start.ts': "import { sql } from 'kysely'\ndb.insertInto('anything')\nsql.raw('pragma x')\n",
    'src/features/backups/routes.test.ts': "db.insertInto('site')\nsql`select 1`\n",
    'src/features/backups/routes.ts': "const line = String.raw`insert into site`\nconst s = site.raw('x')\n",
  },
  planted: [
    {
      title: 'a table written by someone else, or by no known feature',
      files: {
        'src/features/sites/tables.ts': declareTables('site'),
        'src/features/backups/store.ts':
          "db.insertInto('site')\ndb.updateTable('site as s')\ndb.deleteFrom(['site'])\ndb.replaceInto('gone')\ndb.insertInto(name)\n",
        'src/platform/db/seed.ts': "db.insertInto('site')\n",
        'src/features/mail/store.ts':
          'import { sql as text } from \'kysely\'\n\ntext`delete from site`\ntext`update "site" set x = 1`\n',
      },
      reports: [
        'src/features/backups/store.ts:1 writes site, which src/features/sites owns',
        'src/features/backups/store.ts:2 writes site',
        'src/features/backups/store.ts:3 writes site',
        'src/features/backups/store.ts:4 writes gone, which no tables.ts declares',
        'src/features/backups/store.ts:5 writes a computed table',
        'src/platform/db/seed.ts:1 writes site, which src/features/sites owns',
        'src/features/mail/store.ts:3 writes site',
        'src/features/mail/store.ts:4 writes site',
      ],
    },
    {
      title: 'a table with two owners, or declared where no owner lives',
      files: {
        'src/features/sites/tables.ts': declareTables('site'),
        'src/features/backups/tables.ts': declareTables('backup', 'site'),
        'src/drivers/docker/tables.ts': declareTables('container'),
      },
      reports: [
        'src/features/backups/tables.ts:4 declares site, which src/features/sites owns already',
        "src/drivers/docker/tables.ts:3 declares container; only a feature's or platform part's tables.ts may",
      ],
    },
    {
      title: 'SQL outside a store',
      files: {
        'src/features/sites/tables.ts': declareTables('site'),
        'src/features/sites/routes.ts':
          "import { sql } from 'kysely'\nsql<number>`select 1`\ndb.selectFrom('site')\ndb.insertInto('site')\n",
      },
      reports: [
        'src/features/sites/routes.ts:1 holds SQL outside a store',
        'src/features/sites/routes.ts:2 holds SQL outside a store',
        'src/features/sites/routes.ts:3 holds SQL outside a store',
        'src/features/sites/routes.ts:4 holds SQL outside a store',
      ],
    },
    {
      title: 'text that becomes SQL',
      files: {
        'src/features/sites/store.ts':
          "import { CompiledQuery, sql as text } from 'kysely'\nsql.raw(order)\ntext['raw'](order)\nCompiledQuery.raw(order)\n",
      },
      reports: [
        'src/features/sites/store.ts:2 makes SQL of text',
        'src/features/sites/store.ts:3 makes SQL of text',
        'src/features/sites/store.ts:4 makes SQL of text',
      ],
    },
  ],
}
