import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, watch } from 'node:fs'

import { describe, expect, it, onTestFinished } from 'vitest'

import { AppFilesHarness } from '../../../../e2e/fixtures/app-files-harness'
import { builtProgram } from '../../../../e2e/fixtures/built-program'
import { pause } from '../../../../e2e/fixtures/pause'
import { steadySecrets } from '../../../../e2e/fixtures/steady-secrets'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { HostLedger } from './host-ledger'

const KILLS = 16
/** Outcomes of a kill that the test must have seen. */
const LEFT = ['connected', 'in the middle', 'plain']
const MAX_MS = 60
/** In ms: sixteen programs that write megabytes take over a minute on a busy computer. */
const LIMIT_MS = 600_000
const program = builtProgram('e2e/fixtures/change-app-file.ts')

describe("D6: a process killed while it writes an app's file", () => {
  it(
    'leaves the old bytes or the new ones, with matching records',
    async () => {
      const folder = tempFolder('hosts')
      const bench = new AppFilesHarness(folder, steadySecrets())
      // Long enough that writing takes time.
      const text = JSON.stringify({ long: 'x'.repeat(3_000_000), mcpServers: { a: {} } }, null, 2)
      const path = bench.write('one.json', text)
      const { agentId } = await bench.connect(bench.fileId('one', 'one.json'), 'One')
      const connected = readFileSync(path, 'utf8')
      const found = new Set<string>()
      // Kill more often until each outcome has occurred.
      for (let kill = 0; kill < KILLS || found.size < LEFT.length; kill += 1) {
        const watched = [
          undefined,
          { folder: bench.profileDir, name: /^hosts\.json$/u },
          { folder: bench.home, name: /\.tmp$/u },
          { folder: bench.home, name: /^one\.json$/u },
        ][kill % 4]
        await killed([folder, agentId], (kill % KILLS) * (MAX_MS / KILLS), watched)
        if (new HostLedger(`${bench.profileDir}/hosts.json`).changes.some(({ isDone }) => !isDone))
          found.add('in the middle')
        found.add(await checkAfterKill(folder, { path, text, connected }))
      }
      expect([...found].toSorted()).toEqual(LEFT)
      // Leftover files have a name that the next write, a minute later, deletes.
      for (const name of readdirSync(bench.home).filter((one) => one !== 'one.json'))
        expect(name).toMatch(/^\.one\.json\.patchbay-[0-9a-f]{12}\.tmp$/u)
    },
    LIMIT_MS,
  )
})

/** Runs the program and kills it after `afterMs`, or at its first change of such a file after that. */
async function killed(
  args: readonly string[],
  ms: number,
  watched: { readonly folder: string; readonly name: RegExp } | undefined,
): Promise<void> {
  const child = spawn(process.execPath, [program.file, ...args])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  await pause(ms)
  if (watched !== undefined) {
    const { folder, name } = watched
    const watcher = watch(folder)
    for (;;) {
      const [, file] = (await once(watcher, 'change')) as [string, string]
      if (name.test(file)) break
    }
    watcher.close()
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
}

/** Checks what a later run finds; it undoes the last change and makes it again. */
async function checkAfterKill(
  folder: string,
  { path, text, connected }: { readonly path: string; readonly text: string; connected: string },
): Promise<'plain' | 'connected'> {
  const now = readFileSync(path, 'utf8')
  expect([text, connected].includes(now), 'the file is whole').toBe(true)
  const isConnected = now === connected
  const later = new AppFilesHarness(folder, steadySecrets())
  expect(later.ledger.lost).toBeUndefined()
  expect(await later.states('one')).toEqual(isConnected ? ['patchbay asWritten'] : [])
  const [last] = later.editor.changes()
  if (last) {
    expect(last.kind).toBe(isConnected ? 'connect' : 'disconnect')
    await later.connector.undo(last.changeId)
    expect(readFileSync(path, 'utf8')).toBe(isConnected ? text : connected)
    expect(await later.states('one')).toEqual(isConnected ? [] : ['patchbay asWritten'])
  }
  return isConnected ? 'connected' : 'plain'
}
