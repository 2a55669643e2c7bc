import type { Access } from '#platform/contract/level.ts'

/** What a key of each level may do, in words. Each level includes those before it. */
export const mayDo: Record<Access, readonly string[]> = {
  'read-only': ['View sites, servers, jobs, metrics and settings.', "Can't change or start anything."],
  manage: [
    'Everything in Read only.',
    'Create, start, stop and restart sites; change their domains and PHP version.',
    'Cancel jobs, check servers, send a test email.',
  ],
  full: [
    'Everything in Manage.',
    'Delete and move sites; add, change and remove servers; open a root shell on them.',
    'Change settings, create and revoke keys, read the activity log.',
    "Can't manage admins and their accounts. Only people can.",
  ],
}
