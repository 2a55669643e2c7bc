import { runPanel } from '#app/run.ts'

await runPanel(process.env)
