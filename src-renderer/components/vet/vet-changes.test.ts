import { describe, expect, it } from 'vitest'

import type { VetCheck, VetReport } from '../../../src-shared/domain/vet/vet-report'
import { changesBetween } from './vet-report-view'

const check = (id: string, outcome: VetCheck['outcome'], message?: string): VetCheck => ({
  ...{ id, group: 'tools', level: 'must', title: id, isPending: false, outcome, moreFindings: 0 },
  findings: message === undefined ? [] : [{ message, fix: '' }],
})
const report = (...checks: VetCheck[]): VetReport => ({
  ...{ schemaVersion: 1, patchbayVersion: '1', server: { name: 'a' }, command: '', system: '' },
  ...{ startedAt: '2026-11-29T00:00:00Z', durationMs: 1, checks },
})

describe('E14: two reports of a server', () => {
  it('differ if a check now fails, now passes, or has other findings', () => {
    const before = report(
      check('fixed', 'found', 'a'),
      check('new', 'passed'),
      check('changed', 'found', 'a'),
      check('same', 'found', 'a'),
      check('skipped', 'notChecked'),
    )
    const after = report(
      check('fixed', 'passed'),
      check('new', 'found', 'a'),
      check('changed', 'found', 'b'),
      check('same', 'found', 'a'),
      check('skipped', 'found', 'a'),
      check('added', 'found', 'a'),
    )
    expect(changesBetween(before, after).map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'fixed fixed',
      'new new',
      'changed changed',
    ])
  })
})
