import { describe, expect, it } from 'vitest'

import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import type { Machine } from '../../../../src-shared/domain/server-json/preferred-offer'
import { bundleLocation, hostOf, type OfferView, viewsOf, viewToSetUp } from './entry-facts'

const LINUX: Machine = { platform: 'linux', arch: 'x64', runners: ['npx'] }
const npm = { registryType: 'npm', identifier: '@example/notes', version: '1.2.0' }
const pypi = { registryType: 'pypi', identifier: 'notes' }
const remote = { type: 'streamable-http', url: 'https://notes.example/mcp' }
const bundle = (file: string) => ({
  registryType: 'mcpb',
  identifier: `https://downloads.example/v1/${file}`,
})

function views(parts: object, machine = LINUX): OfferView[] {
  return viewsOf(parseServerJson({ name: 'a/b', version: '1', ...parts }).server, machine)
}

/** Returns the only offer of an entry. */
function view(parts: object, machine = LINUX): OfferView {
  const [only] = views(parts, machine)
  if (!only) throw new Error('There is no offer.')
  return only
}

describe('A3: offers of an entry', () => {
  it("start with the recommended best one for this computer, then follow the entry's order", () => {
    const all = views({ packages: [pypi, npm, { ...pypi, identifier: 'b' }], remotes: [remote] })
    expect(all.map(({ id }) => id)).toEqual(['package-1', 'package-0', 'package-2', 'remote-0'])
    expect(all.filter(({ isRecommended }) => isRecommended).map(({ id }) => id)).toEqual([
      'package-1',
    ])
    expect(viewToSetUp(all, undefined)?.id).toBe('package-1')
    expect(viewToSetUp(all, { kind: 'remote', index: 0 })?.id).toBe('remote-0')
  })

  it('fall back to the best one if the chosen one is gone', () => {
    const all = views({ packages: [npm, pypi] })
    expect(viewToSetUp(all, { kind: 'package', index: 9 })?.id).toBe('package-0')
    expect(viewToSetUp([], undefined)).toBeUndefined()
  })

  it('recommend neither a single one nor one that cannot start yet', () => {
    const http = { ...npm, transport: { type: 'sse' } }
    expect(view({ packages: [npm] }).isRecommended).toBe(false)
    const all = views({ packages: [http], remotes: [remote] })
    expect(all.some(({ isRecommended }) => isRecommended)).toBe(false)
    expect(viewToSetUp(all, undefined)?.id).toBe('remote-0')
  })

  it.each<[string, object, string]>([
    ['whose runner is installed', { packages: [npm] }, 'Runs on this computer with npx.'],
    ['whose runner is missing', { packages: [pypi] }, 'Requires uvx, which isn’t installed.'],
    [
      'that is a crate',
      { packages: [{ ...npm, registryType: 'cargo', identifier: 'notes-mcp' }] },
      'Runs on this computer as notes-mcp. Install notes-mcp first.',
    ],
    [
      'that serves HTTP without an address',
      {
        packages: [{ ...npm, transport: { type: 'streamable-http' } }],
      },
      'Can’t connect. The entry uses HTTP without an address.',
    ],
    ['that is remote', { remotes: [remote] }, 'Runs remotely. Requests are sent to its address.'],
    [
      'whose file is for this computer',
      { packages: [bundle('notes-linux-x64.mcpb')] },
      'For this computer: Linux x64.',
    ],
    [
      'whose file is for another system',
      { packages: [bundle('notes-windows.mcpb')] },
      'Made for another system, according to the file name.',
    ],
    [
      'whose file is for any system',
      { packages: [bundle('notes.mcpb')] },
      'Runs on this computer.',
    ],
    [
      'of an unsupported type',
      { packages: [{ ...npm, registryType: 'constructor' }] },
      'Unsupported package type “constructor”.',
    ],
  ])('describe how well one fits %s', (_which, parts, note) => {
    expect(view(parts).note).toBe(note)
  })

  it('can be set up unless their type is unknown', () => {
    expect(view({ packages: [pypi] }).obstacle).toBeUndefined()
    expect(view({ remotes: [remote] }).obstacle).toBeUndefined()
    expect(view({ packages: [bundle('a.exe')] }).obstacle).toBeUndefined()
    expect(view({ packages: [{ ...npm, registryType: 'gem' }] }).obstacle).toMatch(/gem/)
  })

  it('show a package, the file name of a bundle and the address of a remote', () => {
    expect(view({ packages: [npm] })).toMatchObject({
      label: 'npm',
      place: '@example/notes',
      version: '1.2.0',
    })
    expect(view({ packages: [bundle('a%20b.mcpb?x=/y')] }).place).toBe('a%20b.mcpb')
    expect(view({ remotes: [remote] })).toMatchObject({
      label: 'Remote',
      place: 'notes.example/mcp',
      version: 'Streamable HTTP',
    })
  })

  it('escape invisible characters in a name', () => {
    const { place: location } = view({ packages: [{ ...npm, identifier: '@exam\u200bple/notes' }] })
    expect(location).toBe('@exam<U+200B>ple/notes')
  })
})

describe('A1: host of an address', () => {
  it.each<[string, string | undefined]>([
    ['https://notes.example:8443/mcp', 'notes.example:8443'],
    ['https://notes.example@evil.example/mcp', 'evil.example'],
    ['https://nötes.example/', 'xn--ntes-5qa.example'],
    ['https://{tenant}.notes.example/mcp?k={k}', '{tenant}.notes.example'],
    ['https://{user}@evil.example/{path}', 'evil.example'],
    ['https://evil.example\\@notes.example/{path}', 'evil.example'],
    ['{url}', undefined],
    ['{base}/mcp', undefined],
  ])('%s is %s', (url, host) => {
    expect(hostOf({ url })).toBe(host)
  })

  it('is the download host for a bundle', () => {
    expect(bundleLocation('https://downloads.example/v1/notes.mcpb')).toEqual({
      file: 'notes.mcpb',
      host: 'downloads.example',
    })
    expect(bundleLocation('notes')).toEqual({ file: 'notes', host: undefined })
  })
})
