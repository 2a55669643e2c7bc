import { defineFeature } from '#platform/feature.ts'
import { filesCompress } from './archives/files.compress.ts'
import { filesExtract } from './archives/files.extract.ts'
import { files } from './contract.ts'
import { fileRoutes } from './routes.ts'
import { forgetIdleUploads } from './uploads/forget-idle.ts'

export const feature = defineFeature({
  name: 'files',
  group: 'Files (Web FTP)',
  uses: ['servers', 'sites', 'stack', 'monitor'],
  contract: files,
  routes: fileRoutes,
  jobs: [filesExtract, filesCompress],
  hooks: {
    serverSampled: (scope, { serverId, signal }) => forgetIdleUploads(scope, serverId, signal),
  },
})
