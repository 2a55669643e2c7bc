import { defineTask } from './define-task.ts'

export const wpPluginTask = defineTask({
  type: 'wp.pluginTask',
  label: 'Change a plugin',
  description: 'Installs, activates, deactivates, updates or deletes one plugin.',
})
