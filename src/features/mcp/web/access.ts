import type { Access } from '#platform/contract/level.ts'

/** What an AI connection of each level may do, in words. Each level includes those before it. */
export const connectionMayDo: Record<Access, readonly string[]> = {
  'read-only': ['View sites, servers, jobs, metrics and settings.', "Can't change or start anything."],
  manage: [
    'Everything in Read only. Read the files of sites.',
    'Create, start, restart and back up sites; install and update plugins and themes.',
    'With dangerous calls: stop sites, change domains, run commands, save and delete files.',
  ],
  full: [
    'Everything in Manage. Read the activity log.',
    'With dangerous calls: delete and move sites; add, change and remove servers; change settings.',
    "Can't create keys or AI connections, open terminals or manage admins. Only people can.",
  ],
}
