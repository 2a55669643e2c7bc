import type { Tab } from '#web/ui/Page.tsx'

/** What is found under Settings. */
export const settingsTabs: readonly Tab[] = [
  { label: 'Panel', to: '/settings' },
  { label: 'Admins', to: '/settings/admins' },
  { label: 'API keys', to: '/settings/keys' },
  { label: 'Activity', to: '/settings/activity' },
  { label: 'Account', to: '/settings/account' },
]
