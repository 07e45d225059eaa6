import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'

import { afterEach, describe, expect, it } from 'vitest'

import { openProcessTable, systemProcesses } from '../tree/system-processes'
import { type Reaped, reapOrphans, type RunRecord } from './reap-orphans'

// Random, because another run of this test also searches every process for its mark.
const RUN = randomBytes(16).toString('hex')
const MARK = { PATCHBAY_RUN: `${RUN}:1` }
const LOOP = `process.stdin.resume(); setTimeout(() => process.exit(), 60_000); process.stderr.write('up\\n')`

const started: number[] = []
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
})

/** Starts a process with these variables that the app didn't record. */
async function startUnrelated(own: Readonly<Record<string, string>> = {}): Promise<number> {
  const unrelated = spawn(process.execPath, ['-e', LOOP], {
    env: { PATH: process.env.PATH, ...own },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  await once(unrelated.stderr, 'data')
  started.push(unrelated.pid ?? 0)
  return unrelated.pid ?? 0
}

function isAlive(pid: number): boolean {
  const startTime = systemProcesses.startTimeOf(pid)
  return startTime !== undefined && systemProcesses.isRunning(pid, startTime)
}

/** A record of one child, by default of this boot and with the pid's current start time. */
function noteOf(
  pid: number,
  other: { startTime?: string; bootId?: string; appPid?: number } = {},
): RunRecord {
  const startTime = other.startTime ?? systemProcesses.startTimeOf(pid) ?? ''
  return {
    run: RUN,
    bootId: other.bootId ?? systemProcesses.bootId(),
    // Children of this process are spared if another process wrote the record.
    appPid: other.appPid ?? process.pid,
    children: [{ child: '1', owner: 'one', command: '', processes: [{ pid, startTime }] }],
  }
}

function reap(
  note: RunRecord,
  table = systemProcesses,
  limits = { termMs: 2_000, killMs: 3_000, containerMs: 3_000 },
): Promise<Reaped> {
  const bootId = systemProcesses.bootId()
  return reapOrphans([note], { table, bootId, ownPid: process.pid, env: {}, limits })
}

/** The process table of a system that can't read environments. */
function withoutMarks(): typeof systemProcesses {
  return Object.assign(openProcessTable('linux'), { readsMarks: false })
}

const NOTHING = { ended: [], left: [], runs: [] }

describe.runIf(process.platform === 'linux')('B8: a process of an earlier run', () => {
  it('is ended by its mark, even if its pid was never recorded', async () => {
    const pid = await startUnrelated(MARK)
    const { ended } = await reap({ ...noteOf(pid), children: [] })
    expect(ended).toMatchObject([{ kind: 'process', owner: '' }])
    expect(isAlive(pid)).toBe(false)
  })

  it("is ended by pid and start time if marks can't be read", async () => {
    const pid = await startUnrelated()
    const { ended } = await reap(noteOf(pid), withoutMarks())
    expect(ended).toMatchObject([{ kind: 'process', owner: 'one' }])
    expect(isAlive(pid)).toBe(false)
  })
})

describe.runIf(process.platform === 'linux')('B8: a process of an earlier run', () => {
  it('is ended with its group, even if a member lost mark and parent', async () => {
    const member = `const { spawn } = require('child_process'); const one = spawn('sh', ['-c', 'env -i "$0" -e "$CODE" >/dev/null 2>&1 & echo $!', process.execPath], { env: { PATH: process.env.PATH, CODE }, stdio: ['ignore', 'pipe', 'ignore'] }); one.stdout.on('data', (pid) => process.stderr.write(String(pid)))`
    const code = `const CODE = 'setTimeout(() => process.exit(), 60_000)'; ${member}; setTimeout(() => process.exit(), 60_000)`
    const leader = spawn(process.execPath, ['-e', code], {
      env: { PATH: process.env.PATH, ...MARK },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    started.push(leader.pid ?? 0)
    const [printed] = (await once(leader.stderr, 'data')) as [Buffer]
    const pid = Number(printed.toString())
    started.push(pid)
    expect([leader.pid ?? 0, pid].map(isAlive)).toEqual([true, true])
    const { ended } = await reap({ ...noteOf(pid), children: [] })
    expect(ended).toHaveLength(2)
    expect([leader.pid ?? 0, pid].map(isAlive)).toEqual([false, false])
  })

  it("stays recorded if it can't be ended", async () => {
    const pid = await startUnrelated(MARK)
    // A process that ignores even SIGKILL, for example in a hanging file system.
    const table = Object.assign(openProcessTable('linux'), { isRunning: () => false })
    const note = noteOf(pid)
    expect(await reap(note, table, { termMs: 0, killMs: 0, containerMs: 0 })).toEqual({
      ended: [],
      left: [expect.objectContaining({ kind: 'process', owner: 'one' })],
      runs: [note],
    })
  })
})

describe.runIf(process.platform === 'linux')('B8: a recycled pid', () => {
  it('is left alone: with another start time', async () => {
    const pid = await startUnrelated()
    expect(await reap(noteOf(pid, { startTime: '1' }), withoutMarks())).toEqual(NOTHING)
    expect(isAlive(pid)).toBe(true)
  })

  it('is left alone: of another boot, even if everything else matches', async () => {
    const pid = await startUnrelated(MARK)
    expect(await reap(noteOf(pid, { bootId: 'another' }))).toEqual(NOTHING)
    expect(isAlive(pid)).toBe(true)
  })

  it('is left alone: without the mark, even if everything else matches', async () => {
    const pid = await startUnrelated()
    expect(await reap(noteOf(pid))).toEqual(NOTHING)
    expect(isAlive(pid)).toBe(true)
  })

  it("doesn't keep a real orphan of the same record from being ended", async () => {
    const [unrelated, orphan] = [await startUnrelated(), await startUnrelated(MARK)]
    await reap(noteOf(unrelated))
    expect([unrelated, orphan].map(isAlive)).toEqual([true, false])
  })
})

describe.runIf(process.platform === 'linux')('B8: Patchbay opened from a leftover process', () => {
  it('ends neither itself nor its own children, although all carry the old mark', async () => {
    const pid = await startUnrelated(MARK)
    expect(await reap(noteOf(pid, { appPid: 1 }))).toEqual(NOTHING)
    expect(isAlive(pid)).toBe(true)
  })
})
