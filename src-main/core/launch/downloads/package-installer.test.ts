import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { isRunning } from '../../../../e2e/fixtures/is-running'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import type { ChildSpec } from '../../process/spawn/child-process'
import { PackageInstaller } from './package-installer'

const env = { PATH: process.env.PATH ?? '' }

function program(code: string): ChildSpec {
  return { command: process.execPath, args: ['-e', code], env }
}

function newFile(name: string): string {
  return join(tempFolder('install'), name)
}

/** A program that writes its pid and ignores SIGTERM. */
function endless(file: string): ChildSpec {
  return program(
    `process.on('SIGTERM', () => {});
     require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`,
  )
}

async function pidIn(file: string): Promise<number> {
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+$/u)
  return Number(readFileSync(file, 'utf8'))
}

const ignore = (): void => undefined

describe('B9: downloads', () => {
  it('are shared by servers that need the same package at the same time', async () => {
    const file = newFile('runs')
    const spec = program(
      `require('fs').appendFileSync(${JSON.stringify(file)}, 'x'); setTimeout(() => console.log('done'), 200)`,
    )
    const installer = new PackageInstaller(2)
    const lines: string[] = []
    await Promise.all(
      ['first', 'second'].map(
        (who) => installer.join(spec, (line) => lines.push(`${who} ${line}`)).finished,
      ),
    )
    expect(readFileSync(file, 'utf8')).toBe('x')
    expect(lines).toEqual(['first done', 'second done'])
    expect(installer.isInstalled(spec)).toBe(true)
  })

  it('are separate for servers whose variables point to different places', async () => {
    const file = newFile('runs')
    const spec = program(`require('fs').appendFileSync(${JSON.stringify(file)}, 'x')`)
    const installer = new PackageInstaller(2)
    const elsewhere = { ...spec, env: { ...env, UV_CACHE_DIR: '/elsewhere' } }
    await Promise.all([spec, elsewhere].map((one) => installer.join(one, ignore).finished))
    expect(readFileSync(file, 'utf8')).toBe('xx')
  })

  it('write to one copy in turn, even if their commands differ', async () => {
    const file = newFile('writers')
    const code = (name: string): string =>
      `const { appendFileSync } = require('fs'); const write = (text) => appendFileSync(${JSON.stringify(file)}, text)
       write('<${name}'); setTimeout(() => write('>'), 100)`
    const copy = { runner: 'npx', packages: ['notes@1'] } as const
    const installer = new PackageInstaller(3)
    const turn = installer.enterCopy(copy)
    const own = { ...program(code('b')), env: { ...env, NPM_CONFIG_LOGLEVEL: 'error' } }
    const specs = [program(code('a')), own].map((spec) => ({ ...spec, copy }))
    const downloads = specs.map((spec) => installer.join(spec, ignore).finished)
    await installer.join({ ...program(code('c')), copy: { ...copy, packages: ['other'] } }, ignore)
      .finished
    expect(readFileSync(file, 'utf8')).toBe('<c>')
    turn.end()
    await Promise.all(downloads)
    expect(readFileSync(file, 'utf8')).toBe('<c><a><b>')
  })

  it('that wait for a copy start after an earlier one was canceled', async () => {
    const copy = { runner: 'npx', packages: ['notes@1'] } as const
    const installer = new PackageInstaller(1)
    const turn = installer.enterCopy(copy)
    const waiter = (): void => undefined
    installer.join({ ...program('1'), copy }, waiter).finished.catch(ignore)
    const { finished } = installer.join({ ...program('2'), copy }, ignore)
    await installer.release(waiter)
    turn.end()
    await finished
    await installer.enterCopy(copy).started
  })

  it('that are shared mask the secrets of their starter for all', async () => {
    const installer = new PackageInstaller(2)
    const spec = program(`console.log('with hunter2')`)
    const lines: string[] = []
    const mask = (line: string): string => line.replace('hunter2', '****')
    await Promise.all([
      installer.join(spec, (line) => lines.push(`first ${line}`), mask).finished,
      installer.join(spec, (line) => lines.push(`second ${line}`)).finished,
    ])
    expect(lines).toEqual(['first with ****', 'second with ****'])
  })

  it('that fail report the exit code, and can be retried', async () => {
    const installer = new PackageInstaller(2)
    const spec = program(`console.error('404 no such package'); process.exitCode = 4`)
    const lines: string[] = []
    const { finished } = installer.join(spec, (line) => lines.push(line))
    await expect(finished).rejects.toMatchObject({ code: 'INSTALL_FAILED' })
    expect(lines).toEqual(['404 no such package'])
    expect(installer.isInstalled(spec)).toBe(false)
    const again = installer.join(spec, (line) => lines.push(line)).finished
    await expect(again).rejects.toMatchObject({ code: 'INSTALL_FAILED' })
    expect(lines).toHaveLength(2)
  })

  it('end, even with a process that ignores SIGTERM, after the last waiting server leaves', async () => {
    const file = newFile('pid')
    const installer = new PackageInstaller(2)
    const other = (): void => undefined
    void installer.join(endless(file), ignore).finished.catch(ignore)
    void installer.join(endless(file), other).finished.catch(ignore)
    const pid = await pidIn(file)
    await installer.release(ignore)
    expect(isRunning(pid)).toBe(true)
    await installer.release(other)
    expect(isRunning(pid)).toBe(false)
  })

  it('log that a server joins a running one', async () => {
    const installer = new PackageInstaller(2)
    const file = newFile('shared')
    const [first, second, again] = [ignore, (): void => undefined, ignore].map((onLine) =>
      installer.join(endless(file), onLine),
    )
    for (const one of [first, second, again]) one?.finished.catch(ignore)
    expect([first?.isShared, second?.isShared, again?.isShared]).toEqual([false, true, false])
    await pidIn(file)
    await installer.close()
  })

  it('run in parallel up to the limit, and the others queue', async () => {
    const [first = '', second = '', third = ''] = ['first', 'second', 'third'].map(newFile)
    const installer = new PackageInstaller(2)
    const waiter = (): void => undefined
    const downloads = [
      installer.join(endless(first), ignore),
      installer.join(endless(second), waiter),
      installer.join(endless(third), ignore),
    ]
    for (const { finished } of downloads) finished.catch(ignore)
    expect(downloads.map(({ isWaiting }) => isWaiting)).toEqual([false, false, true])
    await Promise.all([pidIn(first), pidIn(second)])
    expect(existsSync(third)).toBe(false)
    await installer.release(waiter)
    await downloads[2]?.started
    expect(await pidIn(third)).toBeGreaterThan(0)
    await installer.close()
  })

  it('that were released in the queue never start', async () => {
    const [first = '', second = ''] = ['first', 'second'].map(newFile)
    const installer = new PackageInstaller(1)
    const waiter = (): void => undefined
    installer.join(endless(first), ignore).finished.catch(ignore)
    installer.join(endless(second), waiter).finished.catch(ignore)
    await pidIn(first)
    await installer.release(waiter)
    await installer.release(ignore)
    // A later turn than theirs.
    await installer.join(program(''), ignore).finished
    expect(existsSync(second)).toBe(false)
  })

  it('start again after a canceled one of the same package has ended', async () => {
    const file = newFile('pid')
    const installer = new PackageInstaller(2)
    installer.join(endless(file), ignore).finished.catch(ignore)
    const pid = await pidIn(file)
    const released = installer.release(ignore)
    const again = installer.join(endless(file), ignore)
    again.finished.catch(ignore)
    await again.started
    expect(isRunning(pid)).toBe(false)
    await released
    await installer.close()
  })
})
