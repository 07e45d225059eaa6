import type { VetLevel, VetReport } from '../../src-shared/domain/vet/vet-report'

const EXIT_FINDINGS = 1
/** A check could not be done, or the user stopped it. */
export const EXIT_INCOMPLETE = 3

/** 0 for a clean report, 1 for findings of the level or heavier, 3 where a check of level *must* could not be done. */
export function exitCodeOf(
  { checks }: Pick<VetReport, 'checks'>,
  failOn: 'must' | 'should',
): number {
  const levels: readonly VetLevel[] = failOn === 'must' ? ['must'] : ['must', 'should']
  const counted = checks.filter(({ isPending, level }) => !isPending && levels.includes(level))
  if (checks.some(({ level, isMissing }) => level === 'must' && isMissing === true))
    return EXIT_INCOMPLETE
  return counted.some(({ outcome }) => outcome === 'found') ? EXIT_FINDINGS : 0
}
