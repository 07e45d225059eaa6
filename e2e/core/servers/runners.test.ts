import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { FakeDocker } from '../../fixtures/fake-docker'
import { openHarness } from '../../fixtures/open-harness'
import { pythonServer } from '../../fixtures/python-server'
import { tempFolder } from '../../fixtures/temp-folder'
import { computerOnPath, type TinyComputer } from '../../fixtures/tiny-computer'

const PLAIN = join(import.meta.dirname, '../../servers/plain.mjs')
let computer: TinyComputer

const server = pythonServer([
  { name: 'API_KEY', isSecret: true },
  { name: 'UV_INDEX_CORP_PASSWORD', isSecret: true },
])
const values = { env_API_KEY: 'key-of-mine', env_UV_INDEX_CORP_PASSWORD: 'index-of-mine' }

beforeEach(() => {
  computer = computerOnPath()
  computer.program(
    'uvx',
    `case "$*" in
      *python*-c*) env > ${computer.home}/install-env; pwd > ${computer.home}/install-folder ;;
      *) env > ${computer.home}/start-env; pwd > ${computer.home}/start-folder; exec node ${PLAIN} ;;
    esac`,
  )
})

const read = (name: string): string => readFileSync(join(computer.home, name), 'utf8')

describe.skipIf(process.platform === 'win32')("A7: a runner's environment", () => {
  it("contains what the download needs, not the server's secrets", async () => {
    const harness = openHarness()
    await harness.until(await harness.install(server, { values }), 'ready')
    expect(read('install-env')).toContain('index-of-mine')
    expect(read('install-env')).not.toContain('key-of-mine')
    expect(read('start-env')).toContain('index-of-mine')
    expect(read('start-env')).toContain('key-of-mine')
  })
})

describe.skipIf(process.platform === 'win32')('A8: a docker that is still starting', () => {
  it('is awaited, and the server starts once it is up', async () => {
    const docker = new FakeDocker()
    onTestFinished(() => docker[Symbol.dispose]())
    docker.startsAfter(2)
    process.env.PATH = [docker.bin, process.env.PATH].join(delimiter)
    const harness = openHarness()
    await harness.call('settings.update', { firstWaitMs: 100 })
    const transport = { type: 'stdio' }
    const id = await harness.installReady({
      ...{ name: 'acme/plain', title: 'Plain', description: 'Plain.', version: '1.0.0' },
      packages: [{ registryType: 'oci', identifier: 'fixture/plain.mjs', transport }],
    })
    expect((await harness.log(id)).join('\n')).toMatch(
      /not running.*attempt 2.*not running.*attempt 3/su,
    )
  })
})

describe.skipIf(process.platform === 'win32')("D3: a server's working folder", () => {
  it('is part of the approval, and changes only with a new one', async () => {
    const harness = openHarness()
    const folder = realpathSync(tempFolder('folder'))
    const id = await harness.installReady(server, { values })
    const draft = { installationId: id, name: 'Notes', values, budgets: {} }
    await harness.call('installation.update', { ...draft, cwd: folder })
    await harness.call('server.restart', { installationId: id })
    const rejected = await harness.until(id, 'error')
    expect(rejected.status).toMatchObject({ code: 'CONSENT_REQUIRED' })
    const of = { installationId: id }
    const preview = await harness.call('launch.preview', { of, values, cwd: folder })
    expect(preview).toMatchObject({ cwd: folder })
    const { planHash } = preview
    await harness.call('installation.update', { ...draft, cwd: folder, approvedPlan: planHash })
    await harness.call('server.start', { installationId: id })
    await harness.until(id, 'ready')
    expect(read('start-folder').trim()).toBe(folder)
  })

  it('is an absolute path, and need not exist yet', async () => {
    const harness = openHarness()
    const id = await harness.install(server, { values })
    const draft = { installationId: id, name: 'Notes', values, budgets: {} }
    const relative = harness.call('installation.update', { ...draft, cwd: 'notes' })
    await expect(relative).rejects.toMatchObject({ code: 'INVALID_VALUES' })
    const missing = join(computer.home, 'later')
    const { warnings } = await harness.call('launch.preview', {
      of: { installationId: id },
      values,
      cwd: missing,
    })
    expect(warnings).toContainEqual(expect.stringContaining(`${missing} doesn’t exist`))
  })
})

describe('A8: a requested setup', () => {
  it('with an unknown id is rejected, and changes nothing', async () => {
    const harness = openHarness()
    const id = await harness.installReady(server, { values })
    const startOptions = harness.call('runner.setUp', {
      installationId: id,
      setupId: '../../bin/sh',
    })
    await expect(startOptions).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await harness.view(id)).status.kind).toBe('ready')
  })

  it.skipIf(process.platform === 'win32')('of a running server is rejected', async () => {
    computer.program('pipx', `touch ${computer.home}/setup`)
    const harness = openHarness()
    const id = await harness.installReady(server, { values })
    const startOptions = harness.call('runner.setUp', { installationId: id, setupId: 'uv-pipx' })
    await expect(startOptions).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The server is running.',
    })
    expect(existsSync(join(computer.home, 'setup'))).toBe(false)
  })
})
