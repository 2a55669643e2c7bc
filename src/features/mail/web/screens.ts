import { IconMail } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const mailScreens: WebFeature = {
  entry: {
    title: 'Mail',
    to: '/mail',
    icon: IconMail,
    keywords: 'email messages queue dkim spf dmarc bounces',
    order: 32,
  },
  screens: [
    { path: '/mail', load: async () => (await import('./MailPage.tsx')).MailPage },
    { path: '/mail/messages', load: async () => (await import('./MessagesPage.tsx')).MessagesPage },
    { path: '/mail/queue', load: async () => (await import('./QueuePage.tsx')).QueuePage },
    { path: '/mail/domains', load: async () => (await import('./DomainsPage.tsx')).DomainsPage },
    { path: '/mail/setup', load: async () => (await import('./MailSetupPage.tsx')).MailSetupPage },
  ],
}
