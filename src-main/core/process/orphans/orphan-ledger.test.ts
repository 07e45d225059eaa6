import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeDocker } from '../../../../e2e/fixtures/fake-docker'
import { type ChildSpec, type RunningChild, spawnChild } from '../spawn/child-process'
import { GracefulStop } from '../spawn/graceful-stop'
import { openProcessTable, systemProcesses } from '../tree/system-processes'
import { noticeOf } from './ledger-notices'
import { type LedgerEvent, LedgerFile, OrphanLedger, parseLedger } from './orphan-ledger'
import type { RunRecord } from './reap-orphans'

const isLinux = process.platform === 'linux'
const env = { PATH: process.env.PATH ?? '' }
const limits = { termMs: 400, killMs: 3_000, containerMs: 5_000 }
const LOOP = `process.on('SIGTERM', () => {}); process.stdin.resume(); setTimeout(() => process.exit(), 60_000); process.stderr.write('up\\n')`

let profileDir: string
let event: LedgerEvent[]
beforeEach(() => {
  profileDir = mkdtempSync(join(tmpdir(), 'patchbay-ledger-'))
  event = []
})
afterEach(() => {
  rmSync(profileDir, { recursive: true, force: true })
})

function openLedger(file = new LedgerFile(profileDir)): OrphanLedger {
  // A ledger whose folder was deleted with its test may still notify.
  const received = event
  return new OrphanLedger({ file, env, limits, onNotification: (one) => received.push(one) })
}

function runsOnDisk(): RunRecord[] {
  const text = readFileSync(join(profileDir, 'children.json'), 'utf8')
  const runs = parseLedger(text)
  if (!runs) throw new Error(`this is no ledger: ${text}`)
  return runs
}

/** Starts a child that ignores every signal but SIGKILL, and waits until it runs. */
async function startChild(ledger: OrphanLedger, owner: string, code = LOOP): Promise<RunningChild> {
  let hear: () => void = () => undefined
  const isUp = new Promise<void>((resolve) => (hear = resolve))
  const spec: ChildSpec = {
    command: process.execPath,
    args: ['-e', code],
    env,
    processLedger: ledger.ledgerOf(owner),
  }
  const child = await spawnChild(spec, (line) => line === 'up' && hear())
  await isUp
  return child
}

function isAlive(pid: number): boolean {
  const startTime = systemProcesses.startTimeOf(pid)
  return startTime !== undefined && systemProcesses.isRunning(pid, startTime)
}

