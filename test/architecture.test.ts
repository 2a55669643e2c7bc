import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import allowedMentions from './architecture/allowed-mentions.json' with { type: 'json' }
import allowlist from './architecture/allowlist.json' with { type: 'json' }
import { boundariesProof } from './architecture/planted/boundaries.ts'
import { budgetsProof, plantedAllowlist } from './architecture/planted/budgets.ts'
import { confinedProof } from './architecture/planted/confined.ts'
import { cyclesProof } from './architecture/planted/cycles.ts'
import { injectionProof } from './architecture/planted/injection.ts'
import { layersProof } from './architecture/planted/layers.ts'
import { linksProof } from './architecture/planted/links.ts'
import { mentionsProof, plantedMentions } from './architecture/planted/mentions.ts'
import { namesProof } from './architecture/planted/names.ts'
import { outputProof } from './architecture/planted/output.ts'
import { reachabilityProof } from './architecture/planted/reachability.ts'
import { screensProof } from './architecture/planted/screens.ts'
import { shortcutsProof } from './architecture/planted/shortcuts.ts'
import { siteFilesProof } from './architecture/planted/site-files.ts'
import { tablesProof } from './architecture/planted/tables.ts'
import { readRepository } from './architecture/repository.ts'
import { type PlantedViolation, type Rule, type RuleProof, toSourceFiles } from './architecture/rule.ts'
import { boundaries } from './architecture/rules/boundaries.ts'
import { budgets } from './architecture/rules/budgets.ts'
import { confined } from './architecture/rules/confined.ts'
import { cycles } from './architecture/rules/cycles.ts'
import { injection } from './architecture/rules/injection.ts'
import { layers } from './architecture/rules/layers.ts'
import { links } from './architecture/rules/links.ts'
import { type AllowedMention, mentions } from './architecture/rules/mentions.ts'
import { names } from './architecture/rules/names.ts'
import { output } from './architecture/rules/output.ts'
import { reachability } from './architecture/rules/reachability.ts'
import { screens } from './architecture/rules/screens.ts'
import { shortcuts } from './architecture/rules/shortcuts.ts'
import { siteFiles } from './architecture/rules/site-files.ts'
import { tables } from './architecture/rules/tables.ts'

interface ProvenRule {
  title: string
  proof: RuleProof
  onRepository: Rule
  onPlanted?: Rule
}

const allowedInRepository: AllowedMention[] = allowedMentions

const provenRules: ProvenRule[] = [
  { title: 'imports run downwards and no module is mocked', proof: layersProof, onRepository: layers },
  { title: 'drivers and features keep their boundaries', proof: boundariesProof, onRepository: boundaries },
  { title: 'screens meet at their doors, above the kit', proof: screensProof, onRepository: screens },
  { title: 'no module imports itself in a circle', proof: cyclesProof, onRepository: cycles },
  { title: 'a table is written by its owner, in a store', proof: tablesProof, onRepository: tables },
  { title: 'processes, environment, console and chance are confined', proof: confinedProof, onRepository: confined },
  { title: 'what a command said is never part of a sentence', proof: outputProof, onRepository: output },
  { title: 'the files of sites are opened in one module', proof: siteFilesProof, onRepository: siteFiles },
  { title: 'text never becomes a shell line, code or markup', proof: injectionProof, onRepository: injection },
  {
    title: 'files and functions keep their budgets',
    proof: budgetsProof,
    onRepository: files => budgets(files, allowlist),
    onPlanted: files => budgets(files, plantedAllowlist(files)),
  },
  { title: 'names say what things do', proof: namesProof, onRepository: names },
  { title: 'no file is dead', proof: reachabilityProof, onRepository: reachability },
  {
    title: 'no registry host and no path of a developer is named',
    proof: mentionsProof,
    onRepository: files => mentions(files, allowedInRepository),
    onPlanted: files => mentions(files, plantedMentions(files)),
  },
  { title: 'nothing is left for later, silenced or skipped', proof: shortcutsProof, onRepository: shortcuts },
  { title: 'pages link to files that everyone has', proof: linksProof, onRepository: links },
]

const assertReports = (rule: Rule, { files, reports }: PlantedViolation) => {
  const { violations } = rule(toSourceFiles(files))
  const listing = violations.join('\n')
  for (const part of reports) assert.ok(listing.includes(part), `no violation says '${part}' in:\n${listing}`)
  for (const sentence of violations) {
    assert.ok(
      reports.some(part => sentence.includes(part)),
      `not planted: ${sentence}`,
    )
  }
  assert.equal(violations.length, reports.length, `more or less than planted:\n${listing}`)
}

const repository = readRepository()

for (const { title, proof, onRepository, onPlanted = onRepository } of provenRules) {
  void describe(title, () => {
    for (const planted of proof.planted) void test(`reports ${planted.title}`, () => assertReports(onPlanted, planted))

    void test('passes a clean set', () => {
      const { checked, violations } = onPlanted(toSourceFiles(proof.clean))
      assert.deepEqual(violations, [])
      assert.ok(checked > 0)
    })

    void test('holds in this repository', () => {
      const { checked, violations } = onRepository(repository)
      assert.ok(checked > 0, 'the rule found nothing to check')
      assert.equal(violations.length, 0, `${violations.length} violations:\n${violations.join('\n')}`)
    })
  })
}
