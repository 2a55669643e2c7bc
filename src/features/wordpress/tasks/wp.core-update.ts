import { defineTask } from './define-task.ts'

export const wpCoreUpdate = defineTask({
  type: 'wp.coreUpdate',
  label: 'Update WordPress',
  description: 'Updates WordPress, then reads what is installed.',
})
