import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { commandWords, runsAnywhere } from './same-server'

/** The maximum length of an argument. */
const MAX_CHARACTERS = 131_072

function wordsOf(line: string): string {
  return commandWords(line.split(' ')).join(' ')
}

describe('D6: the command line of a server', () => {
  it.each([
    ['npx -y @acme/notes@1.2.0 --port 1@2', 'npx @acme/notes --port 1@2'],
    ['npx @acme/notes', 'npx @acme/notes'],
    ['bunx notes@latest', 'bunx notes'],
    ['uvx mcp-time>=1.0', 'uvx mcp-time'],
    ['uvx --from git+https://a.example/x@v1 tool', 'uvx --from git+https://a.example/x tool'],
    ['uvx a@b@c', 'uvx a@b'],
    ['docker run -i --rm acme/notes', 'docker run acme/notes'],
  ])('is normalized without irrelevant parts: %s', (line, words) => {
    expect(wordsOf(line)).toBe(words)
  })

  it.each([
    'npx @acme/notes',
    'npx @acme/notes search --depth=2',
    'npx notes --db=/srv/notes.db --url https://a.example/x.json',
    'npx notes C:\\notes\\all.db ~/notes.db',
    'pnpm dlx @acme/notes',
    'uvx mcp-time',
    'docker run acme/notes:1.2',
  ])('runs the same in every folder: %s', (line) => {
    expect(runsAnywhere(commandWords(line.split(' ')))).toBe(true)
  })

  it.each([
    'npx tsx src/index.ts',
    'npx tsx index.ts',
    'npx .',
    'npx notes --db=./notes.db',
    'npx notes data\\all',
    'pnpm start',
    'pnpm run dlx',
    'uvx --from ./notes notes',
    'docker run -v .:/data acme/notes',
    'node /srv/notes.js',
    '/usr/bin/notes',
  ])('may depend on the folder: %s', (line) => {
    expect(runsAnywhere(commandWords(line.split(' ')))).toBe(false)
  })

  it.each(['uvx', 'npx', 'docker', 'x'])(
    'is parsed quickly, whatever its length: %s',
    (program) => {
      const took = cpuMsOf(() => {
        for (const piece of ['=', '@', '.a', './', '<>', '=@/', 'a-', '\\'])
          for (const end of ['/', '@', ' '])
            runsAnywhere(
              commandWords([program, piece.repeat(MAX_CHARACTERS / piece.length) + end, 'x']),
            )
      })
      expect(took).toBeLessThan(5_000)
    },
  )
})
