import { describe, expect, it } from 'vitest'

import { NpmProgress } from './package-installer'

function reported(lines: readonly string[], stepMs: number): string[] {
  const out: string[] = []
  let now = 0
  const progress = new NpmProgress(
    (line) => out.push(line),
    () => (now += stepMs),
  )
  for (const line of lines) progress.receive(line)
  progress.end()
  return out
}

const fetched = (name: string, how = 'cache miss'): string =>
  `npm http fetch GET 200 https://registry.example/${name}/-/${name}-1.0.0.tgz 482ms (${how})`

describe('the progress of npm', () => {
  it('reports downloads at intervals, and the count at the end', () => {
    expect(
      reported(
        ['a', 'b', 'c'].map((name) => fetched(name)),
        600,
      ),
    ).toEqual([
      'Downloaded a-1.0.0 (1 package so far)',
      'Downloaded c-1.0.0 (3 packages so far)',
      'Downloaded 3 packages',
    ])
  })

  it('ignores requests without a package, and cached packages', () => {
    const lines = [
      'npm http fetch GET 200 https://registry.example/@a%2fb 108ms (cache updated)',
      'npm http cache a@https://registry.example/a/-/a-1.0.0.tgz 0ms (cache hit)',
    ]
    expect(reported(lines, 5_000)).toEqual([])
  })

  it('passes on all other lines unchanged', () => {
    const lines = ['npm warn deprecated a@1.0.0: no longer kept', 'npm error code E404', 'built']
    expect(reported(lines, 0)).toEqual(lines)
  })
})
