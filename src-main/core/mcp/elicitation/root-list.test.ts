import { fileURLToPath } from 'node:url'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { rootList } from './root-list'

describe('Servers ask back: folders as roots', () => {
  it('are file addresses with names', () => {
    expect(rootList(['/home/ann/my work', '/a#b/c?d/é%20', '/'], false)).toEqual([
      { uri: 'file:///home/ann/my%20work', name: 'my work' },
      { uri: 'file:///a%23b/c%3Fd/%C3%A9%2520', name: 'é%20' },
      { uri: 'file:///', name: '/' },
    ])
  })

  it('are those of Windows where its paths are written', () => {
    expect(rootList(['C:\\Users\\Ann\\my work', '\\\\nas\\share\\x'], true)).toEqual([
      { uri: 'file:///C:/Users/Ann/my%20work', name: 'my work' },
      { uri: 'file://nas/share/x', name: 'x' },
    ])
  })

  it('lead back to the same folder, whatever it is called', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((one) => !/[/\0]/u.test(one) && one !== '.' && one !== '..' && one.isWellFormed())
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const path = `/${names.join('/')}`
        const [root] = rootList([path], false)
        expect(fileURLToPath(root?.uri ?? '', { windows: false })).toBe(path)
        expect(root?.name).toBe(names.at(-1))
      }),
    )
  })
})
