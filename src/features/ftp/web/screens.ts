import { IconPlugConnected } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const ftpScreens: WebFeature = {
  tabs: {
    site: [
      {
        path: 'ftp',
        label: 'FTP',
        icon: IconPlugConnected,
        order: 24,
        load: async () => (await import('./FtpTab.tsx')).FtpTab,
      },
    ],
  },
}
