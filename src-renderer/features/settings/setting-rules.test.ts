import { describe, expect, it } from 'vitest'

import { typedRegistryUrl, typedSeconds, typedWhole } from './setting-rules'

describe('settings as they are typed', () => {
  it('takes a web address without the slash at its end and refuses other schemes', () => {
    expect(typedRegistryUrl(' http://127.0.0.1:8080/ ')).toEqual({
      change: { registryUrl: 'http://127.0.0.1:8080' },
    })
    for (const bad of ['', 'registry', 'file:///etc', 'javascript:alert(1)'])
      expect(typedRegistryUrl(bad)).toHaveProperty('problem')
  })

  it('takes whole numbers in their range', () => {
    const typedSlots = typedWhole('installSlots')
    expect(typedSlots('16')).toEqual({ change: { installSlots: 16 } })
    for (const bad of ['', '0', '17', '1.5', '-1', '1e1'])
      expect(typedSlots(bad)).toEqual({ problem: 'Enter a whole number from 1 to 16.' })
  })

  it('takes seconds and keeps milliseconds', () => {
    const typedHandshake = typedSeconds('handshakeMs')
    expect(typedHandshake('1.5')).toEqual({ change: { handshakeMs: 1500 } })
    for (const bad of ['', '0.4', '601', 'x', '1e2'])
      expect(typedHandshake(bad)).toEqual({ problem: 'Enter seconds from 0.5 to 600.' })
  })
})
