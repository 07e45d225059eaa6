import { diffArrays } from 'diff'

import type { DiffLine } from '../../src-shared/domain/agents/host'

/** Context lines around a change. */
const CONTEXT = 3
/** Most edits to look for; beyond, all old lines are removed and all new ones added. */
const MAX_EDITS = 2_000

type Limits = { readonly maxEditLength: number } | { readonly timeout: number }

/** Compares two texts line by line, with some context; a line includes its line end. */
export function lineDiff(
  before: string,
  after: string,
  limits: Limits = { maxEditLength: MAX_EDITS },
): DiffLine[] {
  const lines = allLines(linesOf(before), linesOf(after), limits)
  const near = new Uint8Array(lines.length)
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  })
  return lines.filter((_, index) => near[index] === 1)
}

function allLines(before: string[], after: string[], limits: Limits): DiffLine[] {
  const changes = diffArrays(before, after, limits) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ]
  const lines: DiffLine[] = []
  let oldLine = 1
  let newLine = 1
  for (const { added, removed, value } of changes) {
    for (const line of value) {
      const text = line.replace(/\r?\n$/u, '').replace(/^\uFEFF/u, '')
      if (removed) lines.push({ kind: 'removed', line: oldLine++, text })
      else if (added) lines.push({ kind: 'added', line: newLine++, text })
      else {
        lines.push({ kind: 'same', line: newLine++, text })
        oldLine += 1
      }
    }
  }
  return lines
}

/** Lines with their ends, which count as part of a change. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/u).filter((line) => line !== '')
}
