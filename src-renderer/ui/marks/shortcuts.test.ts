import { describe, expect, it } from 'vitest'

import { ariaKeys, capsFor, isSingleKey, type KeyPress, shortcutOf, SHORTCUTS } from './shortcuts'

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }
}
const here = { isAfterG: false, isMac: false }
const mac = { isAfterG: false, isMac: true }
const afterG = { isAfterG: true, isMac: false }

describe('a shortcut', () => {
  it('matches with Ctrl, on a Mac with Cmd, and with no additional modifier', () => {
    expect(shortcutOf(press('k', { ctrlKey: true }), here)?.id).toBe('palette')
    expect(shortcutOf(press('k', { metaKey: true }), mac)?.id).toBe('palette')
    expect(shortcutOf(press('k', { metaKey: true }), here)).toBeUndefined()
    expect(shortcutOf(press('k', { ctrlKey: true }), mac)).toBeUndefined()
    expect(shortcutOf(press('k', { ctrlKey: true, altKey: true }), here)).toBeUndefined()
    expect(shortcutOf(press('k'), here)).toBeUndefined()
  })

  it('for a sign matches whether or not the keyboard needs Shift for it', () => {
    expect(shortcutOf(press('?', { shiftKey: true }), here)?.id).toBe('shortcuts')
    expect(shortcutOf(press('/', { shiftKey: true }), here)?.id).toBe('search')
    expect(shortcutOf(press('/'), here)?.id).toBe('search')
  })

  it('for a letter requires its modifiers: Shift, or G before it', () => {
    expect(shortcutOf(press('S', { shiftKey: true }), here)?.id).toBe('run')
    expect(shortcutOf(press('s'), here)).toBeUndefined()
    expect(shortcutOf(press('s'), afterG)?.id).toBe('servers')
    expect(shortcutOf(press('S', { shiftKey: true }), afterG)).toBeUndefined()
    expect(shortcutOf(press('/'), afterG)).toBeUndefined()
  })

  it('for a single letter or sign differs from those with Ctrl, Cmd or Alt and from Esc', () => {
    const single = SHORTCUTS.filter(isSingleKey).map(({ id }) => id)
    expect(single).toEqual(expect.arrayContaining(['shortcuts', 'search', 'home', 'run', 'log']))
    for (const id of ['palette', 'settings', 'back', 'forward', 'up'])
      expect(single).not.toContain(id)
  })

  it('is shown with the caps of its keyboard and named for screen readers', () => {
    expect(capsFor('palette', false)).toEqual(['Ctrl', 'K'])
    expect(capsFor('palette', true)).toEqual(['⌘', 'K'])
    expect(capsFor('back', false)).toEqual(['Alt', '←'])
    expect(capsFor('log', false)).toEqual(['G', 'then', 'L'])
    expect(capsFor('restart', true)).toEqual(['⇧', 'R'])
    expect(ariaKeys('palette', false)).toBe('Control+K')
    expect(ariaKeys('palette', true)).toBe('Meta+K')
    expect(ariaKeys('log', false)).toBeUndefined()
  })

  it('has unique keys', () => {
    const keys = SHORTCUTS.map(({ press: { key, mod, shift, alt, after } }) =>
      [after, mod, alt, shift, key].join(' '),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})
