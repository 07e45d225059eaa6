import { describe, expect, it } from 'vitest'

import { offerId } from './offer'
import { parseServerJson } from './parse-server-json'
import { type Machine, preferredOffer } from './preferred-offer'

const LINUX: Machine = { platform: 'linux', arch: 'x64' }

function chosen(parts: object, machine: Machine = LINUX): string | undefined {
  const { server } = parseServerJson({ name: 'a/b', version: '1', ...parts })
  const offer = preferredOffer(server, machine)
  return offer && offerId(offer)
}

const npm = { registryType: 'npm', identifier: 'thing' }
const pypi = { registryType: 'pypi', identifier: 'thing' }
const http = { ...npm, transport: { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp' } }
const remote = { type: 'streamable-http', url: 'https://h.example/mcp' }
const bundle = (file: string, runtimeHint?: string) => ({
  registryType: 'mcpb',
  identifier: `https://h.example/releases/v1/${file}`,
  runtimeHint,
})

describe('A3: the proposed offer', () => {
  it.each<[string, object, string | undefined]>([
    ['the first package of equals', { packages: [npm, pypi] }, 'package-0'],
    ['a package before a remote', { packages: [npm], remotes: [remote] }, 'package-0'],
    ['stdio before HTTP', { packages: [http, pypi] }, 'package-1'],
    [
      'a package that serves HTTP before a remote',
      { packages: [http], remotes: [remote] },
      'package-0',
    ],
    [
      'a remote before a package that does not say where it serves HTTP',
      { packages: [{ ...http, transport: { type: 'sse' } }], remotes: [remote] },
      'remote-0',
    ],
    ['streamable HTTP before SSE', { remotes: [{ ...remote, type: 'sse' }, remote] }, 'remote-1'],
    [
      'a remote before a kind that nothing starts',
      { packages: [{ ...npm, registryType: 'constructor' }], remotes: [remote] },
      'remote-0',
    ],
    [
      'what there is, even of an unknown kind',
      { packages: [{ ...npm, registryType: 'x' }] },
      'package-0',
    ],
    ['none of a server without offers', {}, undefined],
  ])('is %s', (_what, parts, expected) => {
    expect(chosen(parts)).toBe(expected)
  })

  it('has a runner that is installed', () => {
    const machine = { ...LINUX, runners: ['uvx'] }
    expect(chosen({ packages: [npm, pypi] }, machine)).toBe('package-1')
    expect(chosen({ packages: [npm], remotes: [remote] }, machine)).toBe('package-0')
  })
})

describe('A3: several bundles', () => {
  const files = [
    ...[
      'tool_1.6.9_windows_amd64.mcpb',
      'tool_1.6.9_darwin_amd64.mcpb',
      'tool_1.6.9_darwin_arm64.mcpb',
    ],
    ...['tool_1.6.9_linux_amd64.mcpb', 'tool_1.6.9_linux_arm64.mcpb'],
  ]
  const packages = files.map((file) => bundle(file))

  it.each<[string, string, string]>([
    ['win32', 'x64', 'package-0'],
    ['darwin', 'x64', 'package-1'],
    ['darwin', 'arm64', 'package-2'],
    ['linux', 'x64', 'package-3'],
    ['linux', 'arm64', 'package-4'],
  ])('propose the one for this computer: %s %s', (platform, arch, expected) => {
    expect(chosen({ packages }, { platform, arch })).toBe(expected)
  })

  it('prefer one without a platform to one of another platform', () => {
    expect(chosen({ packages: [bundle('tool-darwin.mcpb'), bundle('tool.mcpb')] })).toBe(
      'package-1',
    )
  })

  it('are less preferred than a remote if they are for another computer', () => {
    expect(chosen({ packages: [bundle('tool.exe')], remotes: [remote] })).toBe('remote-0')
  })

  it('include Intel ones for a Mac with an Apple chip if there is no better one', () => {
    const mac = { platform: 'darwin', arch: 'arm64' }
    expect(chosen({ packages: [bundle('a-linux.mcpb'), bundle('a-macos-x86_64.mcpb')] }, mac)).toBe(
      'package-1',
    )
  })

  it('use the platform hint if the file name has none', () => {
    const hinted = [bundle('server', 'darwin-arm64'), bundle('server', 'linux-amd64')]
    expect(chosen({ packages: hinted })).toBe('package-1')
  })

  it('ignore a word that merely contains the name of a system', () => {
    expect(chosen({ packages: [bundle('winner-darwinian.mcpb'), npm] })).toBe('package-0')
  })
})
