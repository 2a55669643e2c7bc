import type { SiteRow } from '#features/sites/site-store.ts'

/** A site as the panel knows it, of which nothing runs anywhere. Each needs its own number. */
export const siteRow = (slug: string, number = 0): SiteRow => ({
  slug,
  title: slug,
  status: 'running',
  server_id: 1,
  php_version: '8.4',
  domain_mode: 'dev',
  network_index: number,
  uid: 70_000 + number,
  sealed_database_password: '',
  locale: 'en_US',
  wordpress_version: null,
  admin_user: 'ada',
  admin_email: 'ada@example.com',
  labels: '[]',
  notes: '',
  missing: null,
  created_at: Date.now(),
})
