import { describe, expect, it } from 'vitest'

import { registryStatusMessage } from './registry-messages'

describe('D2 what a registry has against an entry, in words', () => {
  it('says for each standing what happened and what to do, and ends with the words of the registry', () => {
    const all = (['deleted', 'unlisted', 'deprecated'] as const).map((status) =>
      registryStatusMessage({ status }),
    )
    expect(all.map(({ title }) => title)).toEqual([
      'The registry deleted this server.',
      'The registry no longer lists this server.',
      'The publisher no longer maintains this server.',
    ])
    for (const { text } of all) expect(text).toMatch(/^[A-Z].*\.$/u)
    const { text } = registryStatusMessage({
      status: 'deprecated',
      statusMessage: 'Use the other.',
    })
    expect(text).toBe('The server still works but gets no fixes. Message: “Use the other.”')
  })
})
