export { type Started, scheduleAction } from './action.ts'
