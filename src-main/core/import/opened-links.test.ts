import { describe, expect, it } from 'vitest'

import { OpenedLinks } from './opened-links'

describe('D8: the link that opened the app', () => {
  it('is the newest one, and is kept until the user has handled it', () => {
    const links = new OpenedLinks()
    let reported = 0
    links.onDidChange(() => (reported += 1))
    links.open({ kind: 'link', text: 'patchbay://install?name=a' })
    const first = links.link?.linkId ?? ''
    links.open({ kind: 'link', text: 'patchbay://install?name=b' })
    links.drop(first)
    expect(links.link?.text).toBe('patchbay://install?name=b')
    links.drop(links.link?.linkId ?? '')
    expect(links.link).toBeNull()
    expect(reported).toBe(3)
  })

  it('is limited to the length of a link', () => {
    const links = new OpenedLinks()
    links.open({ kind: 'link', text: `patchbay://${'a'.repeat(1_000_000)}` })
    expect(links.link?.text.length).toBe(100_001)
  })
})
