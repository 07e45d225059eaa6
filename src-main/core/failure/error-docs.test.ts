import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { AppErrorCode } from '../../../src-shared/domain/app-error'
import { ProtocolFaults } from '../../../src-shared/domain/running/protocol-faults'
import { CAUSES } from './failure-causes'

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8')
const HEADINGS = [...PAGE.matchAll(/^## `(.+)`$/gmu)].map(([, topic]) => topic ?? '')
const TOPICS = [
  ...AppErrorCode.options,
  ...CAUSES.map(({ causeId }) => causeId),
  // Known from the start itself, not from its lines.
  ...['asks-on-stdin', 'serves-http', 'other-program-name', 'version-gone', 'container-stdin'],
  ...ProtocolFaults.keyof().options,
]

describe('E15: docs/errors.md', () => {
  it('has one section per error code, failure cause and protocol warning, and no other', () => {
    expect(HEADINGS.toSorted()).toEqual(TOPICS.toSorted())
  })

  it('says in every section what to do, in at most five lines', () => {
    const sections = PAGE.split(/^#{1,2} /mu).filter((text) => text.startsWith('`'))
    const odd = sections.filter(
      (text) => !/^- Do: /mu.test(text) || text.trim().split(/\n+/u).length > 6,
    )
    expect(odd).toEqual([])
  })
})
