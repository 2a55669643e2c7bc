import { defineBulkTask } from './define-task.ts'

export const wpBulkTask = defineBulkTask({
  type: 'wp.bulkTask',
  label: 'Change plugins and themes',
  description: 'Changes several plugins, themes and core of one site, and rolls back each one that breaks it.',
})
