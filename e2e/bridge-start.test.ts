import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

import { describe, expect, it } from 'vitest'

import { documentFile } from '../src-main/core/installation/store/document-over-conf'
import { AgentProfile } from '../src-shared/domain/agents/agent'
import { freePort } from './fixtures/free-port'
import { Harness } from './fixtures/harness'
import { isRunning } from './fixtures/is-running'
import { openAgents } from './fixtures/open-agents'

const OUT_DIR = process.env.PATCHBAY_OUT_DIR ?? resolve('out')

/** A profile with the agent Anna, whose app isn't running. */
async function prepare(profileDir: string): Promise<string> {
  const harness = new Harness()
  await harness.call('settings.update', { gatewayPort: await freePort(), catalogUpkeep: false })
  await harness.close()
  writeFileSync(documentFile(profileDir), JSON.stringify(harness.memory.document), { mode: 0o600 })
  return (await openAgents(profileDir).add('Anna', AgentProfile.parse({}))).key
}

function startBridge(profileDir: string, key: string): ChildProcessWithoutNullStreams {
  const words = ['bridge', '--agent', 'anna', '--profile', profileDir, '--start']
  const env = { ...process.env, PATCHBAY_AGENT_KEY: key }
  return spawn(process.execPath, [join(OUT_DIR, 'main/cli.js'), ...words], { env })
}

describe('D6: the bridge that may start the app', () => {
  it('starts it without a window, and leaves it running', { timeout: 90_000 }, async () => {
    const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bridge-'))
    const child = startBridge(profileDir, await prepare(profileDir))
    const received: { id?: number; result?: Record<string, unknown> }[] = []
    createInterface(child.stdout).on('line', (line) => received.push(JSON.parse(line) as object))
    const say = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const clientInfo = { name: 'test', version: '1' }
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    say({ id: 1, method: 'initialize', params: hello })
    say({ method: 'notifications/initialized' })
    // Only the app can answer this, so the bridge waits for it.
    say({ id: 2, method: 'completion/complete', params: {} })
    const file = join(profileDir, 'gateway.json')
    const pid = (): number =>
      existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid : 0
    try {
      await expect.poll(() => received.find(({ id }) => id === 2)).toBeDefined()
      expect(JSON.stringify(received.find(({ id }) => id === 2))).not.toContain('not running')
      expect(received.find(({ id }) => id === 1)).toHaveProperty('result.protocolVersion')
      child.stdin.end()
      await expect.poll(() => child.exitCode).toBe(0)
      expect(isRunning(pid())).toBe(true)
    } finally {
      child.kill('SIGKILL')
      await expect.poll(pid).toBeGreaterThan(0)
      const app = pid()
      process.kill(app, 'SIGTERM')
      await expect.poll(() => isRunning(app)).toBe(false)
      rmSync(profileDir, { recursive: true, force: true })
    }
  })

  it('starts nothing after everything was removed', { timeout: 60_000 }, async () => {
    const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bridge-'))
    const child = startBridge(profileDir, 'pb_gone')
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const message = { jsonrpc: '2.0', id: 1, method: 'completion/complete', params: {} }
    try {
      child.stdin.write(`${JSON.stringify(message)}\n`)
      await expect.poll(() => said).toContain('Patchbay was not started')
      child.stdin.end()
      await expect.poll(() => child.exitCode).toBe(0)
      expect(readdirSync(profileDir)).toEqual([])
    } finally {
      child.kill('SIGKILL')
      rmSync(profileDir, { recursive: true, force: true })
    }
  })
})
