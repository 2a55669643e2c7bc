import type { RuleProof } from '../rule.ts'

export const outputProof: RuleProof = {
  clean: {
    'src/drivers/nginx/test.ts': 'const output = `${stdout}${ended.stderr}`\nclass Refused extends KnownError {}\n',
    'src/platform/db/migrate.ts': 'export class MigrationError extends Error {}\n',
    'src/cli/panel/systemd.ts': 'const text = `it said ${done.stderr}`\n',
  },
  planted: [
    {
      title: 'what a command said in a sentence',
      files: {
        'src/features/sites/wp.ts': 'throw new Problem(`WordPress refused: ${ended.stderr}`)\n',
        'src/drivers/nftables/firewall.ts': 'throw new FirewallFailed(`nft: ${stderr}`)\n',
      },
      reports: [
        'src/features/sites/wp.ts:1 puts what a command said into a sentence',
        'src/drivers/nftables/firewall.ts:1 puts what a command said into a sentence',
      ],
    },
    {
      title: 'an error whose message may be anything',
      files: { 'src/drivers/acme/errors.ts': 'export class Refused extends Error {}\n' },
      reports: ['src/drivers/acme/errors.ts:1 is an unknown error'],
    },
  ],
}
