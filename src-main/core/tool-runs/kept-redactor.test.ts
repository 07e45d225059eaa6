import { describe, expect, it } from 'vitest'

import { createRedactor, NO_REDACTOR, type Redactor } from '../masking/redact'
import { KeptRedactor } from './tool-runs'

describe('What a trial masks', () => {
  it('is what its server masks, which is that of now as long as nothing else was a secret', () => {
    let latest: Redactor = NO_REDACTOR
    const kept = new KeptRedactor(() => latest)
    expect(kept.look()).toBe(latest)
    latest = createRedactor(['the-first'])
    expect(kept.look()).toBe(latest)
    latest = createRedactor(['the-first', 'the-second'])
    expect(kept.look()).toBe(latest)
  })

  it('is what was a secret before too, and what its server masked that is gone', () => {
    let latest: Redactor | undefined = createRedactor(['the-first'])
    const kept = new KeptRedactor(() => latest)
    latest = createRedactor(['the-second'])
    kept.look()
    latest = undefined
    expect(kept.look()('the-first the-second the-third')).toBe('•••••••• •••••••• the-third')
    expect(kept.look()).toBe(kept.look())
  })
})
