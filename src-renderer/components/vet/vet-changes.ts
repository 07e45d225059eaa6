import type { VetGroup, VetReport } from '../../../src-shared/domain/vet/vet-report'

export const GROUP_LABELS: Readonly<Record<VetGroup, string>> = {
  package: 'Package',
  start: 'Start',
  protocol: 'Protocol',
  tools: 'Tools for models',
  errors: 'Errors',
  end: 'End',
  reach: 'Reach',
  secrets: 'Secrets',
}

export type ReportChange = {
  readonly id: string
  readonly title: string
  readonly kind: 'new' | 'fixed' | 'changed'
}

/** Checks that found something in one of two reports, or something else in each; those that were not done in one are ignored. */
export function changesBetween(before: VetReport, after: VetReport): ReportChange[] {
  const earlier = new Map(before.checks.map((check) => [check.id, check]))
  return after.checks.flatMap(({ id, title, outcome, findings }): ReportChange[] => {
    const was = earlier.get(id)
    if (!was || outcome === 'notChecked' || was.outcome === 'notChecked') return []
    if (outcome !== was.outcome) return [{ id, title, kind: outcome === 'found' ? 'new' : 'fixed' }]
    const texts = (list: typeof findings): string => list.map(({ message }) => message).join('\n')
    return texts(findings) === texts(was.findings) ? [] : [{ id, title, kind: 'changed' }]
  })
}
