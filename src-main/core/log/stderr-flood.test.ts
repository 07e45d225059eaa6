import { describe, expect, it } from 'vitest'

import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { createRedactor } from '../masking/redact'
import { spawnChild } from '../process/spawn/child-process'
import { LogBuffer } from './log-buffer'

const env = { PATH: process.env.PATH ?? '' }

/** Runs a program that writes to stderr with `say(text)`, which waits for its reader. */
async function logOfProgram(code: string, secrets: string[]): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  const log = new LogBuffer((entry) => entries.push(entry))
  log.setRedactor(createRedactor(secrets))
  const say = `const fs = require('fs'); const say = (text) => { const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) try { at += fs.writeSync(2, bytes, at) } catch (error) { if (error.code !== 'EAGAIN') throw error } }`
  const args = ['-e', `${say}\n${code}`]
  const child = await spawnChild({ command: process.execPath, args, env }, log.intake('stderr'))
  await child.exited
  await child.drainStderr()
  child.finish({ isTreeGone: true, isContainerGone: true })
  const last = entries.at(-1)
  expect(last?.seq).toBe(log.nextSeq - 1)
  return entries
}

describe('B1: a real child that floods stderr', () => {
  it('is read to its last line, with every line kept or counted and no secret in the kept ones', async () => {
    const secret = 'sk-flood-0123456789'
    const code = `let number = 0
      for (let block = 0; block < 400; block += 1) {
        let text = ''
        for (let line = 0; line < 2000; line += 1) text += 'line ' + (number += 1) + ' uses ${secret} of the account\\n'
        say(text)
      }
      say('the last words')`
    const entries = await logOfProgram(code, [secret])
    expect(entries.at(-1)).toMatchObject({ seq: 800_000, text: 'the last words' })
    for (const { seq, text } of entries.slice(0, -1)) {
      if (text !== `line ${String(seq + 1)} uses •••••••• of the account`)
        expect.fail(`entry ${String(seq)} is "${text}"`)
    }
    expect(entries.slice(-1_000).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => 799_001 + index),
    )
  }, 60_000)

  it('loses nothing of a burst', async () => {
    const code = `let text = ''
      for (let line = 0; line < 20000; line += 1) text += 'line ' + line + '\\n'
      say(text)`
    const entries = await logOfProgram(code, [])
    expect(entries.map(({ text }) => text)).toEqual(
      Array.from({ length: 20_000 }, (_, index) => `line ${String(index)}`),
    )
  })

  it('shows no part of a secret in an endless line, wherever it was cut', async () => {
    const secret = 'sk-0123456789'
    const code = `for (let block = 0; block < 300; block += 1) say('${secret}'.repeat(5000)); say('\\nend\\n')`
    const entries = await logOfProgram(code, [secret])
    expect(entries.at(-1)?.text).toBe('end')
    for (const { text } of entries.slice(0, -1)) {
      const seen = text.replace(/•+/gu, '•')
      if (/[^•]{4}/u.test(seen)) expect.fail(`an entry has "${seen}"`)
    }
  }, 60_000)
})
