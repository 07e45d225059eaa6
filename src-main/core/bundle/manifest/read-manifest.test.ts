import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { AppError } from '../../../../src-shared/domain/app-error'
import { parseManifest, readManifest } from './manifest'

describe('unusable manifests', () => {
  it.each([
    ['invalid JSON', '{', /isn’t valid JSON/],
    ['a list', '[]', /doesn’t contain an object/],
    ['no server', '{"name":"a","version":"1"}', /server/],
    ['an unknown type', '{"name":"a","version":"1","server":{"type":"rust"}}', /server\.type/],
    ['no name', '{"version":"1","server":{"type":"node"}}', /name/],
    ['an empty name', '{"name":" ","version":"1","server":{"type":"node"}}', /“name” is empty/],
    ['a NUL', '{"name":"a\\u0000","version":"1","server":{"type":"node"}}', /NUL/],
    [
      'too many arguments',
      JSON.stringify({
        name: 'a',
        version: '1',
        server: { type: 'node', mcp_config: { command: 'x', args: Array(500).fill('a') } },
      }),
      /args/,
    ],
  ])('are rejected: %s', (_, text, message) => {
    expect(() => parseManifest(text)).toThrow(message)
    expect(() => parseManifest(text)).toThrow(AppError)
    // The schema library's wording would mean nothing to a user.
    expect(() => parseManifest(text)).not.toThrow(/Invalid|expected|received|Unexpected/)
  })

  it('are rejected by their size before they are read', async () => {
    const text = '{"name":"a","version":"1","server":{"type":"node"}}'
    const folder = tempFolder('manifest')
    writeFileSync(join(folder, 'manifest.json'), text)
    expect(await readManifest(folder, text.length)).toMatchObject({ name: 'a' })
    await expect(readManifest(folder, text.length - 1)).rejects.toMatchObject({
      code: 'INVALID_BUNDLE',
      message: 'The bundle’s manifest.json is too large.',
    })
  })

  it("don't include old and future versions, byte order marks, and invalid display texts", () => {
    const text = `\uFEFF${JSON.stringify({
      dxt_version: '0.1',
      name: ' a\u202E\nb ',
      version: '1',
      description: 7,
      author: 'me',
      homepage: {},
      compatibility: 'all',
      server: { type: 'node', entry_point: 'x', mcp_config: { command: 'node', args: [1, true] } },
    })}`
    const manifest = parseManifest(text)
    expect(manifest).toMatchObject({ name: 'a b', description: '', server: { type: 'node' } })
    expect(manifest.server.mcp_config?.args).toEqual(['1', 'true'])
  })
})
