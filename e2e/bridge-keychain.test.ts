import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, describe, expect, it } from 'vitest'

import { loadKeytar } from '../src-main/adapters/keytar-secret-store'
import { missingBus } from '../src-main/bridge/run-bridge'
import { BridgeHost } from './fixtures/bridge-host'
import { builtProgram } from './fixtures/built-program'
import { freePort } from './fixtures/free-port'
import { openHarnessWith } from './fixtures/open-harness'
import { startSecretService } from './fixtures/secret-service'
import { tempFolder } from './fixtures/temp-folder'

// libsecret connects once per process, so this has its own test file.
const SERVICE = 'Patchbay bridge test'
const secretService = await startSecretService()
const LOOKUP = `
import('keytar').then(async ({ default: keytar }) => {
  await keytar.setPassword('${SERVICE}', 'a', 'b')
  process.stdout.write(await keytar.getPassword('${SERVICE}', 'a'))
})`

describe("D6: agents' keys in a real keyring", () => {
  if ('unavailable' in secretService) {
    it.skip(`were not tried: ${secretService.unavailable}`)
    return
  }
  process.env.DBUS_SESSION_BUS_ADDRESS = secretService.env.DBUS_SESSION_BUS_ADDRESS
  const program = builtProgram('e2e/fixtures/bridge-program.ts')
  const hosts: BridgeHost[] = []
  afterEach(() => {
    for (const { child } of hosts.splice(0)) child.kill('SIGKILL')
  })
  afterAll(() => secretService.stop())

  it('are in no file: the bridge reads the key from the keyring, also after it was renewed', async () => {
    const memory = { document: null, secrets: await loadKeytar(SERVICE) }
    const harness = await openHarnessWith({ gatewayPort: await freePort() }, memory)
    const { agentId, key } = await harness.call('agent.add', { name: 'Anna' })
    const gateway = async (): Promise<string> =>
      (await harness.call('app.snapshot', {})).agents.gateway.kind
    await expect.poll(gateway).toBe('open')
    const from = { program: program.file, profileDir: harness.profileDir }
    const start = (id: string): BridgeHost => {
      const env = { PATCHBAY_KEYCHAIN_SERVICE: SERVICE }
      const host = new BridgeHost({ ...from, agentId: id, env })
      hosts.push(host)
      return host
    }
    const host = start(agentId)
    expect(await host.initialize()).toHaveProperty('result.instructions')
    expect(await host.ask('tools/list')).toHaveProperty('result')
    const renewed = await harness.call('agent.renewKey', { agentId })
    expect(renewed).not.toBe(key)
    await expect.poll(async () => (await host.ask('tools/list')).result !== undefined).toBe(true)
    const unknown = await start('bert').initialize()
    expect(unknown.error).toMatchObject({
      message: expect.stringContaining('has no key for agent "bert"') as string,
    })
    expect(hosts.map(({ strays }) => strays)).toEqual([[], []])
  })

  it('are found by a process whose app passes no variables', async () => {
    const folder = tempFolder('bus')
    const address = secretService.env.DBUS_SESSION_BUS_ADDRESS ?? ''
    symlinkSync(/unix:path=([^,]+)/u.exec(address)?.[1] ?? '', join(folder, 'bus'))
    // The variables that Codex passes on.
    const bare = { PATH: process.env.PATH, HOME: folder }
    const lookUp = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const words = ['-e', LOOKUP]
      return (await promisify(execFile)(process.execPath, words, { env, timeout: 30_000 })).stdout
    }
    await expect(lookUp(bare)).rejects.toThrow()
    expect(await lookUp({ ...bare, ...missingBus('linux', bare, folder) })).toBe('b')
  })
})
