import { diffArrays } from 'diff'

import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { isJsonObject } from '../../../src-shared/domain/server-json/tolerant-reader'

/** Two documents that have nothing in common would be compared for minutes. */
const TIME_LIMIT_MS = 200
/** Lines that are shown around each change. */
const AROUND = 3
const MOST_LINES = 1_000

/**
 * How the server.json of one registry entry differs from another, line by line: the changes and what stands around
 * them. Where they have too little in common, all lines of the one and then of the other.
 */
export function compareDocuments(before: string, after: string): ChangedLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const parts = diffArrays(old, fresh, { timeout: TIME_LIMIT_MS })
  const lines: ChangedLine[] = parts
    ? parts.flatMap(({ added, removed, value }) =>
        value.map(
          (text) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text }) as const,
        ),
      )
    : [...toLines('removed', old), ...toLines('added', fresh)]
  const near = nearChanges(lines)
  return lines.filter((_, index) => near[index] === 1).slice(0, MOST_LINES)
}

/** Marks the lines that are changed or stand near to one that is. */
function nearChanges(lines: readonly ChangedLine[]): Uint8Array {
  const near = new Uint8Array(lines.length)
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') near.fill(1, Math.max(0, index - AROUND), index + AROUND + 1)
  })
  return near
}

function toLines(kind: ChangedLine['kind'], lines: readonly string[]): ChangedLine[] {
  return lines.map((text) => ({ kind, text }))
}

/** The server.json alone: what the registry says of it changes with every version. */
function linesOf(raw: string): string[] {
  const document: unknown = JSON.parse(raw)
  const server =
    isJsonObject(document) && isJsonObject(document.server) ? document.server : document
  return JSON.stringify(server, null, 2).split('\n')
}
