import { fileURLToPath } from 'node:url'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { rootsOf } from './roots'
import { ElicitationLimits } from './server-requests'

describe('E1: the elicitations of one server', () => {
  it('are limited to five at a time and thirty per minute, in any order', () => {
    const step = fc.record({ isEnd: fc.boolean(), ms: fc.nat(3_000) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 200 }), (steps) => {
        let now = 0
        const limits = new ElicitationLimits(undefined, () => now)
        const open: Disposable[] = []
        const given: number[] = []
        for (const { isEnd, ms } of steps) {
          now += ms
          const recent = given.filter((at) => at > now - 60_000).length
          if (isEnd) {
            const slot = open.shift()
            slot?.[Symbol.dispose]()
            slot?.[Symbol.dispose]()
            continue
          }
          const slot = limits.acquire()
          expect(slot !== undefined).toBe(open.length < 5 && recent < 30)
          if (!slot) continue
          open.push(slot)
          given.push(now)
        }
      }),
    )
  })
})

describe('E1: folders as roots', () => {
  it.each<[isWindows: boolean, folder: string, uri: string, name: string]>([
    [false, '/a#b/c?d/é%20', 'file:///a%23b/c%3Fd/%C3%A9%2520', 'é%20'],
    [false, '/', 'file:///', '/'],
    [true, 'C:\\Users\\Ann\\my work', 'file:///C:/Users/Ann/my%20work', 'my work'],
    [true, '\\\\nas\\share\\x', 'file://nas/share/x', 'x'],
  ])('are file URLs with names (Windows: %j): %s', (isWindows, folder, uri, name) => {
    expect(rootsOf([folder], isWindows)).toEqual([{ uri, name }])
  })

  it('lead back to the same folder, whatever its name', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((one) => !/[/\0]/u.test(one) && one !== '.' && one !== '..' && one.isWellFormed())
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const path = `/${names.join('/')}`
        const [root] = rootsOf([path], false)
        expect(fileURLToPath(root?.uri ?? '', { windows: false })).toBe(path)
        expect(root?.name).toBe(names.at(-1))
      }),
    )
  })
})
