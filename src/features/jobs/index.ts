export { JOB_PAGES } from './routes.ts'
