import { describe, expect, it } from 'vitest'

import { cacheEntryOf } from './cache-entry'

const of = (line: string): ReturnType<typeof cacheEntryOf> => {
  const [command = '', ...args] = line.split(' ')
  return cacheEntryOf(command, args)
}

describe("E7: a command's cache entry", () => {
  it.each([
    ['npx -y notes@1.2.3 --stdio', ['notes@1.2.3']],
    ['npx notes', ['notes']],
    ['npx -y --registry http://packages.invalid @a/notes@1 -p x', ['@a/notes@1']],
    ['npx --yes --package=zed -p alpha program --package no', ['alpha', 'zed']],
    ['/opt/node/bin/npx.cmd -y notes', ['notes']],
  ])('for npx is identified by its packages: %s', (line, packages) => {
    expect(of(line)).toEqual({ runner: 'npx', packages })
  })

  it.each([
    ['uvx notes@1.2 --stdio', '--from notes==1.2'],
    ['uvx notes', '--from notes'],
    ['uvx notes@latest', '--from notes@latest'],
    ['uvx --from notes[web]==1 notes --from no', '--from notes[web]==1'],
    ['uvx --python 3.12 --with=extra notes', '--python 3.12 --with=extra --from notes'],
  ])("for uvx is identified by its environment's contents: %s", (line, options) => {
    expect(of(line)).toEqual({ runner: 'uvx', options: options.split(' ') })
  })

  it.each([
    'node server.js',
    'npx',
    'npx -y',
    'npx -p',
    'npx --cache /elsewhere notes',
    'npx -c notes',
    'uvx --cache-dir /elsewhere notes',
    'uvx --no-cache notes',
    'uv tool run notes',
  ])('is unknown for %s', (line) => {
    expect(of(line)).toBeUndefined()
  })
})
