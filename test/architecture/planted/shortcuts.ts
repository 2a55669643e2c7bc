import type { RuleProof } from '../rule.ts'

export const shortcutsProof: RuleProof = {
  clean: {
    'src/app/app.ts':
      "// Done today.\nconst word = 'TODO'\nconst rows = list as unknown as Row[]\nconst page = { skip: 1, only: 2 }\n",
    'src/app/app.test.ts': "test('runs', { timeout: 5 }, () => {})\nlist({ skip: 10 })\n",
    'wordpress/plugin.php': '<?php // todos are listed elsewhere\n',
  },
  planted: [
    {
      title: 'work left for later and silenced checks',
      files: {
        'src/app/app.ts':
          '// TODO: later\n/* FIXME */\n// @ts-ignore\n// @ts-expect-error\n/* biome-ignore lint: x */\n// oxlint-disable-next-line\n',
        'wordpress/plugin.php': '<?php\n// TODO\n',
        fleetpress: '#!/bin/sh\n# FIXME\n',
      },
      reports: [
        'src/app/app.ts:1 leaves work for later',
        'src/app/app.ts:2 leaves work for later',
        'src/app/app.ts:3 silences a check with @ts-ignore',
        'src/app/app.ts:4 silences a check with @ts-expect-error',
        'src/app/app.ts:5 silences a check with biome-ignore',
        'src/app/app.ts:6 silences a check with oxlint-disable',
        'wordpress/plugin.php:2 leaves work for later',
        'fleetpress:2 leaves work for later',
      ],
    },
    {
      title: 'casts to any and modules that cannot be parsed',
      files: {
        'src/app/app.ts': 'const row = list as any\nconst other = <any>list\n',
        'src/app/torn.ts': 'const a = 1\nconst = 2\n',
      },
      reports: ['src/app/app.ts:1 casts to any', 'src/app/app.ts:2 casts to any', 'src/app/torn.ts:2'],
    },
    {
      title: 'tests left out by call or by option',
      files: {
        'src/app/app.test.ts':
          "test.skip('a', run)\ndescribe.only('b', run)\nt.skip()\ntest.todo('c')\ntest('d', { skip: !docker }, run)\nsuite('e', { only: true }, run)\n",
      },
      reports: [1, 2, 3, 4, 5, 6].map(line => `src/app/app.test.ts:${line} leaves tests out`),
    },
  ],
}
