import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { node, PLAIN, TestServers, untilKind } from '../../../e2e/fixtures/test-servers'
import { PackageInstaller } from '../launch/downloads/package-installer'
import type { ChildSpec } from '../process/spawn/child-process'
import type { CopyOfStart } from './start/launch'

let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

/** Starts a daemon that holds the pipes but is no longer recognizable as a child (Linux; elsewhere only the server). */
function withDaemon(): ChildSpec {
  if (process.platform !== 'linux') return node(PLAIN)
  const pidFile = join(tempFolder('daemon'), 'pid')
  onTestFinished(() => void process.kill(Number(readFileSync(pidFile, 'utf8'))))
  const daemon = `setsid env -i sh -c 'sleep 100 & echo $! > ${pidFile}'`
  const starts = `require('child_process').execSync(${JSON.stringify(daemon)}, { stdio: 'inherit' })`
  return node('-e', `${starts}; import(${JSON.stringify(pathToFileURL(PLAIN).href)})`)
}

/** Creates an npx cache with a copy, and an npm that names the cache. */
function plantCopy(name: string): { readonly copy: CopyOfStart; readonly folder: string } {
  const cache = join(supervisors.dir, 'cache')
  const folder = join(cache, '_npx', '0000000000000001')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ _npx: { packages: ['notes'] } }))
  writeFileSync(join(supervisors.dir, 'npm'), `#!/bin/sh\necho '${cache}'\n`, { mode: 0o755 })
  const place = {
    runner: join(supervisors.dir, 'npx'),
    env: {},
    entry: { runner: 'npx', packages: ['notes'] } as const,
  }
  return { folder, copy: { place, user: { installationId: name, name } } }
}

// npm is a shell script here.
describe.skipIf(process.platform === 'win32')('E7: a repair', () => {
  it('is a phase of the start, after which the package is fetched again', async () => {
    const { copy, folder } = plantCopy('Notes')
    const install = node('-e', 'console.log("fetched")')
    const { server, lines } = supervisors.open({ copy, install })
    server.start()
    await untilKind(server, 'ready')
    await server.stop()
    server.start({ repairs: true })
    await untilKind(server, 'ready')
    expect(existsSync(folder)).toBe(false)
    expect(server.phases.map(({ phase, outcome }) => `${phase} ${outcome}`)).toEqual([
      ...['resolve done', 'repair done', 'install done'],
      ...['spawn done', 'handshake done', 'discover done'],
    ])
    expect(lines().filter((line) => line === 'fetched').length).toBe(2)
    expect(lines().join('\n')).toContain(`package copy of npx: ${folder}`)
  })

  it('waits for another server that runs from the same copy, even if a daemon holds its pipes', async () => {
    const installer = new PackageInstaller(2)
    const { copy, folder } = plantCopy('Notes')
    const { copy: same } = plantCopy('Work notes')
    const other = supervisors.open({ installer, copy: same, spec: withDaemon() }).server
    other.start()
    await untilKind(other, 'ready')
    const { server } = supervisors.open({ installer, copy })
    server.start({ repairs: true })
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({
      code: 'REPAIR_FAILED',
      message: 'Not repaired. The same package copy is in use by Work notes.',
    })
    expect(existsSync(folder)).toBe(true)
    await other.stop()
    server.start({ repairs: true })
    await untilKind(server, 'ready')
    expect(existsSync(folder)).toBe(false)
  })

  it('is rejected while its server runs or if the copy is unknown', async () => {
    const { copy, folder } = plantCopy('Notes')
    const { server } = supervisors.open({ copy })
    server.start()
    await untilKind(server, 'ready')
    expect(server.start({ repairs: true })).toBe(false)
    expect(existsSync(folder)).toBe(true)
    const unknown = supervisors.open({}).server
    unknown.start({ repairs: true })
    await untilKind(unknown, 'error')
    expect(unknown.status).toMatchObject({ code: 'REPAIR_FAILED' })
  })
})
