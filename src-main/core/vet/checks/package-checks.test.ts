import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { TinyComputer } from '../../../../e2e/fixtures/tiny-computer'
import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import type { CheckOutcome, RunContext, VetEntry } from '../check'
import { PACKAGE_CHECKS } from './package-checks'

const DIST = { attestations: { url: 'https://registry.example/-/npm/v1/attestations/weather' } }
const BEFORE = {
  ...{ version: '1.0.0', _npmUser: 'ada <ada@example.com>', maintainers: ['ada <a@b.c>'] },
  dist: DIST,
}
const NOW = { ...BEFORE, version: '1.1.0' }

let computer: TinyComputer
beforeEach(() => {
  computer = new TinyComputer()
})
afterEach(() => computer[Symbol.dispose]())

type Broken = {
  readonly pkg?: object
  readonly entry?: Partial<VetEntry>
  /** Of the installed packages, next to the server. */
  readonly lock?: object
  readonly audit?: object
  readonly versions?: readonly object[]
}

/** The context of an npx package with an npm that answers from files; valid unless something is broken. */
function contextOf({ pkg, entry, lock, audit, versions }: Broken): RunContext {
  const { home } = computer
  const folder = join(home, 'cache/_npx/0123456789abcdef')
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const write = (path: string, content: unknown): void =>
    writeFileSync(path, JSON.stringify(content))
  write(join(folder, 'package.json'), { _npx: { packages: ['weather@1.1.0'] } })
  const packages = { 'node_modules/weather': {}, ...lock }
  write(join(folder, 'node_modules/.package-lock.json'), { packages })
  write(join(home, 'audit'), audit ?? { vulnerabilities: {} })
  write(join(home, 'time'), { '1.0.0': '2026-01-01', '1.1.0': '2026-02-01', created: '2026-01-15' })
  write(join(home, 'versions'), versions ?? [BEFORE, NOW])
  computer.program(
    'npm',
    `echo "$*" >> ${home}/asked
    case "$*" in *silent*) ;; *) echo 'npm warn deprecated' >&2 ;; esac
    case "$*" in
      config*) echo ${home}/cache ;;
      audit*) cat ${home}/audit ;;
      view*time*) cat ${home}/time ;;
      view*) cat ${home}/versions ;;
    esac`,
  )
  const { server, notices } = parseServerJson({
    ...{ name: 'io.example/weather', description: 'Weather.', version: '1.1.0' },
    packages: [
      {
        ...{ registryType: 'npm', identifier: 'weather', version: '1.1.0' },
        transport: { type: 'stdio' },
        ...pkg,
      },
    ],
  })
  const [first] = server.packages
  if (!first) throw new Error('no package')
  const place = {
    ...{ entry: { runner: 'npx', packages: ['weather@1.1.0'] }, cwd: home },
    ...{ runner: join(computer.bin, 'npx'), env: { PATH: '/usr/bin:/bin' } },
  }
  return {
    entry: {
      ...{ server, notices, offer: { kind: 'package', pkg: first }, isListed: true },
      ...{ required: [], secrets: [], ...entry },
    },
    run: { launch: { kind: 'command', copy: { place } } },
    signal: new AbortController().signal,
  } as unknown as RunContext
}

/** All checks that didn't pass, as "should package.version". */
async function outcomes(broken: Broken): Promise<string[]> {
  const context = contextOf(broken)
  const all: [string, CheckOutcome][] = []
  for (const check of PACKAGE_CHECKS) all.push([check.id, await check.run(context)])
  return all.flatMap(([id, outcome]) => {
    if (outcome.kind === 'passed') return []
    if (outcome.kind === 'notChecked') return [`${id}: ${outcome.reason}`]
    return outcome.findings.map(({ message }) => `${id}: ${message}`)
  })
}

/** Why a version range can't be compared with the previous version. */
const NO_VERSION = 'The package is not pinned to one version.'
const PERSON = { ...NOW, dist: {}, _npmUser: 'eve <eve@example.com>' }

describe.skipIf(process.platform === 'win32')('E14: package checks', () => {
  it('pass for a valid entry, version and packages', async () => {
    expect(await outcomes({})).toEqual([])
  })

  it.each<[string, Broken, string]>([
    [
      'a part of the entry that clients ignore',
      { pkg: { packageArguments: [{ type: 'odd', value: 'a' }] } },
      'package.entry: packages[0].packageArguments[0]',
    ],
    [
      'a range of versions',
      { pkg: { version: '^1.1.0' } },
      'package.version: weather is not pinned (^1.1.0)',
    ],
    [
      'a script that runs at the install',
      { lock: { 'node_modules/a/node_modules/protobufjs': { hasInstallScript: true } } },
      'package.install-scripts: 1 of 2 packages runs a script when installed: protobufjs.',
    ],
    [
      'a known vulnerability',
      {
        audit: {
          vulnerabilities: {
            minimist: { name: 'minimist', severity: 'high', range: '<1', via: [{ title: 'Flaw' }] },
            // Vulnerable only through the other.
            mkdirp: { name: 'mkdirp', severity: 'high', via: ['minimist'] },
          },
        },
      },
      'package.advisories: minimist <1 has a known vulnerability (high).',
    ],
    [
      'lost provenance',
      { versions: [BEFORE, { ...NOW, dist: {} }] },
      'package.publishing: 1.1.0 has no provenance, although 1.0.0 has it',
    ],
    [
      'an unknown publisher',
      { versions: [{ ...BEFORE, dist: {} }, PERSON] },
      'package.publishing: 1.1.0 was published by eve, who was no maintainer of 1.0.0.',
    ],
  ])('report exactly one row for %s', async (_what, broken, expected) => {
    const rows = await outcomes(broken)
    expect(rows.filter((one) => !one.endsWith(NO_VERSION))).toEqual([
      expect.stringContaining(expected),
    ])
  })

  it.each<[string, Broken]>([
    [
      'a maintainer of the version before',
      {
        versions: [
          { ...BEFORE, dist: {}, _npmUser: 'bob' },
          { ...NOW, dist: {} },
        ],
      },
    ],
    ['a workflow with provenance', { versions: [BEFORE, { ...PERSON, dist: DIST }] }],
  ])('report nothing for a version published by %s', async (_what, broken) => {
    expect(await outcomes(broken)).toEqual([])
  })

  it("say why if a registry doesn't name publishers or there is no entry", async () => {
    const bare = { maintainers: [], dist: {} }
    const versions = ['1.0.0', '1.1.0'].map((version) => ({ version, ...bare }))
    expect(await outcomes({ versions, entry: { isListed: false } })).toEqual([
      'package.entry: The server has no registry entry.',
      'package.version: The command is yours.',
      'package.publishing: The registry doesn’t say who published the versions.',
    ])
  })

  it("ask the package's own registry, and say so if it doesn't answer", async () => {
    const context = contextOf({
      pkg: { registryBaseUrl: 'https://npm.acme.example' },
      audit: { error: { code: 'ENOAUDIT' } },
    })
    const check = PACKAGE_CHECKS.find(({ id }) => id === 'package.advisories')
    await expect(async () => check?.run(context)).rejects.toThrow('npm audit has no answer')
    expect(readFileSync(join(computer.home, 'asked'), 'utf8')).toContain(
      'audit --omit=dev --json --loglevel=silent --registry=https://npm.acme.example',
    )
  })
})
