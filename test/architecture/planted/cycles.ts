import type { RuleProof } from '../rule.ts'

export const cyclesProof: RuleProof = {
  clean: {
    'src/app/a.ts': "import { b } from './b.ts'\n",
    'src/app/b.ts': "import type { A } from './a.ts'\nimport { type B } from './a.ts'\nexport type * from './a.ts'\n",
    'src/app/b.test.ts': "import './a.ts'\nimport './b.test.ts'\n",
  },
  planted: [
    {
      title: 'a circle of three modules',
      files: {
        'src/app/a.ts': "import { b } from './b.ts'\n",
        'src/app/b.ts': "export * from '#app/c.ts'\n",
        'src/app/c.ts': "const a = await import('./a.ts')\n",
        'src/app/outside.ts': "import './a.ts'\n",
      },
      reports: ['src/app/a.ts:1 imports itself through src/app/a.ts -> src/app/b.ts -> src/app/c.ts -> src/app/a.ts'],
    },
    {
      title: 'two circles and a module that imports itself',
      files: {
        'src/app/a.ts': "import { b, type B } from './b.ts'\n",
        'src/app/b.ts': "import './a.ts'\nimport './c.ts'\n",
        'src/app/c.ts': "import './d.tsx'\n",
        'src/app/d.tsx': "import './c.ts'\n",
        'src/app/self.ts': "import './self.ts'\n",
      },
      reports: ['src/app/a.ts:1 imports itself', 'src/app/c.ts:1 imports itself', 'src/app/self.ts:1 imports itself'],
    },
  ],
}
