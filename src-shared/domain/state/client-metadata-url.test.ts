import { describe, expect, it } from 'vitest'

import { isClientMetadataUrl, Settings, SettingsChange } from './settings'

describe('C10: the address of a client metadata document', () => {
  it.each(['https://example.test/client.json', 'https://example.test:8443/a/b?c=d'])(
    'can be %s',
    (text) => {
      expect(isClientMetadataUrl(text)).toBe(true)
      expect(SettingsChange.parse({ clientMetadataUrl: text })).toEqual({ clientMetadataUrl: text })
    },
  )

  it.each([
    ['client.json', 'no address'],
    ['http://example.test/client.json', 'no https'],
    ['https://example.test', 'without a path'],
    ['https://example.test/', 'without a path'],
    ['https://me:secret@example.test/client.json', 'with a password'],
    ['https://example.test/client.json#a', 'with a fragment'],
    ['https://example.test/client.json#', 'with an empty fragment'],
    ['https://example.test/a/../client.json', 'with steps in its path'],
    ['https://EXAMPLE.test/client.json', 'written otherwise than it is read'],
  ])('cannot be %s, because it is %s', (text) => {
    expect(isClientMetadataUrl(text)).toBe(false)
    expect(SettingsChange.safeParse({ clientMetadataUrl: text }).success).toBe(false)
  })

  it('is empty by default, and can be cleared', () => {
    expect(Settings.parse({}).clientMetadataUrl).toBe('')
    expect(SettingsChange.parse({ clientMetadataUrl: '' })).toEqual({ clientMetadataUrl: '' })
  })
})
