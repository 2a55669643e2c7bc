import { IconBook, IconHistory, IconKey, IconMail } from '@tabler/icons-react'
import type { PaletteOffer } from '#web/client/registration.ts'
import { panel } from '../contract.ts'

/** Not a page of this interface: it is the same for everyone and needs no script. */
const openReference = async () => {
  window.location.assign('/docs')
  return {}
}

export const settingsPalette: PaletteOffer = {
  commands: [
    { title: 'API keys', note: 'Go to', icon: IconKey, to: '/settings/keys' },
    { title: 'Create API key', icon: IconKey, to: '/settings/keys/new', needs: panel.keyCreate.level },
    {
      title: 'Activity log',
      keywords: 'logs audit history',
      note: 'Go to',
      icon: IconHistory,
      to: '/settings/activity',
    },
    { title: 'Refused requests', note: 'Go to', icon: IconHistory, to: '/settings/activity?status=401,403,429' },
    {
      title: 'API reference',
      note: 'Go to',
      keywords: 'docs documentation help openapi',
      icon: IconBook,
      act: openReference,
    },
    {
      title: 'Mail settings',
      note: 'Go to',
      keywords: 'email smtp notifications',
      icon: IconMail,
      to: '/settings#mail',
    },
  ],
}
