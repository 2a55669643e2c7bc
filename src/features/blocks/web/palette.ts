import { IconShieldLock, IconShieldPlus } from '@tabler/icons-react'
import type { PaletteOffer } from '#web/client/registration.ts'
import type { blocks } from '../contract.ts'

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:]+)(?:\/\d{1,3})?$/i

export const blockPalette: PaletteOffer = {
  commands: [
    {
      title: 'Block an address',
      note: 'Security',
      icon: IconShieldPlus,
      to: '/security/blocks?ask=block',
      needs: 'full' satisfies (typeof blocks)['securityBlockCreate']['level'],
    },
  ],
  search: async q =>
    ADDRESS.test(q)
      ? [
          {
            title: `Is ${q} blocked?`,
            note: 'Security',
            icon: IconShieldLock,
            to: `/security/blocks?check=${encodeURIComponent(q)}`,
          },
        ]
      : [],
}
