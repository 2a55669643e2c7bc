import { createHash } from 'node:crypto'
import type { ZipCheck, ZipFinding } from './contract.ts'
import type { ZipRow } from './zip-store.ts'

export const findingsOf = ({ findings }: ZipRow): ZipFinding[] => JSON.parse(findings) as ZipFinding[]

/** Of exactly these findings, in whatever order a scanner names them. */
export const hashOfFindings = (findings: readonly ZipFinding[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        findings
          .map(finding => JSON.stringify(Object.entries(finding).toSorted(([a], [b]) => (a < b ? -1 : 1))))
          .toSorted(),
      ),
    )
    .digest('hex')

const isReviewed = (zip: ZipRow): boolean =>
  zip.status === 'flagged' && zip.reviewed_findings === hashOfFindings(findingsOf(zip))

/** Whether sites may get it. */
export const isInstallable = (zip: ZipRow): boolean =>
  zip.status === 'clean' || zip.status === 'unscanned' || isReviewed(zip)

export const showCheck = (zip: ZipRow, folder: string): ZipCheck => {
  const findings = findingsOf(zip)
  const countFiles = (some: readonly ZipFinding[]) => new Set(some.map(({ path }) => path)).size
  const reviewed = isReviewed(zip)
  return {
    status: zip.status,
    checking: zip.is_checking === 1,
    folder,
    version: zip.version,
    files: zip.files,
    flagged: countFiles(findings),
    confirmed: countFiles(findings.filter(({ severity }) => severity === 'confirmed')),
    problem: zip.problem,
    checkedAt: zip.checked_at,
    reviewed,
    needsReview: zip.status === 'flagged' && !reviewed,
  }
}
