import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, test } from 'vitest'

import { Settings, SettingsChange } from './settings'

test('a change contains only the named settings, so that the others stay unchanged', () => {
  expect(SettingsChange.parse({ theme: 'dark' })).toEqual({ theme: 'dark' })
  expect(SettingsChange.parse({})).toEqual({})
})

test('a change can name every setting, but not redirect the token of a registry or the password of a proxy', () => {
  const { registries, proxyPasswordId, ...others } = Settings.shape
  expect(Object.keys(SettingsChange.shape)).toEqual(Object.keys(others))
  const kept = { registries: registries.parse([]), proxyPasswordId: proxyPasswordId.parse('') }
  expect(SettingsChange.parse(kept)).toEqual({})
})

test('a change is validated by the rules of the settings', () => {
  expect(SettingsChange.safeParse({ registryUrl: 'file:///etc' }).success).toBe(false)
  expect(SettingsChange.safeParse({ installSlots: 17 }).success).toBe(false)
})

describe('A2: the settings file', () => {
  it("has the keys and defaults that docs/settings.md lists: another name would lose the user's choice", () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/settings.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (?:`(.*?)`|[^|]*) +\|/gmu)]
    const defaults = Settings.parse({})
    expect(rows.map(([, key]) => key)).toEqual(Object.keys(defaults))
    for (const [, key = '', written] of rows)
      if (written !== undefined)
        expect([key, defaults[key as keyof Settings]]).toEqual([key, JSON.parse(written)])
  })
})
