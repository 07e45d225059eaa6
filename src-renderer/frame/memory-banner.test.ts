import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { MemoryBanner } from './app-shell'

const inMemory = {
  kind: 'memory',
  reason: 'The keychain can’t be used.',
  fix: 'Check that it runs.',
  systemMessage: 'Cannot autolaunch D-Bus without X11 $DISPLAY',
} as const

const textOf = (opened: boolean): string =>
  renderToStaticMarkup(createElement(MemoryBanner, { inMemory, opened })).replaceAll(
    /<[^>]*>/gu,
    '',
  )

describe('A2: the notice on a missing keychain', () => {
  it('is one sentence that also says what keeps secrets anyway', () => {
    expect(textOf(false)).toBe(
      'Keychain unavailable. Secrets are kept in memory until you quit. DetailsKeep in an encrypted file',
    )
  })

  it("shows the cause, the fix and the system's message on demand", () => {
    const text = textOf(true)
    expect(text).toContain('The keychain can’t be used. Check that it runs.')
    expect(text).toContain(`System error: ${inMemory.systemMessage}`)
  })
})