describe('B8: the record of started children', () => {
  it('exists for this account alone before the first child, and is gone after a quit', async () => {
    const ledger = openLedger()
    const file = join(profileDir, 'children.json')
    const [run] = runsOnDisk()
    expect(run).toMatchObject({ appPid: process.pid, children: [] })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    const child = await startChild(ledger, 'one')
    if (isLinux) {
      const environment = readFileSync(`/proc/${String(child.pid)}/environ`, 'utf8')
      expect(environment).toContain(`PATCHBAY_RUN=${run?.run ?? 'none'}:1\0`)
    }
    await new GracefulStop(child, { stdinMs: 10, termMs: 10, killMs: 5_000 }).stop()
    expect(runsOnDisk()).toMatchObject([{ children: [] }])
    ledger.close()
    expect(readdirSync(profileDir)).toEqual([])
  })

  it('contains pid and start time but no argument', async () => {
    const ledger = openLedger()
    const child = await startChild(ledger, 'one', `${LOOP} // hunter2`)
    const [record] = runsOnDisk()[0]?.children ?? []
    expect(record).toMatchObject({
      child: '1',
      owner: 'one',
      command: expect.stringMatching(/^[0-9a-f]{64}$/u) as string,
    })
    if (isLinux)
      expect(record?.processes).toEqual([
        { pid: child.pid, startTime: systemProcesses.startTimeOf(child.pid) },
      ])
    expect(readFileSync(join(profileDir, 'children.json'), 'utf8')).not.toContain('hunter2')
    await new GracefulStop(child, { stdinMs: 10, termMs: 10, killMs: 5_000 }).stop()
  })

  it('contains at most 1,000 processes of a child, so that it stays readable', () => {
    const child = openLedger().ledgerOf('one').add({ command: '/bin/many' })
    const member = { parent: 1, group: 1, startTime: '1', isDead: false, rssBytes: 0, cpuMs: 0 }
    child.seen(Array.from({ length: 1_500 }, (_, index) => ({ ...member, pid: index + 2 })))
    expect(runsOnDisk()[0]?.children[0]?.processes).toHaveLength(1_000)
  })

  it("is removed when a child exits or can't be started", async () => {
    const ledger = openLedger()
    const child = await startChild(ledger, 'one', `process.stderr.write('up\\n')`)
    await child.exited
    await expect.poll(() => runsOnDisk()[0]?.children).toEqual([])
    const spec = {
      command: '/nowhere/program',
      args: [],
      env,
      processLedger: ledger.ledgerOf('two'),
    }
    await expect(spawnChild(spec, () => undefined)).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
    })
    expect(runsOnDisk()).toMatchObject([{ children: [] }])
  })

  it('is appended to, and rewritten when due', async () => {
    const file = join(profileDir, 'children.json')
    const ledger = openLedger()
    const before = statSync(file).ino
    const child = await startChild(ledger, 'one')
    expect(statSync(file).ino).toBe(before)
    rmSync(file)
    await new GracefulStop(child, { stdinMs: 10, termMs: 10, killMs: 5_000 }).stop()
    expect(runsOnDisk()).toMatchObject([{ children: [] }])
  })

  it('of a child that may leave processes on purpose is removed with its run', async () => {
    const ledger = openLedger()
    const processLedger = ledger.ledgerWithoutReaping('')
    const args = ['-e', 'process.stdin.resume()']
    const child = await spawnChild(
      { command: process.execPath, args, env, processLedger },
      () => undefined,
    )
    expect(runsOnDisk()).toMatchObject([{ children: [] }, { children: [{ child: '1' }] }])
    await new GracefulStop(child, { stdinMs: 10, termMs: 10, killMs: 5_000 }).stop()
    expect(runsOnDisk()).toMatchObject([{ children: [] }])
  })

  it("that can't be written is reported once, and servers start anyway", async () => {
    mkdirSync(join(profileDir, 'children.json.new'))
    const ledger = openLedger()
    await startChild(ledger, 'one', `process.stderr.write('up\\n')`)
    await startChild(ledger, 'one', `process.stderr.write('up\\n')`)
    expect(event.map(({ kind }) => kind)).toEqual(['unwritable'])
    expect(event.map((one) => noticeOf(one, () => undefined))).toMatchObject([
      {
        title: 'Patchbay can’t record which servers it starts',
        message: expect.stringMatching(
          /^If Patchbay crashes, its servers may keep running\. .*EISDIR/u,
        ) as string,
      },
    ])
  })

  it('forgets the oldest of more than 1,000 containers, but no child that may still run', () => {
    let last: readonly RunRecord[] = []
    const write = (runs: readonly RunRecord[]): void => void (last = runs)
    const file = Object.assign(new LedgerFile(profileDir), { write })
    const processLedger = openLedger(file).ledgerOf('one')
    processLedger.add({ command: 'first' })
    for (let count = 0; count < 1_000; count += 1) {
      const container = { name: `patchbay-${String(count).padStart(12, '0')}`, docker: '/docker' }
      const recorder = processLedger.add({ command: 'docker', container })
      recorder.finished({ isTreeGone: true, isContainerGone: false })
    }
    const children = last[0]?.children ?? []
    expect(children).toHaveLength(1_000)
    expect(children.slice(0, 2).map(({ container }) => container?.name)).toEqual([
      undefined,
      'patchbay-000000000001',
    ])
  })

  it("that can't be read is reported, and servers start anyway", async () => {
    const file = join(profileDir, 'file')
    writeFileSync(file, '')
    const ledger = openLedger(new LedgerFile(file))
    await ledger.ready
    await startChild(ledger, 'one', `process.stderr.write('up\\n')`)
    expect(event).toEqual([
      { kind: 'unwritable', reason: expect.stringMatching(/ENOTDIR/u) as string },
    ])
  })
})

