import type { RuleProof } from '../rule.ts'

export const siteFilesProof: RuleProof = {
  clean: {
    'src/features/sites/paths.ts': 'export const siteFolder = slug => `${ROOT}/sites/${slug}`\n',
    'src/features/sites/folder/open-folder.ts': "import { htmlFolder } from '../paths.ts'\n",
    'src/features/sites/container.ts': "import { htmlFolder } from './paths.ts'\nconst target = '/var/www/html'\n",
    'src/features/sites/contract.ts': "const path = '/api/sites/:slug'\n",
    'src/features/sites/overview.ts': 'const page = `/sites/${slug}`\n',
    'src/features/files/list.ts': "import { ask, runningFolder } from '#features/sites/index.ts'\n",
    'src/features/backups/dump.ts': "const page = '/srv/fleetpress/backups'\n",
    'src/features/sites/move.test.ts': "const html = '/srv/fleetpress/sites/a/html'\n",
    'src/features/sites/web/FilesTab.tsx': "const shown = '/var/www/html'\n",
  },
  planted: [
    {
      title: 'the paths of a site outside their module',
      files: {
        'src/features/backups/pack.ts': "import { htmlFolder as root } from '../sites/paths.ts'\n",
        'src/features/sites/index.ts': "export { siteFolder } from './paths.ts'\n",
      },
      reports: ['src/features/backups/pack.ts:1 takes htmlFolder', 'src/features/sites/index.ts:1 takes siteFolder'],
    },
    {
      title: 'the folder of a site spelled out',
      files: {
        'src/features/quarantine/move.ts': "exec('mv', `/srv/fleetpress/sites/${slug}/html/x`, there)\n",
        'src/features/ftp/home.ts': 'const home = `${ROOT}/sites/${slug}/html`\nconst all = `${ROOT}/sites`\n',
        'src/drivers/docker/look.ts': "const inside = '/var/www/html/wp-config.php'\n",
      },
      reports: [
        'src/features/quarantine/move.ts:1 spells the folder of a site',
        'src/features/ftp/home.ts:1 spells the folder of a site',
        'src/features/ftp/home.ts:2 spells the folder of a site',
        'src/drivers/docker/look.ts:1 spells the folder of a site',
      ],
    },
  ],
}
