import { describe, expect, it } from 'vitest'

import { typedHandshake, typedInstallSlots, typedRegistryUrl } from './setting-rules'

describe('settings as they are typed', () => {
  it('takes a web address without the slash at its end and refuses other schemes', () => {
    expect(typedRegistryUrl(' http://127.0.0.1:8080/ ')).toEqual({
      change: { registryUrl: 'http://127.0.0.1:8080' },
    })
    for (const bad of ['', 'registry', 'file:///etc', 'javascript:alert(1)'])
      expect(typedRegistryUrl(bad)).toHaveProperty('problem')
  })

  it('takes 1 to 16 install slots', () => {
    expect(typedInstallSlots('16')).toEqual({ change: { installSlots: 16 } })
    for (const bad of ['', '0', '17', '1.5', '-1', '1e1'])
      expect(typedInstallSlots(bad)).toHaveProperty('problem')
  })

  it('takes seconds and keeps milliseconds', () => {
    expect(typedHandshake('1.5')).toEqual({ change: { handshakeMs: 1500 } })
    for (const bad of ['', '0.4', '601', 'x', '1e2'])
      expect(typedHandshake(bad)).toHaveProperty('problem')
  })
})
