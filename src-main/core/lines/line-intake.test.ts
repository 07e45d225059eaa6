import { describe, expect, it } from 'vitest'

import { LineIntake, MAX_WAITING } from './line-intake'
import { WorkPace } from './work-pace'

type Heard = { lines: string[]; lost: number; inside: number; long: Buffer[] }

/** An intake whose clock stands still or races, so that it has all the time there is, or none. */
function intake(hasTime: boolean): { intake: LineIntake; heard: Heard } {
  let now = 0
  const pace = new WorkPace(() => (hasTime ? 0 : (now += 1_000)))
  const heard: Heard = { lines: [], lost: 0, inside: 0, long: [] }
  const receiver = {
    onLine: (line: string) => heard.lines.push(line),
    onLongPart: (part: Buffer) => heard.long.push(Buffer.from(part)),
    onLongEnd: () => undefined,
    onLost: (lines: number, isInside: boolean) => {
      heard.lost += lines
      heard.inside += isInside ? 1 : 0
    },
  }
  return { intake: new LineIntake(receiver, pace), heard }
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `line ${String(from + index).padStart(8, '0')}`)

describe('B1 a flood', () => {
  it('loses whole lines, the oldest, and every one of them is counted', () => {
    const { intake: flooded, heard } = intake(false)
    for (let at = 0; at < 300_000; at += 1_000) {
      flooded.push(Buffer.from(numbered(at, at + 1_000).join('\n') + '\n'))
    }
    flooded.end()
    const { lines, lost } = heard
    expect(lost).toBeGreaterThan(0)
    expect(lines.length + lost).toBe(300_000)
    expect(lines.slice(-30_000)).toEqual(numbered(270_000, 300_000))
    expect(lines.every((line) => /^line \d{8}$/u.test(line))).toBe(true)
  })

  it('holds no more than its bound in the meantime', () => {
    const { intake: flooded } = intake(false)
    const chunk = Buffer.from('x'.repeat(99) + '\n')
      .toString()
      .repeat(600)
    for (let count = 0; count < 100; count += 1) {
      flooded.push(Buffer.from(chunk))
      expect(flooded.waiting).toBeLessThanOrEqual(MAX_WAITING)
    }
  })

  it('of a line without an end goes on within it, at a whole character, and says so', () => {
    const { intake: flooded, heard } = intake(false)
    const endless = Buffer.from('日'.repeat(2_000_000))
    for (let at = 0; at < endless.length; at += 50_000)
      flooded.push(endless.subarray(at, at + 50_000))
    flooded.push(Buffer.from('\nthe last one'))
    flooded.end()
    expect(heard.inside).toBeGreaterThan(0)
    expect(Buffer.concat(heard.long).toString()).toMatch(/^日+$/u)
    expect(heard.lines).toEqual(['the last one'])
  })

  it('that comes in one piece leaves no more than its end', () => {
    const { intake: flooded, heard } = intake(false)
    flooded.push(Buffer.from(numbered(0, 1_000_000).join('\n')))
    expect(flooded.waiting).toBeLessThanOrEqual(MAX_WAITING)
    flooded.end()
    expect(heard.lines.length + heard.lost).toBe(1_000_000)
    expect(heard.lines.at(-1)).toBe('line 00999999')
  })

  it('is told to wait while there is time for it, and nothing of it is lost', async () => {
    const { intake: busy, heard } = intake(true)
    for (let at = 0; at < 200_000; at += 20_000) {
      const goesOn = busy.push(Buffer.from(numbered(at, at + 20_000).join('\n') + '\n'))
      if (!goesOn) await busy.caughtUp()
    }
    busy.end()
    expect(heard.lines).toHaveLength(200_000)
    expect(heard.lost).toBe(0)
  })
})
