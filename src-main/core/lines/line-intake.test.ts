import { describe, expect, it } from 'vitest'

import { LineIntake, MAX_WAITING } from './line-intake'
import { WorkPace } from './work-pace'

type Heard = { lines: string[]; lost: number; inside: number; long: Buffer[] }

/** An intake whose clock stands still or races, so that it has all the time there is, or none. */
function open(hasTime: boolean): { intake: LineIntake; heard: Heard } {
  let now = 0
  const pace = new WorkPace(() => (hasTime ? 0 : (now += 1_000)))
  if (!hasTime) pace.doAll(() => false)
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
const chunk = (from: number, to: number): Buffer =>
  Buffer.from(`${numbered(from, to).join('\n')}\n`)

describe('B1 a flood', () => {
  it.each([
    ['many chunks', 1_000],
    ['one piece', 300_000],
  ])(
    'of %s loses whole lines, the oldest, counts them and holds no more than its bound',
    (_how, size) => {
      const { intake, heard } = open(false)
      for (let at = 0; at < 300_000; at += size) {
        intake.push(chunk(at, at + size))
        expect(intake.waiting).toBeLessThanOrEqual(MAX_WAITING)
      }
      intake.end()
      const { lines, lost } = heard
      expect(lost).toBeGreaterThan(0)
      expect(lines.length + lost).toBe(300_000)
      expect(lines.slice(-30_000)).toEqual(numbered(270_000, 300_000))
      expect(lines.every((line) => /^line \d{8}$/u.test(line))).toBe(true)
    },
  )

  it('of a line without an end goes on within it, at a whole character, and says so', () => {
    const { intake, heard } = open(false)
    const endless = Buffer.from('日'.repeat(2_000_000))
    for (let at = 0; at < endless.length; at += 50_000)
      intake.push(endless.subarray(at, at + 50_000))
    intake.push(Buffer.from('\nthe last one'))
    intake.end()
    expect(heard.inside).toBeGreaterThan(0)
    expect(Buffer.concat(heard.long).toString()).toMatch(/^日+$/u)
    expect(heard.lines).toEqual(['the last one'])
  })

  it('is told to wait while there is time for it, and nothing of it is lost', async () => {
    const { intake, heard } = open(true)
    for (let at = 0; at < 200_000; at += 20_000)
      if (!intake.push(chunk(at, at + 20_000))) await intake.caughtUp()
    intake.end()
    expect([heard.lines.length, heard.lost]).toEqual([200_000, 0])
  })
})
