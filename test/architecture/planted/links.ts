import type { RuleProof } from '../rule.ts'

export const linksProof: RuleProof = {
  clean: {
    'README.md': '![Home](docs/home.png) and [jobs](docs/adding/job.md#steps), [elsewhere](https://example.com/a)\n',
    'docs/home.png': '',
    'docs/adding/job.md': '[back](../../README.md), [below](#steps)\n',
  },
  planted: [
    {
      title: 'a picture that git ignores and a page that moved',
      files: {
        'README.md': '# Panel\n\n![Home](docs/home.png)\n',
        'docs/adding/job.md': '[endpoints](endpoint.md)\n',
      },
      reports: ['README.md:3 leads to docs/home.png', 'docs/adding/job.md:1 leads to endpoint.md'],
    },
  ],
}
