import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'

import { installReady } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, isAlive, test } from './fixtures/patchbay-test'

const ROOT = resolve(import.meta.dirname, '..')
const OUT_DIR = process.env.PATCHBAY_OUT_DIR ?? join(ROOT, 'out')

test.describe('B6: a failed start of the app', () => {
  test('ends with a reason and leaves no server running', async ({ openApp, profileDir }) => {
    const app = await openApp()
    await installReady(app.page, fixtureServer('family.mjs'), 'Family')
    await app.close()

    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const args = ['serve', '--no-open', '--profile', profileDir, '--port', String(port)]
    const child = spawn(process.execPath, [join(OUT_DIR, 'main/cli.js'), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
    })
    const seen = new Set<number>()
    const watch = setInterval(() => {
      for (const pid of descendantsOf(child.pid ?? -1)) seen.add(pid)
    }, 50)
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const [code] = (await once(child, 'exit')) as [number | null]
    clearInterval(watch)
    taken.close()
    expect(code).toBe(1)
    expect(said).toContain(`use port ${String(port)}`)
    expect([...seen].filter((pid) => isAlive(pid))).toEqual([])
  })
})
