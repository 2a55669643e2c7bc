import { defineTask } from './define-task.ts'

export const wpThemeTask = defineTask({
  type: 'wp.themeTask',
  label: 'Change a theme',
  description: 'Activates, updates or deletes one theme.',
})
