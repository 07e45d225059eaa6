import { describe, expect, it } from 'vitest'

import { installedText, progressShare, progressText, sizeText, sourceOf } from './opening-view'

const MB = 1024 * 1024

describe('texts of opening a bundle', () => {
  it('show the known progress', () => {
    const reading = { kind: 'reading', received: 2 * MB, total: 4 * MB } as const
    expect(progressText(reading, 'Downloading')).toBe('Downloading: 2.0 MB of 4.0 MB')
    expect(progressText({ kind: 'reading', received: 5 }, 'Reading')).toBe('Reading: 5 bytes')
    expect(progressText(null, 'Reading')).toBe('Reading…')
    expect(progressText({ kind: 'waiting' }, 'Reading')).toBe('Waiting for another bundle')
    expect(progressText({ kind: 'unpacking', files: 1_200, total: 30_000 }, 'Reading')).toBe(
      'Unpacking: 1,200 of 30,000 files',
    )
  })

  it('limit the share to the range from 0 to 1', () => {
    expect(progressShare({ kind: 'reading', received: 1, total: 4 })).toBe(0.25)
    expect(progressShare({ kind: 'reading', received: 9, total: 4 })).toBe(1)
    expect(progressShare({ kind: 'reading', received: 9, total: 0 })).toBeUndefined()
    expect(progressShare({ kind: 'reading', received: 9 })).toBeUndefined()
    expect(progressShare({ kind: 'unpacking', files: 1, total: 2 })).toBe(0.5)
    expect(progressShare({ kind: 'waiting' })).toBeUndefined()
    expect(progressShare(null)).toBeUndefined()
  })

  it('show the sizes of a bundle', () => {
    const sizes = { fileBytes: 3 * MB, files: 1, bytes: 9 * MB }
    const rest = { entryId: '', title: '', name: '', version: '', description: '', installed: [] }
    const bundle = { ...rest, ...sizes, sha256: '', isVerified: true, notices: [] }
    expect(sizeText(bundle)).toBe('3.0 MB, unpacked 9.0 MB in 1 file')
    expect(sizeText({ ...bundle, files: 1_200 })).toMatch(/in 1,200 files$/)
  })

  it('compare the installed version with the opened file', () => {
    const one = { installationId: 'a', name: 'Mine', version: '1.0.0', step: 'newer' } as const
    expect(installedText(one, '2.0.0')).toBe('Mine uses version 1.0.0.')
    expect(installedText({ ...one, step: 'other' }, '0.9.0')).toMatch(/isn’t newer\.$/)
    expect(installedText({ ...one, step: 'other' }, '1.0.0')).toMatch(/of the same version/)
    expect(installedText({ ...one, step: 'same' }, '1.0.0')).toMatch(/exactly this file/)
  })

  it('name the host of a bundle', () => {
    expect(sourceOf('https://code.example:8443/a/b/x.mcpb?y')).toEqual({
      host: 'code.example:8443',
      file: 'x.mcpb',
    })
    expect(sourceOf('no address')).toEqual({ host: 'no address', file: 'no address' })
  })
})
