import type { Access } from '#platform/contract/level.ts'

/** What a key of each level may do, in words. Each level includes those before it. */
export const mayDo: Record<Access, readonly string[]> = {
  'read-only': ['See sites, servers, jobs, their figures and the settings.', 'Change nothing and start nothing.'],
  manage: [
    'Everything that Read only may.',
    'Create sites, start, stop and restart them, change their names and their PHP version.',
    'Cancel jobs, check servers, send the test e-mail.',
  ],
  full: [
    'Everything that Manage may.',
    'Delete and move sites; add, change and remove servers; open a root shell on them.',
    'Change settings, make and revoke keys, read the activity log.',
    'Not even this may touch admins and their accounts: only people can.',
  ],
}