describe.runIf(isLinux)('B8: processes left by a killed app', () => {
  it('are ended by the next run: in the group, in another session, and reparented', async () => {
    const killed = openLedger()
    const daemon = `const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(LOOP)}], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }); require('fs').writeFileSync(process.env.FILE, '' + c.pid); c.unref(); setTimeout(() => process.exit(0), 200)`
    const file = join(profileDir, 'pid')
    const spec = {
      command: process.execPath,
      args: ['-e', daemon],
      env: { ...env, FILE: file },
      processLedger: killed.ledgerOf('two'),
    }
    const first = await startChild(killed, 'one')
    const gone = await spawnChild(spec, () => undefined)
    await gone.exited
    const survivor = Number(readFileSync(file, 'utf8'))
    expect([first.pid, survivor].filter(isAlive)).toHaveLength(2)

    const next = openLedger()
    await next.ready
    expect([first.pid, survivor].filter(isAlive)).toEqual([])
    expect(runsOnDisk()).toHaveLength(1)
    expect(event).toMatchObject([{ kind: 'reaped', reaped: { left: [] } }])
    const notice = event[0] && noticeOf(event[0], (owner) => (owner === 'one' ? 'Memory' : 'Files'))
    expect(notice?.message).toBe(
      '2 processes of Files and Memory kept running and are stopped now.',
    )
  })

  it('are found by their mark if nothing else was recorded in time', async () => {
    const killed = openLedger()
    const child = await startChild(killed, 'one')
    const [run] = runsOnDisk()
    if (run) new LedgerFile(profileDir).write([{ ...run, children: [] }])
    const next = openLedger()
    await next.ready
    expect(isAlive(child.pid)).toBe(false)
  })

  it('stay recorded if no process could be read, and are ended by the run after that', async () => {
    const child = await startChild(openLedger(), 'one')
    const table = Object.assign(openProcessTable('linux'), {
      read: () => Promise.reject(new Error('EMFILE')),
    })
    const file = new LedgerFile(profileDir)
    await new OrphanLedger({ file, env, limits, table, onNotification: () => undefined }).ready
    expect(isAlive(child.pid)).toBe(true)
    expect(runsOnDisk()).toHaveLength(2)
    await openLedger().ready
    expect(isAlive(child.pid)).toBe(false)
  })

  it('cause no notice if there are none', async () => {
    openLedger()
    const next = openLedger()
    await next.ready
    expect(event).toEqual([])
    next.close()
    expect(existsSync(join(profileDir, 'children.json'))).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')(
  'B8: a container left behind (with a fake docker)',
  () => {
    it("is removed by name, and tried again while docker doesn't answer", async () => {
      using docker = new FakeDocker()
      const killed = openLedger()
      const containerName = 'patchbay-0123456789ab'
      const args = ['run', '-i', '--rm', '--name', containerName, 'ignores.mjs', 'term']
      const processLedger = killed.ledgerOf('one')
      const child = await spawnChild(
        { command: docker.file, args, env, processLedger, containerName },
        () => undefined,
      )
      await expect.poll(() => docker.containers().filter(({ pid }) => pid > 0)).toHaveLength(1)
      process.kill(child.pid, 'SIGKILL')
      await child.exited

      const program = readFileSync(docker.file, 'utf8')
      docker.answerWith('echo "Cannot connect to the Docker daemon" >&2; exit 1')
      await openLedger().ready
      expect(runsOnDisk().flatMap((run) => run.children)).toMatchObject([
        { container: { name: containerName, tries: 1 } },
      ])

      writeFileSync(docker.file, program)
      await openLedger().ready
      expect(docker.containers()).toEqual([])
      expect(runsOnDisk().flatMap((run) => run.children)).toEqual([])
      expect(event.at(-1)).toMatchObject({
        kind: 'reaped',
        reaped: { ended: [{ kind: 'container', owner: 'one' }] },
      })
    })
  },
)
