import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { checkPath } from './check-path'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-path-'))
const file = join(folder, 'a file.txt')
writeFileSync(file, '')
afterAll(() => rmSync(folder, { recursive: true }))

describe('A3: the check of a typed path', () => {
  it.each([
    ['folder', folder],
    ['file', file],
    ['missing', join(folder, 'no such')],
    ['missing', join(file, 'below a file')],
    ['unknown', 'relative'],
    ['unknown', '~/notes'],
    ['unknown', ''],
    ['unknown', `${folder}\0`],
    ['unknown', `/${'x'.repeat(5_000)}`],
  ])('returns %s for %j', async (kind, path) => {
    expect(await checkPath(path)).toBe(kind)
  })

  it.skipIf(process.platform === 'win32')(
    'returns unknown for anything that is neither file nor folder',
    async () => {
      expect(await checkPath('/dev/null')).toBe('unknown')
    },
  )

  it('accesses no other computer on Windows', async () => {
    expect(await checkPath(String.raw`\\server\share`, 'win32')).toBe('unknown')
    expect(await checkPath('//server/share', 'win32')).toBe('unknown')
  })
})
