import type { RuleProof } from '../rule.ts'

export const injectionProof: RuleProof = {
  clean: {
    'src/platform/host/local.ts':
      "import { execFile, spawn } from 'node:child_process'\nspawn('tar', ['-x', name], { shell: false })\nexecFile('nft', words)\n",
    'src/features/ftp/login.ts':
      "const login = { shell: '/usr/sbin/nologin' }\nconst match = /^a/.exec(name)\nclient.exec(line)\n",
    'src/platform/db/connect.ts': 'database.exec(`pragma foreign_keys = on`)\n',
    'src/features/sites/web/Page.tsx':
      'export const Page = () => <p title="eval">{page.evaluate()}</p>\nelement.textContent = name\n',
    'test/page.test.ts': "const texts = ['eval(1)', 'dangerouslySetInnerHTML']\nredis.eval(script)\n",
  },
  planted: [
    {
      title: 'text that becomes a shell line',
      files: {
        'src/platform/host/local.ts':
          "import { exec, execSync as run } from 'node:child_process'\nspawn('ls', { shell: true })\nspawn(a, b, { shell: '/bin/sh' })\nchild.execSync('ls')\n",
        'src/platform/host/ssh.ts': 'client.exec(`docker logs ${name}`)\nclient.exec("rm " + name)\n',
        'test/fleet/fleet.ts': "const options = { shell: true }\nexecSync('ls')\n",
      },
      reports: [
        'src/platform/host/local.ts:1 runs text in a shell',
        'src/platform/host/local.ts:1 runs text in a shell',
        'src/platform/host/local.ts:2 asks for a shell',
        'src/platform/host/local.ts:3 asks for a shell',
        'src/platform/host/local.ts:4 runs text in a shell',
        'src/platform/host/ssh.ts:1 composes the text it executes',
        'src/platform/host/ssh.ts:2 composes the text it executes',
        'test/fleet/fleet.ts:1 asks for a shell',
        'test/fleet/fleet.ts:2 runs text in a shell',
      ],
    },
    {
      title: 'text that becomes code',
      files: {
        'src/app/app.ts':
          "eval('1')\nglobalThis.eval('1')\nconst run = eval\nnew Function('return 1')\nFunction('x')\n",
      },
      reports: [
        'src/app/app.ts:1 runs text as code',
        'src/app/app.ts:2 runs text as code',
        'src/app/app.ts:3 runs text as code',
        'src/app/app.ts:4 runs text as code',
        'src/app/app.ts:5 runs text as code',
      ],
    },
    {
      title: 'text that becomes markup',
      files: {
        'src/features/logs/web/Line.tsx':
          'const a = <p dangerouslySetInnerHTML={{ __html: line }} />\nconst b = { dangerouslySetInnerHTML: x }\n' +
          "element.innerHTML = line\nelement.insertAdjacentHTML('beforeend', line)\n",
      },
      reports: [
        'src/features/logs/web/Line.tsx:1 turns text into markup',
        'src/features/logs/web/Line.tsx:2 turns text into markup',
        'src/features/logs/web/Line.tsx:3 turns text into markup',
        'src/features/logs/web/Line.tsx:4 turns text into markup',
      ],
    },
  ],
}
