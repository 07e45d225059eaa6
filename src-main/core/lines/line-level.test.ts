import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../e2e/fixtures/cpu-time'
import { levelOf } from './line-level'

const LINES: readonly (readonly [string, string])[] = [
  ['info', 'Server running on stdio'],
  ['info', 'no errors found'],
  ['info', 'the warning lights are off'],
  ['info', 'loaded debugger.js and trace.json'],
  ['error', 'ERROR no such file'],
  ['error', 'TypeError: x is not a function'],
  ['error', 'Error: connect ECONNREFUSED'],
  ['error', 'Traceback (most recent call last):'],
  ['error', 'panic: runtime error: index out of range'],
  ['error', 'npm ERR! code E404'],
  ['warn', 'npm warn deprecated glob@7'],
  ['warn', '(node:12) Warning: an old flag'],
  ['warn', '(node:12) [DEP0040] DeprecationWarning: the punycode module'],
  ['warn', '[warn] old flag'],
  ['debug', 'DEBUG x'],
  // Python
  ['error', 'ERROR:root:it broke'],
  ['warn', '2026-01-01 00:00:00,000 - server - WARNING - slow'],
  ['info', '2026-01-01 00:00:00,000 - server - INFO - no error here'],
  ['error', '[01/01/26 00:00:00] ERROR    it broke   server.py:12'],
  // Go
  ['warn', 'time=2026-01-01T00:00:00Z level=WARN msg="an error is near"'],
  ['error', 'time="2026-01-01T00:00:00Z" level=fatal msg=x'],
  ['error', '{"time":"2026-01-01T00:00:00Z","level":"ERROR","msg":"x"}'],
  ['error', 'E0101 00:00:00.000000       1 main.go:12] it broke'],
  ['warn', 'W0101 00:00:00.000000       1 main.go:12] it is slow'],
  ['debug', '2026-01-01T00:00:00.000Z\tDEBUG\tserver/main.go:12\tx'],
  // Rust
  ['warn', '2026-01-01T00:00:00.000000Z  WARN server: slow'],
  ['error', '[2026-01-01T00:00:00Z ERROR server] it broke'],
  // Node
  ['debug', '{"level":20,"time":1,"pid":2,"msg":"x"}'],
  ['info', '{"level":30,"time":1,"msg":"an error was avoided"}'],
  ['warn', '{"name":"app","level":40,"msg":"x"}'],
  ['error', '{"level":60,"msg":"x"}'],
  ['error', '{"message":"x","level":"error"}'],
  ['info', '{"message":"the \\"level\\": \\"error\\" is a word","level":"info"}'],
  ['info', '{"message":"no level"}'],
  ['error', '{"severity":"CRITICAL","message":"x"}'],
  // .NET and Java
  ['error', 'fail: Server.Worker[0]'],
  ['warn', 'warn: Server.Worker[0]'],
  ['debug', 'dbug: Server.Worker[0]'],
  ['warn', '00:00:00.000 [main] WARN  com.example.App - slow'],
  ['error', '2026-01-01 00:00:00 | ERROR | server:12 - it broke'],
  // npm
  ['info', 'npm notice New minor version of npm available! 11.1.0 -> 11.2.0'],
  ['warn', 'npm warn deprecated glob@7.2.3'],
  // Text without a logger
  ['info', 'level=constructor is no error'],
  ['info', '{"level":"__proto__"}'],
  // systemd journal
  ['error', '<3>it broke'],
  ['warn', '<4>it is slow'],
  ['info', '<6>it runs'],
]

describe('B1: the level of a line', () => {
  it.each(LINES)('is %s in: %s', (level, line) => {
    expect(levelOf(line)).toBe(level)
  })

  it('is found in linear time in any line', () => {
    const parts = [
      'error ',
      '{"level',
      '- warn ',
      '[[[[',
      '"level":',
      '\\"',
      '((((',
      'level= ',
      ' \t',
    ]
    const ms = cpuMsOf(() => {
      for (const part of parts) levelOf(part.repeat(100_000))
      for (const part of parts) levelOf(`{${part.repeat(100_000)}`)
    })
    expect(ms).toBeLessThan(1_000)
  })
})
