import type { RuleProof } from '../rule.ts'

export const namesProof: RuleProof = {
  clean: {
    'src/platform/db/database.ts':
      "export class Database {}\nexport const toBase64 = () => 'service'\nconst based = () => 1\nconst baseUrl = '/'\n",
    'src/platform/secrets/base32.ts': 'export type Commonly = string\nexport interface Unit { service: string }\n',
    'wordpress/fleetpress.service': '',
    'docs/adding/endpoint.md': '',
    'src/features/sites/domains/site.update-domains.ts': "defineSiteJob({ type: 'site.updateDomains' })\n",
  },
  planted: [
    {
      title: 'folders that fit everything',
      files: {
        'src/app/utils/x.ts': '',
        'src/features/sites/Shared/y.ts': '',
        'test/helpers/z.ts': '',
        'docs/misc/a.md': '',
      },
      reports: [
        'src/app/utils/x.ts:1 lies in a folder called utils',
        'src/features/sites/Shared/y.ts:1 lies in a folder called Shared',
        'test/helpers/z.ts:1 lies in a folder called helpers',
        'docs/misc/a.md:1 lies in a folder called misc',
      ],
    },
    {
      title: 'files, classes, functions and types with an empty word',
      files: {
        'src/app/job-manager.ts': '',
        'src/app/dateUtils.test.ts': '',
        'src/app/names.ts':
          'class JobManager {}\nconst baseHandler = () => 1\ninterface SSHService {}\ntype CommonRow = 1\nfunction misc() {}\n' +
          'const Processor = class {}\nconst routes = { siteHelper() {} }\nclass A {\n  utilRun() {}\n}\n',
      },
      reports: [
        "src/app/job-manager.ts:1 has 'manager' in its name",
        "src/app/dateUtils.test.ts:1 has 'Utils' in its name",
        'src/app/names.ts:1 calls something JobManager',
        'src/app/names.ts:2 calls something baseHandler',
        'src/app/names.ts:3 calls something SSHService',
        'src/app/names.ts:4 calls something CommonRow',
        'src/app/names.ts:5 calls something misc',
        'src/app/names.ts:6 calls something Processor',
        'src/app/names.ts:7 calls something siteHelper',
        'src/app/names.ts:9 calls something utilRun',
      ],
    },
    {
      title: 'a job in a file with another name',
      files: { 'src/features/sites/domains/change-names.ts': "defineJob({ type: 'site.updateDomains' })\n" },
      reports: ['domains/change-names.ts:1 defines the job site.updateDomains; call its file site.update-domains.ts'],
    },
  ],
}
