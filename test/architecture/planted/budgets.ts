import type { RuleProof, SourceFiles } from '../rule.ts'
import type { Allowlist } from '../rules/budgets.ts'

const lines = (count: number) => 'x()\n'.repeat(count)

const functionOf = (count: number, head: string) => `${head} {\n${lines(count - 2)}}\n`

const allowlistName = 'planted-allowlist.json'

/** A planted set brings its own allowlist along as a file. */
export const plantedAllowlist = (files: SourceFiles): Allowlist => {
  const parsed: Allowlist = JSON.parse(files.get(allowlistName) ?? '{}')
  return parsed
}

export const budgetsProof: RuleProof = {
  clean: {
    'AGENTS.md': lines(150),
    'src/app/app.ts': lines(300),
    'src/app/long.ts': lines(310),
    'src/app/work.ts': functionOf(40, 'const work = () =>') + functionOf(45, 'function longer()'),
    'src/web/Page.tsx': functionOf(120, 'export const Page = memo(() =>').replace(/}\n$/, '})\n'),
    'src/features/sites/index.ts': lines(40),
    'src/migrations/0001-start.ts': lines(900),
    'src/app/app.test.ts': functionOf(399, 'function check()'),
    'package-lock.json': lines(900),
    [allowlistName]: JSON.stringify({ 'src/app/long.ts': 310, 'src/app/work.ts > longer': 45 }),
  },
  planted: [
    {
      title: 'files over their budget',
      files: {
        'AGENTS.md': lines(151),
        'src/app/app.ts': lines(301),
        'src/features/sites/index.ts': lines(41),
        'src/web/main.css': lines(301),
        'src/app/app.test.ts': lines(401),
      },
      reports: [
        'AGENTS.md:1 AGENTS.md has 151 lines; the budget is 150',
        'src/app/app.ts:1 the file has 301 lines; the budget is 300',
        'src/features/sites/index.ts:1 the door has 41 lines; the budget is 40',
        'src/web/main.css:1 the file has 301 lines; the budget is 300',
        'src/app/app.test.ts:1 the test file has 401 lines; 400 is the hard limit',
      ],
    },
    {
      title: 'functions and components over their budget',
      files: {
        'src/app/work.ts': `\n${functionOf(41, 'const work = async () =>')}${functionOf(41, 'export function More()')}`,
        'src/app/class.ts': `class Queue {\n${functionOf(41, 'take()')}}\n${functionOf(41, 'run(() =>').replace(/}\n$/, '})\n')}`,
        'src/web/Page.tsx': functionOf(121, 'export function Page()') + functionOf(41, 'const format = () =>'),
      },
      reports: [
        'src/app/work.ts:2 the function work has 41 lines; the budget is 40',
        'src/app/work.ts:43 the function More has 41 lines',
        'src/app/class.ts:2 the function take has 41 lines',
        'src/app/class.ts:44 the function (nameless) has 41 lines',
        'src/web/Page.tsx:1 the component Page has 121 lines; the budget is 120',
        'src/web/Page.tsx:122 the function format has 41 lines',
      ],
    },
    {
      title: 'an allowlist that is too small, too large, not needed, or above the hard limit',
      files: {
        'src/app/grown.ts': lines(320),
        'src/app/shrunk.ts': lines(320),
        'src/app/small.ts': lines(100),
        'src/app/huge.ts': lines(401),
        [allowlistName]: JSON.stringify({
          'src/app/grown.ts': 310,
          'src/app/shrunk.ts': 330,
          'src/app/small.ts': 310,
          'src/app/gone.ts > gone': 50,
          'src/app/huge.ts': 401,
        }),
      },
      reports: [
        'src/app/grown.ts:1 the file has 320 lines',
        'allows src/app/shrunk.ts 330 lines, it has 320; lower the entry',
        'lists src/app/small.ts, which keeps its budget or is gone; delete the entry',
        'lists src/app/gone.ts > gone, which keeps its budget or is gone; delete the entry',
        'src/app/huge.ts:1 the file has 401 lines; 400 is the hard limit',
      ],
    },
  ],
}
